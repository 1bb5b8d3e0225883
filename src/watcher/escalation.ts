import { shellWords } from '../process/shell-words.js';
import { channelCommand } from './channel-command.js';
import type { Cause, Concern } from './decide.js';

/** What an escalation's commands need to be ready to paste. */
export interface Remedies {
  /** Absolute. */
  readonly root: string;
  /** Empty in the plain layout. */
  readonly channelId: string;
  /** The absolute path of the watcher's config. */
  readonly config: string;
  readonly supervisor: string;
  readonly parties: readonly [string, string];
  /** The last entry's number. */
  readonly seq: number;
  /** The open thread, or empty. */
  readonly thread: string;
  /** Whose turn it is, or empty. */
  readonly turn: string;
  /** The cap of the open thread. */
  readonly cap: number;
}

/**
 * The text of an escalation: what happened, the last lines of the run where there was one, and at its end the commands that
 * retry, re-point, answer or close, ready to paste (DESIGN.md 7).
 */
export function escalationText(concern: Concern, remedies: Remedies, lastLines: string): string {
  const quoted = lastLines === '' ? [] : ['last output:', ...lastLines.split('\n').map((line) => `  | ${line}`)];
  return [concern.what, ...quoted, ...remediesFor(concern.cause, remedies)].join('\n');
}

function remediesFor(cause: Cause, remedies: Remedies): readonly string[] {
  const { turn, parties, supervisor, cap, seq, config } = remedies;
  const other = parties.find((party) => party !== turn) ?? parties[0];
  const command = (name: string) => channelCommand(name, { root: remedies.root, id: remedies.channelId });
  const post = (rest: string) => `${command('post')} --as ${supervisor} ${rest}`;
  // The entry is named: the same words as before would be an entry that is recorded already.
  const retry = `try again:  ${post(`--type info --body "Please go on from MSG-${seq}."`)}`;
  const repoint = `re-point:   ${post(`--type info --turn ${other} --body "Please take this over."`)}`;
  const close = `close:      ${post('--type close --body "Closed by the supervisor."')}`;
  switch (cause) {
    case 'asked':
      return [close, `answer:     ${post('--type info --body "YOUR ANSWER"')}`];
    case 'defect':
      return [`look:       ${command('verify')}`, accept(post, remedies)];
    case 'missing-beginning':
      return [`look:       ${command('verify')}`, `accept:     ${command('repair')} --accept-missing`];
    case 'forged-fence':
      return [
        'remove the line by hand that this names; what stands behind it counts again:',
        `look:       ${command('verify')}`,
      ];
    case 'record-went-back':
      return [
        'restore the mailbox, or go on from where it is:',
        `accept:     ${command('repair')} --accept-seq ${seq}`,
      ];
    case 'nobody-due':
      return [close, `name one:   ${post(`--type info --turn ${parties[0]} --body "Please answer."`)}`];
    case 'at-cap':
      return [close, `lengthen:   ${post(`--type info --cap ${2 * cap} --body "Please go on."`)}`];
    case 'cannot-start':
    case 'no-such-commit':
    case 'check-not-run':
      return [
        `mend what it says, in ${config} or on this machine, and the next tick tries again; a worktree's setup waits for a word of yours;`,
        'a program that is not found: name its absolute path, or run `debate schedule install` where it is found',
        `diagnose:   ${command('doctor')} --config ${shellWords([config])}`,
        close,
        repoint,
        retry,
      ];
    case 'hour-budget':
      return [`to go on before: raise "budget.max_invocations_per_hour" in ${config};`, close];
    case 'no-reply':
    case 'budget':
    case 'quota':
    case 'stale':
      return [close, repoint, retry];
  }
}

/** An acceptance says how it goes on (decisions.md 4): the open thread with its turn, else a correction of its own. */
function accept(post: (rest: string) => string, { thread, turn, parties, seq }: Remedies): string {
  if (thread === '')
    return `accept:     ${post(`--type close --accept --thread accepted-${seq + 1} --body "Accepted."`)}`;
  return `accept:     ${post(`--type info --accept --turn ${turn || parties[0]} --body "Accepted."`)}`;
}
