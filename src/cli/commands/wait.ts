import { openThread } from '../../protocol/core/open-thread.js';
import { EXIT, type ExitCode } from '../../protocol/core/refusal.js';
import { visibleLine } from '../../protocol/core/visible.js';
import { waitForTurn } from '../../protocol/turn-watch.js';
import { actorOf, type ChannelOptions, openContext, wokenOf } from '../context.js';
import { json, say } from '../print.js';
import { showReading } from '../show-reading.js';

/** Options of `debate wait`. */
export interface WaitOptions extends ChannelOptions {
  readonly as?: string;
  /** In seconds. */
  readonly timeout: number;
}

/** `debate wait`: prints the open thread as `debate read` does once it is the party's turn; 5 when the time is over. */
export async function waitCommand(options: WaitOptions): Promise<ExitCode> {
  const context = openContext(options);
  const party = actorOf(context, options.as);
  const { how, channel, standing } = await waitForTurn(context.world, {
    open: () => openContext(options).channel,
    party,
    woken: wokenOf(context) !== undefined,
    timeoutMs: options.timeout * 1000,
    signal: undefined,
  });
  const { state, tail } = standing;
  if (how === 'due') {
    const showing = { json: options.json === true, lastLines: false, now: context.world.machine.now() };
    await showReading(channel, standing, (each) => openThread(tail.entries, state).forEach(each), showing);
    return EXIT.done;
  }
  const { seq, turn, thread } = state;
  if (options.json) json({ waited_seconds: options.timeout, seq, turn, thread });
  const asked = state.asked === 0 ? '' : `; MSG-${state.asked} asks the supervisor, who has not spoken yet`;
  const where = thread === '' ? 'no thread is open' : `${visibleLine(turn === '' ? 'nobody' : turn)} is due`;
  say(`waited ${options.timeout} s in vain: ${where} at MSG-${seq}${asked}. Run the command again to go on waiting.`);
  return EXIT.waited;
}
