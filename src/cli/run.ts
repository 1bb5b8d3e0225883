import { asRefusal } from '../protocol/as-refusal.js';
import { type ExitCode, REFUSALS } from '../protocol/core/refusal.js';
import { visible } from '../protocol/core/visible.js';
import { completeHint } from './complete-hint.js';
import type { ChannelOptions } from './context.js';
import { json, say } from './print.js';

/** How a command ends that a signal stopped, as shells have it: 128 and the number of the signal. */
export type Stopped = 129 | 130 | 143;

/** What a command is: it prints, and answers with its exit code. */
export type Action<O> = (options: O) => Promise<ExitCode | Stopped> | ExitCode;

/** Runs a command and ends with its exit code; a refusal is told, never thrown at the user. */
export async function run<O extends ChannelOptions>(action: Promise<Action<O>>, options: O): Promise<void> {
  try {
    process.exitCode = await (await action)(options);
  } catch (error) {
    process.exitCode = tell(error, options);
  }
}

/**
 * Tells a refusal in a sentence and a hint, as JSON too where a program reads; what the hint names is meant for the channel that
 * this command was given. Returns the exit code.
 */
export function tell(error: unknown, options: ChannelOptions): ExitCode {
  const { code, message, hint: general } = asRefusal(error);
  const hint = completeHint(general, options);
  if (options.json === true) json({ error: { code, message, hint } });
  say(`debate: ${visible(message)} [${code}]`);
  say(`  ${visible(hint)}`);
  return REFUSALS[code];
}
