import type { Channel } from '../../protocol/channel.js';
import { openThread } from '../../protocol/core/open-thread.js';
import type { Standing } from '../../protocol/standing.js';
import type { WatcherConfig } from '../config/watcher-config.js';
import type { Signal, WatchRules } from '../decide.js';
import type { Hold } from '../hold.js';

/** What the record and the channel's runs say now, for `decide`. `running` is the sentence about a live run, or undefined. */
export function signalOf(
  standing: Standing,
  channel: Channel,
  held: Hold | undefined,
  running: string | undefined,
): Signal {
  const { state, tail } = standing;
  const spoke = openThread(tail.entries, state).findLast((entry) => entry.sender === channel.config.supervisor);
  return {
    state,
    stops: tail.stops,
    supervisorSpokeAt: spoke?.seq ?? 0,
    heldUntilMs: held?.untilMs ?? 0,
    running,
  };
}

/** What the two configs say, for `decide`. */
export function watchRules(standing: Standing, channel: Channel, config: WatcherConfig): WatchRules {
  const { budget, parties, staleSeconds } = config;
  const cap = standing.state.cap ?? channel.config.threadCap;
  return {
    partyRule: (party) => {
      const settings = Object.hasOwn(parties, party) ? parties[party] : undefined;
      return settings && { ...settings, hasCommand: settings.command !== undefined };
    },
    maxInvocationsPerHour: budget.maxInvocationsPerHour,
    maxInvocationsPerThread: budget.maxInvocationsPerThread ?? 2 * cap,
    threadCap: channel.config.threadCap,
    staleSeconds,
  };
}
