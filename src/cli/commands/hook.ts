import { EXIT, type ExitCode } from '../../protocol/core/refusal.js';
import { visibleLine } from '../../protocol/core/visible.js';
import type { ChannelOptions } from '../context.js';
import { blockingAnswer, contextAnswer, type HookFormat, isAlreadyBlocked } from '../hook/hook-format.js';
import { readHookInput } from '../hook/hook-input.js';
import { out, say } from '../print.js';

/** Options of `debate hook ...`. */
export interface HookOptions extends ChannelOptions {
  readonly as?: string;
  readonly format: HookFormat;
}

/** `debate hook stop`: blocks the end of a turn once per entry, and never twice in a row. */
export function stopHook(options: HookOptions): Promise<ExitCode> {
  return failingOpen(options, async (input) => {
    if (isAlreadyBlocked(input)) return;
    const { lookForTurn } = await import('../hook/live-turn.js');
    const turn = lookForTurn(options);
    if (!turn) return;
    const { tellOnce } = await import('../hook/told-once.js');
    if (tellOnce(turn.memory, turn)) out(blockingAnswer(options.format, turn.notice));
  });
}

/** `debate hook session-start`: puts into the agent's context that it is its turn. */
export function sessionStartHook(options: HookOptions): Promise<ExitCode> {
  return failingOpen(options, async () => {
    const { lookForTurn } = await import('../hook/live-turn.js');
    const turn = lookForTurn(options);
    if (turn) out(contextAnswer(options.format, turn.notice));
  });
}

/**
 * Runs a hook. Whatever goes wrong is one line on standard error and exit 0: a hook must never hold up a person's
 * session. Most stops end before anything of the channel is loaded.
 */
async function failingOpen(options: HookOptions, work: (input: unknown) => Promise<void>): Promise<ExitCode> {
  const input = readHookInput(process.stdin);
  if (isSilent(options)) {
    // Taken all the same, so that the harness does not write into a closed pipe.
    await input.catch(() => {});
    return EXIT.done;
  }
  try {
    await work(await input);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    say(`debate hook: nothing was said, since ${visibleLine(why)}`);
  }
  return EXIT.done;
}

/**
 * A session has opted in when its hook names the channel (`--root`) or its environment does (`DEBATE_ROOT`): a channel
 * is never looked for, or a hook registered for all projects would speak up in every one. A woken process is on a run of
 * its own: a refused agent must exit there, not be pushed on. Nor is anybody told of another party's turn.
 */
function isSilent(options: HookOptions): boolean {
  const { DEBATE_WAKE: wake, DEBATE_ROOT: root, DEBATE_PARTY: party } = process.env;
  if (wake || !(options.root ?? root)) return true;
  return options.as !== undefined && party !== undefined && party !== '' && party !== options.as;
}
