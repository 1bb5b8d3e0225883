import { runFilesIn } from '../../process/run-files.js';
import { EXIT, type ExitCode, Refusal } from '../../protocol/core/refusal.js';
import { readStanding } from '../../protocol/standing.js';
import { hold } from '../../watcher/hold.js';
import { liveRun } from '../../watcher/tick/tend-runs.js';
import { actorOf, type ChannelOptions, openContext, wokenOf } from '../context.js';
import { json, out } from '../print.js';

/** Options of `debate claim`. */
export interface ClaimOptions extends ChannelOptions {
  readonly as?: string;
  readonly minutes: number;
}

/** `debate claim`: a live session holds its turn, so that no watcher wakes anybody for it; not in the record. */
export async function claimCommand(options: ClaimOptions): Promise<ExitCode> {
  const context = openContext(options);
  if (wokenOf(context) !== undefined)
    throw new Refusal({
      code: 'not-when-woken',
      message: 'This process was woken for its turn, so it has it already.',
      hint: 'Answer it; holding a turn is for live sessions.',
    });
  const { channel, world } = context;
  const party = actorOf(context, options.as);
  const { state } = readStanding(world.disk, channel);
  const files = runFilesIn(channel.paths.runs);
  const asked = { party, minutes: options.minutes, nowMs: world.machine.now().getTime() };
  const held = await hold(files, asked, { turn: state.turn, running: () => liveRun(files) });
  const until = held === undefined ? null : new Date(held.untilMs).toISOString();
  if (options.json) json({ party, until });
  else out(until === null ? `${party} holds no turn` : `${party} holds its turn until ${until}`);
  return EXIT.done;
}
