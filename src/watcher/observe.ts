import type { State } from '../protocol/core/state.js';
import type { Entry } from '../protocol/core/words.js';
import { type Memory, pruned, turnKey } from './memory.js';

/** The record as the watcher sees it now. */
export interface Seen {
  readonly state: State;
  /** The newest entries that count, oldest first. */
  readonly entries: readonly Entry[];
  /** What the supervisor accepted after the record went back (decisions.md 5). */
  readonly accepted: { readonly seq: number; readonly hash: string } | undefined;
}

/** The seq that the memory knows and the record has lost, or undefined: a record below its remembered head went back. */
export function wentBackFrom(memory: Memory, seen: Seen): number | undefined {
  const { head } = memory;
  if (!head || followsAcceptance(memory, seen)) return undefined;
  if (head.seq > seen.state.seq) return head.seq;
  if (head.seq === seen.state.seq) return head.hash === seen.state.hash ? undefined : head.seq;
  const there = seen.entries.find((entry) => entry.seq === head.seq);
  return there && there.hash !== head.hash ? head.seq : undefined;
}

/** A memory follows an acceptance once (decisions.md 5). */
function followsAcceptance(memory: Memory, seen: Seen): boolean {
  return seen.accepted !== undefined && memory.accepted !== seen.accepted.hash;
}

/** The memory after a look at the record: its head, and since when this turn is known. A stamp is never moved. */
export function observed(memory: Memory, seen: Seen, nowMs: number): Memory {
  const { state } = seen;
  const key = turnKey(state.seq, state.hash);
  const known = memory.seen_ms[key];
  const reset = followsAcceptance(memory, seen);
  return pruned(
    {
      ...memory,
      head: state.seq === 0 ? null : { seq: state.seq, hash: state.hash },
      accepted: seen.accepted?.hash ?? memory.accepted,
      seen_ms: { ...memory.seen_ms, [key]: known ?? nowMs },
      mirrored: reset ? clampMirrors(memory, state.seq) : memory.mirrored,
      last_tick_ms: nowMs,
    },
    state.openedAt,
  );
}

function clampMirrors(memory: Memory, seq: number): Memory['mirrored'] {
  const entries = Object.entries(memory.mirrored);
  return Object.fromEntries(entries.map(([key, got]) => [key, { ...got, seq: Math.min(got.seq, seq) }]));
}
