import { describe, expect, it } from 'vitest';
import { turnKey } from '../../src/watcher/memory.js';
import { observed, type Seen, wentBackFrom } from '../../src/watcher/observe.js';
import { attempt, entry, HASH, memory, OPEN, T0 } from './states.js';

const OTHER = 'cd'.repeat(32);
const seen = (changes: Partial<Seen> = {}, state: Partial<typeof OPEN> = {}): Seen => ({
  state: { ...OPEN, ...state },
  entries: [],
  accepted: undefined,
  ...changes,
});

describe('a memory ahead of the record proves that the record went back (DESIGN.md 4.3)', () => {
  it('the remembered head is above the last entry', () => {
    expect(wentBackFrom(memory({ head: { seq: 15, hash: HASH } }), seen())).toBe(15);
  });

  it('another entry stands at the remembered number (decisions.md 5)', () => {
    expect(wentBackFrom(memory({ head: { seq: 14, hash: OTHER } }), seen())).toBe(14);
    const rewritten = seen({ entries: [entry(12, { hash: OTHER }), entry(13)] });
    expect(wentBackFrom(memory({ head: { seq: 12, hash: HASH } }), rewritten)).toBe(12);
  });

  it('a record that grew, and a clone without a memory, did not go back', () => {
    expect(wentBackFrom(memory({ head: { seq: 12, hash: HASH } }), seen({ entries: [entry(12)] }))).toBeUndefined();
    expect(wentBackFrom(memory({ head: null }), seen())).toBeUndefined();
  });

  it('a memory follows what the supervisor accepted once, and only once', () => {
    const accepted = { seq: 14, hash: HASH };
    const ahead = memory({ head: { seq: 20, hash: OTHER } });
    expect(wentBackFrom(ahead, seen({ accepted }))).toBeUndefined();
    const followed = observed(ahead, seen({ accepted }), T0);
    expect(followed).toMatchObject({ head: { seq: 14, hash: HASH }, accepted: HASH });
    expect(wentBackFrom({ ...followed, head: { seq: 16, hash: OTHER } }, seen({ accepted }))).toBe(16);
  });
});

describe('what a memory keeps of a look', () => {
  it('since when a turn is known is noted once', () => {
    const first = observed(memory({ seen_ms: {} }), seen(), T0);
    expect(first.seen_ms).toEqual({ [turnKey(14, HASH)]: T0 });
    expect(observed(first, seen(), T0 + 5000)).toEqual(first);
  });

  it('a newer head of an overlapping tick is kept', () => {
    const newer = { seq: 15, hash: OTHER };
    expect(observed(memory({ head: newer }), seen(), T0).head).toEqual(newer);
  });

  it('stamps in the future count as now, for good (format.md 6)', () => {
    const tomorrow = T0 + 20 * 3_600_000;
    const before = memory({
      seen_ms: { [turnKey(14, HASH)]: tomorrow },
      attempts: [attempt({ started_ms: tomorrow, ended_ms: tomorrow, not_before_ms: T0 + 72 * 3_600_000 })],
    });
    const after = observed(before, seen(), T0);
    expect(after.seen_ms).toEqual({ [turnKey(14, HASH)]: T0 });
    expect(after.attempts).toMatchObject([{ started_ms: T0, ended_ms: T0, not_before_ms: T0 + 24 * 3_600_000 }]);
  });

  it('an accepted record takes runs, escalations and mirrors above it back, and an answer that is lost is none', () => {
    const before = memory({
      head: { seq: 20, hash: OTHER },
      attempts: [attempt({ outcome: 'replied' }), attempt({ run: 'w2', key: '20@x', seq: 20 })],
      escalations: [
        { thread: '', seq: 14, cause: 'record-went-back', text: 'x', at_ms: T0 },
        { thread: 'retry-backoff', seq: 20, cause: 'stale', text: 'x', at_ms: T0 },
      ],
      mirrored: { stdout: { seq: 20, escalations: [] } },
    });
    const after = observed(before, seen({ accepted: { seq: 14, hash: HASH } }), T0);
    expect(after.attempts.map(({ run, outcome }) => [run, outcome])).toEqual([['w1', 'no-reply']]);
    expect(after.escalations).toEqual([]);
    expect(after.mirrored).toEqual({ stdout: { seq: 14, escalations: [] } });
  });

  it('it does not grow for ever, and keeps what the budgets count', () => {
    const many = Array.from({ length: 500 }, (_, index) =>
      attempt({ run: `w${index}`, seq: index < 300 ? 1 : 12, started_ms: index < 50 ? T0 : T0 - 10 * 3_600_000 }),
    );
    const escalations = many.map((_, seq) => ({ thread: 't', seq, cause: 'stale', text: 'x', at_ms: T0 }));
    const after = observed(memory({ attempts: many, escalations }), seen(), T0);
    const kept = after.attempts.map(({ run }) => Number(run.slice(1)));
    expect(kept).toEqual([...Array(50).keys(), ...Array.from({ length: 200 }, (_, index) => 300 + index)]);
    expect(after.escalations).toHaveLength(200);
  });
});
