import type { Channel } from '../../protocol/channel.js';
import type { WatcherConfig } from '../config/watcher-config.js';
import type { Concern } from '../decide.js';
import { escalationText, type Remedies } from '../escalation.js';
import type { Memory } from '../memory.js';

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
  const made = concerns
    .filter((concern) => !memory.escalations.some((each) => isSame(each, concern)))
    .map(({ thread, seq, cause, what }) => {
      const run = memory.attempts.findLast((each) => each.seq === seq && each.thread === thread);
      const lines = QUOTING.includes(cause) ? (run?.last_lines ?? '') : '';
      const text = escalationText({ thread, seq, cause, what }, remedies, lines);
      return { thread, seq, cause, text, at_ms: atMs };
    });
  return made.length === 0 ? memory : { ...memory, escalations: [...memory.escalations, ...made] };
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

function isSame(
  a: { readonly thread: string; readonly seq: number; readonly cause: string },
  b: { readonly thread: string; readonly seq: number; readonly cause: string },
): boolean {
  return a.thread === b.thread && a.seq === b.seq && a.cause === b.cause;
}
