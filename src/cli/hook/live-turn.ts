import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { asRefusal } from '../../protocol/as-refusal.js';
import { channelName } from '../../protocol/channel.js';
import { isDue, requireParty } from '../../protocol/core/due.js';
import { readStanding } from '../../protocol/standing.js';
import { defaultStatePath } from '../../protocol/state-path.js';
import { actorOf, type ChannelOptions, type Context, openContext } from '../context.js';
import { turnNotice } from './turn-notice.js';

/** Where a live session looks, and for whom. */
export interface LookOptions extends ChannelOptions {
  readonly as?: string;
}

/** A turn that a live session should know of. */
export interface LiveTurn {
  readonly party: string;
  readonly seq: number;
  readonly hash: string;
  readonly notice: string;
  /** Where it is remembered that somebody was told: beside the watcher's memory of the channel, outside its root. */
  readonly memory: string;
}

/**
 * The turn of this session's party, if it is due. Undefined also where there is no channel: a clone without one is no
 * fault. Throws what keeps it from being told: a refusal, or a record that is stopped.
 */
export function lookForTurn(options: LookOptions): LiveTurn | undefined {
  const context = openedContext(options);
  if (!context) return undefined;
  const { world, channel } = context;
  const party = actorOf(context, options.as);
  requireParty(channel.config, party);
  const standing = readStanding(world.disk, channel);
  const { state, tail } = standing;
  const [stop] = tail.stops;
  if (stop) throw new Error(`the record is stopped until the supervisor has looked: ${stop.message}`);
  if (!isDue(state, party) || channel.config.brokered) return undefined;
  const notice = turnNotice(channel, standing, party);
  return { party, seq: state.seq, hash: state.hash, notice, memory: memoryFolder(context) };
}

function openedContext(options: LookOptions): Context | undefined {
  try {
    return openContext(options);
  } catch (error) {
    if (asRefusal(error).code === 'no-channel') return undefined;
    throw error;
  }
}

function memoryFolder({ channel }: Context): string {
  const place = { root: realpathSync(channel.paths.root), name: channelName(channel) };
  return join(dirname(defaultStatePath(place, homedir(), process.env)), 'hooks');
}
