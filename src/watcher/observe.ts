import type { State } from '../protocol/core/state.js';
import type { Entry } from '../protocol/core/words.js';
import { type Attempt, type Memory, pruned, turnKey } from './memory.js';

/** The record as the watcher sees it now. */
export interface Seen {
  readonly state: State;
  /** The newest entries that count, oldest first. */
  readonly entries: readonly Entry[];
  /** What the supervisor accepted after the record went back (decisions.md 5). */
  readonly accepted: { readonly seq: number; readonly hash: string } | undefined;
}

/**
 * The seq that the memory knows and the record has lost, or undefined: a record below its remembered head went back. The
 * memory must have been read before the record, or another tick's newer head would look like one.
 */
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

/** The memory after a look at the record: its head, and since when this turn is known. */
export function observed(memory: Memory, seen: Seen, nowMs: number): Memory {
  const { state } = seen;
  const key = turnKey(state.seq, state.hash);
  const reset = followsAcceptance(memory, seen);
  const before = withoutFuture(reset ? takenBack(memory, state) : memory, nowMs);
  // Another tick may have seen more meanwhile.
  const isBehind = before.head !== null && before.head.seq > state.seq;
  return pruned(
    {
      ...before,
      head: isBehind ? before.head : state.seq === 0 ? null : { seq: state.seq, hash: state.hash },
      accepted: seen.accepted?.hash ?? before.accepted,
      seen_ms: { ...before.seen_ms, [key]: before.seen_ms[key] ?? nowMs },
    },
    state.openedAt,
    nowMs,
  );
}

/** A memory that goes back with its record: what it knows of entries that are no more, and that their answers are lost. */
function takenBack(memory: Memory, state: State): Memory {
  const key = turnKey(state.seq, state.hash);
  const lost = (run: Attempt): Attempt =>
    run.key === key && run.outcome === 'replied'
      ? { ...run, outcome: 'no-reply', detail: 'its answer was lost when the record went back' }
      : run;
  const got = Object.entries(memory.mirrored);
  return {
    ...memory,
    head: null,
    attempts: memory.attempts.filter((run) => run.seq <= state.seq).map(lost),
    escalations: memory.escalations.filter((each) => each.seq <= state.seq && each.cause !== 'record-went-back'),
    mirrored: Object.fromEntries(
      got.map(([target, each]) => [target, { ...each, seq: Math.min(each.seq, state.seq) }]),
    ),
  };
}

/** The longest that anything waits, in milliseconds: a quota (DESIGN.md 7). */
const LONGEST_MS = 24 * 3_600_000;

/**
 * A stamp in the future counts as now (format.md 6), for good: after a clock was set back, a debounce that was measured from
 * tomorrow would not end before tomorrow.
 */
function withoutFuture(memory: Memory, nowMs: number): Memory {
  const past = (ms: number) => Math.min(ms, nowMs);
  const soon = (ms: number) => Math.min(ms, nowMs + LONGEST_MS);
  return {
    ...memory,
    seen_ms: Object.fromEntries(Object.entries(memory.seen_ms).map(([key, ms]) => [key, past(ms)])),
    attempts: memory.attempts.map((run) => ({
      ...run,
      started_ms: past(run.started_ms),
      ended_ms: run.ended_ms === null ? null : past(run.ended_ms),
      not_before_ms: soon(run.not_before_ms),
    })),
  };
}
