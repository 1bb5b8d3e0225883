import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { channelName } from '../../protocol/channel.js';
import { EXIT, type ExitCode, Refusal } from '../../protocol/core/refusal.js';
import { readStanding } from '../../protocol/standing.js';
import { defaultStatePath } from '../../protocol/state-path.js';
import { withHold } from '../../watcher/hold.js';
import { memoryFile } from '../../watcher/memory-file.js';
import { actorOf, type ChannelOptions, openContext, wokenOf } from '../context.js';
import { json, out } from '../print.js';
import { realWorld } from '../real-world.js';
import { openConfigured } from '../watched.js';

/** Options of `debate claim`. */
export interface ClaimOptions extends ChannelOptions {
  readonly as?: string;
  readonly minutes: number;
  readonly config?: string;
}

/** `debate claim`: a live session holds its turn, so that the watcher wakes nobody for it; not in the record. */
export function claimCommand(options: ClaimOptions): ExitCode {
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
  const { id } = channel.paths;
  const root = realpathSync(channel.paths.root);
  const statePath =
    options.config === undefined
      ? defaultStatePath({ root, name: channelName(channel) }, homedir(), process.env)
      : openConfigured({ root, channel: id }, options.config).config.statePath;
  const memory = memoryFile(realWorld(), statePath, root, id);
  const now = world.machine.now().getTime();
  const { held } = memory.update((each) => withHold(each, party, options.minutes, state, now));
  const until = held === null ? null : new Date(held.until_ms).toISOString();
  if (options.json) json({ party, until, state_path: statePath });
  else out(until === null ? `${party} holds no turn` : `${party} holds its turn until ${until}`);
  return EXIT.done;
}
