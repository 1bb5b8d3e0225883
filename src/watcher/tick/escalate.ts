import type { Channel } from '../../protocol/channel.js';
import type { WatcherConfig } from '../config/watcher-config.js';
import type { Concern } from '../decide.js';
import { escalationText, type Remedies } from '../escalation.js';
import type { Memory } from '../memory.js';
import { escalationId } from '../mirror/deliver.js';

/** Causes whose escalation quotes the last lines of the run (field case W1). */
const QUOTING: readonly Concern['cause'][] = ['no-reply', 'quota', 'cannot-start'];

/**
 * A memory with the escalations that these concerns call for: once per thread, seq and cause (DESIGN.md 2). To be used as
 * a change of the memory, so that two ticks never make one twice.
 */
export function withEscalations(
  memory: Memory,
  concerns: readonly Concern[],
  remedies: Remedies,
  atMs: number,
): Memory {
  const made = new Set(memory.escalations.map(escalationId));
  const added = concerns
    .filter((concern) => !made.has(escalationId(concern)))
    .map(({ thread, seq, cause, what }) => {
      const run = memory.attempts.findLast((each) => each.seq === seq && each.thread === thread);
      const lines = QUOTING.includes(cause) ? (run?.last_lines ?? '') : '';
      const text = escalationText({ thread, seq, cause, what }, remedies, lines);
      return { thread, seq, cause, text, at_ms: atMs };
    });
  return added.length === 0 ? memory : { ...memory, escalations: [...memory.escalations, ...added] };
}

/** What the commands of an escalation name. */
export function remediesOf(
  channel: Channel,
  config: WatcherConfig,
  state: { readonly seq: number; readonly thread: string; readonly turn: string; readonly cap: number | undefined },
): Remedies {
  const { parties, supervisor, threadCap } = channel.config;
  const { seq, thread, turn } = state;
  const cap = state.cap ?? threadCap;
  return {
    root: config.root,
    channelId: channel.paths.id,
    config: config.path,
    supervisor,
    parties,
    seq,
    thread,
    turn,
    cap,
  };
}
