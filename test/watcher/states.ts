import { EMPTY_STATE, type State } from '../../src/protocol/core/state.js';
import type { Entry } from '../../src/protocol/core/words.js';
import type { PartyRule, Signal, WatchRules } from '../../src/watcher/decide.js';
import { type Attempt, emptyMemory, type Memory, turnKey } from '../../src/watcher/memory.js';

/** A moment from which tests count, in milliseconds since 1970. */
export const T0 = Date.parse('2026-07-06T14:00:00Z');

/** 16 hex digits and more, as the record has them. */
export const HASH = 'ab'.repeat(32);

/** Claude's turn at MSG-14 of an open thread. */
export const OPEN: State = {
  ...EMPTY_STATE,
  seq: 14,
  hash: HASH,
  updatedAt: '2026-07-06T14:00:00+00:00',
  thread: 'retry-backoff',
  turn: 'claude',
  openedAt: 10,
  spoken: 3,
  parkedSince: '2026-07-06T14:00:00+00:00',
};

/** The record as it is in most of these tests. */
export function signal(changes: Partial<Signal> = {}, state: Partial<State> = {}): Signal {
  return {
    state: { ...OPEN, ...state },
    stops: [],
    supervisorSpokeAt: 0,
    heldUntilMs: 0,
    running: undefined,
    ...changes,
  };
}

/** Rules with small round numbers, in seconds. */
export function rules(changes: Partial<WatchRules> = {}, party: Partial<PartyRule> = {}): WatchRules {
  const rule: PartyRule = { hasCommand: true, debounceSeconds: 0, retrySeconds: 1800, ...party };
  return {
    partyRule: (name) => (['claude', 'codex'].includes(name) ? rule : undefined),
    maxInvocationsPerHour: 12,
    maxInvocationsPerThread: 24,
    threadCap: 12,
    staleSeconds: 7200,
    ...changes,
  };
}

/** A memory that saw MSG-14 at T0. */
export function memory(changes: Partial<Memory> = {}): Memory {
  const key = turnKey(OPEN.seq, OPEN.hash);
  return { ...emptyMemory('/c', ''), head: { seq: OPEN.seq, hash: OPEN.hash }, seen_ms: { [key]: T0 }, ...changes };
}

/** A first run for MSG-14 that began at T0, lasted a minute and brought nothing. */
export function attempt(changes: Partial<Attempt> = {}): Attempt {
  return {
    run: 'w1',
    key: turnKey(OPEN.seq, OPEN.hash),
    attempt: 1,
    party: 'claude',
    thread: OPEN.thread,
    seq: OPEN.seq,
    started_ms: T0,
    ended_ms: T0 + 60_000,
    outcome: 'no-reply',
    detail: 'exit 0, and nothing posted',
    last_lines: '',
    log: '',
    not_before_ms: 0,
    ...changes,
  };
}

/** An entry of the record. */
export function entry(seq: number, changes: Partial<Entry> = {}): Entry {
  return {
    seq,
    timestamp: '2026-07-06T14:00:00+00:00',
    sender: 'codex',
    type: 'info',
    thread: OPEN.thread,
    refs: '',
    body: 'x',
    trailers: [],
    hash: HASH,
    key: `k${seq}`,
    marked: true,
    ...changes,
  };
}
