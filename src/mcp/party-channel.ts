import type { Channel } from '../protocol/channel.js';
import type { Woken } from '../protocol/core/wake.js';
import type { World } from '../protocol/world.js';

/** The channel as one party's server sees it at the moment of a call. */
export interface PartyChannel {
  readonly world: World;
  readonly channel: Channel;
  /** Fixed when the server is started, never an argument of a tool. */
  readonly party: string;
  /** Set when a watcher woke the process for this channel: rule 9 binds its posts. */
  readonly woken: Woken | undefined;
}

/**
 * Opens the channel for one call, and checks that the party is one of its parties: a server lives for days, and config
 * may change under it. Throws a refusal.
 */
export type OpenChannel = () => PartyChannel;
