import type { Cause, Concern } from './decide.js';

/** What an escalation's commands need to be ready to paste. */
export interface Remedies {
  /** Absolute. */
  readonly root: string;
  /** Empty in the plain layout. */
  readonly channelId: string;
  readonly supervisor: string;
  readonly parties: readonly [string, string];
  /** Whose turn it is, or empty. */
  readonly turn: string;
  readonly threadCap: number;
}

/**
 * The text of an escalation: what happened, the last lines of the run where there was one, and the command that retries,
 * re-points, answers or closes, ready to paste (DESIGN.md 7).
 */
export function escalationText(concern: Concern, remedies: Remedies, lastLines: string): string {
  const quoted = lastLines === '' ? [] : ['last output:', ...lastLines.split('\n').map((line) => `  | ${line}`)];
  return [concern.what, ...quoted, ...remediesFor(concern.cause, remedies)].join('\n');
}

function remediesFor(cause: Cause, remedies: Remedies): readonly string[] {
  const { turn, parties, supervisor, threadCap } = remedies;
  const other = parties.find((party) => party !== turn) ?? parties[0];
  const post = (rest: string) => `${command('post', remedies)} --as ${supervisor} ${rest}`;
  const retry = `try again:  ${post('--type info --body "Please go on."')}`;
  const repoint = `re-point:   ${post(`--type info --turn ${other} --body "Please take this over."`)}`;
  const close = `close:      ${post('--type close --body "Closed by the supervisor."')}`;
  switch (cause) {
    case 'asked':
      return [`answer:     ${post(`--type info --turn ${turn || parties[0]} --body "YOUR ANSWER"`)}`, close];
    case 'defect':
      return [
        `look:       ${command('verify', remedies)}`,
        `accept:     ${post(`--type info --accept --turn ${turn || parties[0]} --body "Accepted."`)}`,
      ];
    case 'record-went-back':
      return [
        `look:       ${command('verify', remedies)}`,
        'restore the mailbox, or accept it: see `debate repair --help`',
      ];
    case 'nobody-due':
      return [`name one:   ${post(`--type info --turn ${parties[0]} --body "Please answer."`)}`, close];
    case 'at-cap':
      return [`lengthen:   ${post(`--type info --cap ${2 * threadCap} --body "Go on."`)}`, close];
    case 'cannot-start':
    case 'no-such-commit':
      return [`look:       mend the watcher's config or the machine; the next tick tries again`, repoint, close];
    case 'no-reply':
    case 'budget':
    case 'quota':
    case 'stale':
      return [retry, repoint, close];
  }
}

function command(name: string, remedies: Remedies): string {
  const channel = remedies.channelId === '' ? '' : ` --channel ${remedies.channelId}`;
  return `debate ${name} --root ${quoted(remedies.root)}${channel}`;
}

function quoted(word: string): string {
  return /^[A-Za-z0-9_./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
