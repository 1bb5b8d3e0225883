import { type Channel, openChannel } from '../protocol/channel.js';
import { Refusal } from '../protocol/core/refusal.js';
import type { Woken } from '../protocol/core/wake.js';
import { findChannel } from '../protocol/find-root.js';
import { nodeHashes } from '../protocol/hashes.js';
import { type DebateEnvironment, readEnvironment } from '../protocol/identity.js';
import { channelPaths } from '../protocol/layout.js';
import { thisMachine } from '../protocol/machine.js';
import { nodeDisk } from '../protocol/node-disk.js';
import type { World } from '../protocol/world.js';
import { refuseWrongCopy } from '../protocol/wrong-copy.js';

/** Options that every command on a channel has. */
export interface ChannelOptions {
  readonly root?: string;
  readonly channel?: string;
  readonly json?: boolean;
}

/** The world as it is, for commands that write nothing: this machine's disk and clock. */
export const readingWorld: Omit<World, 'lock'> = { disk: nodeDisk, machine: thisMachine, hashes: nodeHashes };

/** The channel that a command means, and what the environment says of this process. */
export interface Context {
  readonly world: Omit<World, 'lock'>;
  readonly channel: Channel;
  readonly environment: DebateEnvironment;
  /** True when `DEBATE_PARTY`, `DEBATE_SEQ` and `DEBATE_WAKE` are about this channel (format.md 4). */
  readonly isBound: boolean;
}

/** Finds and opens the channel. Refuses `no-channel`, `ambiguous-root`, `wrong-copy`, `bad-config`, `unreadable`. */
export function openContext(options: ChannelOptions): Context {
  const world = readingWorld;
  const environment = readEnvironment(process.env);
  const found = findChannel(world.disk, {
    root: options.root,
    id: options.channel,
    envRoot: environment.root,
    envId: environment.channel,
    folder: process.cwd(),
  });
  const channel = openChannel(world.disk, found.root, found.id);
  refuseWrongCopy(world.disk, channel, environment.wake ? environment.root : undefined);
  return { world, channel, environment, isBound: isBound(environment, channel) };
}

function isBound(environment: DebateEnvironment, channel: Channel): boolean {
  if (environment.root === undefined) return false;
  const { disk } = readingWorld;
  const { id } = channel.paths;
  if (environment.channel !== undefined && environment.channel !== id) return false;
  // The plain channel is named by no name: where it is beside this one, it is the one that is meant.
  const plain = channelPaths(environment.root, '').config;
  if (environment.channel === undefined && id !== '' && disk.info(plain)) return false;
  const wanted = disk.info(environment.root)?.identity;
  return wanted !== undefined && wanted === disk.info(channel.paths.root)?.identity;
}

/** Who acts: `--as`, else `DEBATE_PARTY` where it is about this channel. Refuses `unknown-sender`. */
export function actorOf(context: Context, given: string | undefined): string {
  const party =
    given ?? (context.isBound || context.environment.root === undefined ? context.environment.party : undefined);
  if (party !== undefined) return party;
  const { parties, supervisor } = context.channel.config;
  throw new Refusal({
    code: 'unknown-sender',
    message: 'It is not said who acts.',
    hint: `Add --as ${parties.join(', ')} or ${supervisor}, or set DEBATE_PARTY.`,
  });
}

/** The wake that binds this process on this channel (rule 9), or undefined. */
export function wokenOf(context: Context): Woken | undefined {
  const { wake, party } = context.environment;
  if (!context.isBound || wake === undefined || party === undefined) return undefined;
  return { id: wake.id, party, seq: wake.seq ?? 0 };
}
