import { checkNotRun } from '../../evidence/attach-checks.js';
import { ensureCheck } from '../../evidence/ensure-check.js';
import { newestCitation } from '../../protocol/core/citation.js';
import { EXIT, type ExitCode } from '../../protocol/core/refusal.js';
import { readStanding } from '../../protocol/standing.js';
import { foundJson, lastLinesText, recordLine } from '../check-text.js';
import { type ChannelOptions, type Context, openContext } from '../context.js';
import { evidencePlaceOf } from '../evidence-place.js';
import { age, json, out, say, shellLine, waitingLine } from '../print.js';

/** Options of `debate check`. */
export interface CheckOptions extends ChannelOptions {
  readonly name: string;
  readonly ref?: string;
  readonly wait: number;
}

/** `debate check`: 0 when the check ran, whatever it returned; 5 while it still runs. */
export async function checkCommand(options: CheckOptions): Promise<ExitCode> {
  const context = openContext(options);
  const { name, wait: waitSeconds } = options;
  const ref = refOf(context, options.ref);
  const line = waitingLine();
  const onWaiting = (seconds: number) => line.update(`waiting for ${name} ...`, seconds);
  const place = evidencePlaceOf(context, undefined);
  const outcome = await ensureCheck(place, { name, ref, waitSeconds, onWaiting }).finally(line.end);
  if (outcome.kind === 'not-run') throw checkNotRun(outcome);
  if (outcome.kind === 'running') {
    const { commit, seconds } = outcome;
    const running_seconds = Math.round(seconds);
    if (options.json) json({ kind: outcome.kind, name, commit, running_seconds });
    say(
      `${name} is still running at ${commit.slice(0, 10)} (${age(seconds)}); ask again: ${shellLine(again(options, commit))}`,
    );
    return EXIT.waited;
  }
  if (options.json) json({ kind: outcome.kind, ...foundJson(outcome) });
  else {
    out(recordLine(outcome, context.world.machine.now()));
    out(lastLinesText(outcome));
    out(`log: ${outcome.logPath}`);
  }
  return EXIT.done;
}

/** A commit as it is given, or as a citation gives it; without one, what the open thread is about. */
function refOf(context: Context, given: string | undefined): string | undefined {
  if (given !== undefined) return given.slice(given.lastIndexOf('@') + 1);
  const { state, tail } = readStanding(context.world.disk, context.channel);
  return newestCitation(tail.entries, state)?.commit;
}

function again(options: CheckOptions, commit: string): readonly string[] {
  return [
    ...['debate', 'check', options.name],
    ...(options.root === undefined ? [] : ['--root', options.root]),
    ...(options.channel === undefined ? [] : ['--channel', options.channel]),
    ...['--ref', commit, '--wait', String(options.wait)],
  ];
}
