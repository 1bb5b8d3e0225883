import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defectOf } from '../../src/protocol/core/defect.js';
import { type Decision, decide, type Signal } from '../../src/watcher/decide.js';
import { type Attempt, type Memory, OUTCOMES, turnKey } from '../../src/watcher/memory.js';
import { attempt, HASH, memory, OPEN, rules, signal, T0 } from './states.js';

const MINUTE = 60_000;
const HOUR = 3_600_000;

function causes(decision: Decision): readonly string[] {
  return decision.concerns.map((concern) => concern.cause);
}

describe('a party is woken only if all hold (DESIGN.md 7)', () => {
  it('its turn, in an open thread, with a command: it is invoked at once', () => {
    const decision = decide(signal(), memory(), rules(), T0);
    expect(decision.action).toEqual({ kind: 'invoke', party: 'claude', attempt: 1 });
    expect(decision.reason).toBe("it is claude's turn at MSG-14");
    expect(decision.concerns).toEqual([]);
  });

  it('no thread is open: nothing', () => {
    const decision = decide(signal({}, { thread: '', turn: '', openedAt: 0 }), memory(), rules(), T0);
    expect(decision.action).toEqual({ kind: 'nothing' });
    expect(decision.reason).toBe('no thread is open');
  });

  it('it has no command: a person is waited for, and nobody is alarmed before the turn is stale', () => {
    const without = rules({}, { hasCommand: false });
    expect(decide(signal(), memory(), without, T0)).toMatchObject({
      action: { kind: 'wait', dueMs: undefined },
      concerns: [],
    });
    expect(causes(decide(signal(), memory(), without, T0 + 2 * HOUR))).toEqual(['stale']);
  });

  it('its debounce has not passed: it waits until the debounce ends, measured from when this watcher saw the turn', () => {
    const slow = rules({}, { debounceSeconds: 90 });
    expect(decide(signal(), memory(), slow, T0 + MINUTE).action).toEqual({ kind: 'wait', dueMs: T0 + 90_000 });
    expect(decide(signal(), memory(), slow, T0 + 90_000).action.kind).toBe('invoke');
  });

  it('a live session holds the turn: it waits until then', () => {
    const held = signal({ heldUntilMs: T0 + HOUR });
    expect(decide(held, memory(), rules(), T0).action).toEqual({ kind: 'wait', dueMs: T0 + HOUR });
    expect(decide(held, memory(), rules(), T0 + HOUR).action.kind).toBe('invoke');
  });

  it('an agent of the channel runs: it waits, whoever runs it', () => {
    const decision = decide(signal({ running: 'codex runs for MSG-13 since 14:00' }), memory(), rules(), T0);
    expect(decision.action).toEqual({ kind: 'wait', dueMs: undefined });
    expect(decision.reason).toBe('codex runs for MSG-13 since 14:00');
  });

  it('the record must be looked at: nobody is woken, and the defect is escalated', () => {
    const stopped = signal({ stops: [defectOf('altered', 9, 0, 0)] });
    const decision = decide(stopped, memory(), rules(), T0);
    expect(decision.action.kind).toBe('wait');
    expect(causes(decision)).toEqual(['defect']);
  });

  it('a record without its beginning is a cause of its own, since another command accepts it', () => {
    const stopped = signal({ stops: [defectOf('missing-beginning', 1, 0, 0)] });
    expect(causes(decide(stopped, memory(), rules(), T0))).toEqual(['missing-beginning']);
  });

  it('a fence that was written by hand is another: no command removes it', () => {
    const stopped = signal({ stops: [defectOf('forged-fence', 1, 0, 0)] });
    expect(causes(decide(stopped, memory(), rules(), T0))).toEqual(['forged-fence']);
  });

  it('a party asks the supervisor: escalated at once, and nobody is woken', () => {
    const decision = decide(signal({}, { asked: 14 }), memory(), rules(), T0);
    expect(decision.action).toEqual({ kind: 'wait', dueMs: undefined });
    expect(causes(decision)).toEqual(['asked']);
  });

  it('an old record in which nobody is due: escalated, and nobody is woken (format.md 6)', () => {
    expect(causes(decide(signal({}, { turn: '' }), memory(), rules(), T0))).toEqual(['nobody-due']);
  });
});

describe('after a run without a reply (DESIGN.md 7)', () => {
  it('the one retry comes retry_seconds after the run ended', () => {
    const before = memory({ attempts: [attempt()] });
    const due = T0 + MINUTE + 1800_000;
    expect(decide(signal(), before, rules(), due - 1).action).toEqual({ kind: 'wait', dueMs: due });
    expect(decide(signal(), before, rules(), due).action).toEqual({ kind: 'invoke', party: 'claude', attempt: 2 });
  });

  it('after two runs it is never run again, and a human is told why the last one failed', () => {
    const two = memory({ attempts: [attempt(), attempt({ run: 'w2', attempt: 2, detail: 'exit 3' })] });
    const decision = decide(signal(), two, rules({ staleSeconds: 1e9 }), T0 + 1000 * HOUR);
    expect(decision.action).toEqual({ kind: 'wait', dueMs: undefined });
    expect(decision.concerns).toMatchObject([
      { cause: 'no-reply', seq: 14, what: 'claude did not answer in two runs: exit 3.' },
    ]);
  });

  it('a quota that is used up is waited for and escalated (field case W9)', () => {
    const until = T0 + 5 * HOUR;
    const quota = memory({ attempts: [attempt({ outcome: 'quota', not_before_ms: until })] });
    const decision = decide(signal(), quota, rules(), T0 + HOUR);
    expect(decision.action).toEqual({ kind: 'wait', dueMs: until });
    expect(causes(decision)).toEqual(['quota']);
    expect(decide(signal(), quota, rules({ staleSeconds: 1e9 }), until).action.kind).toBe('invoke');
  });

  it('a command that could not start is escalated at once and does not count as a run', () => {
    const failed = memory({ attempts: [attempt({ outcome: 'cannot-start', detail: 'npm ci failed' })] });
    const decision = decide(signal(), failed, rules(), T0 + MINUTE);
    expect(causes(decision)).toEqual(['cannot-start']);
    const again = decide(signal(), failed, rules(), T0 + HOUR);
    expect(again.action).toMatchObject({ kind: 'invoke', attempt: 1 });
    expect(causes(again)).toEqual(['cannot-start']);
  });

  it('a run of another turn decides nothing: a supervisor who re-points grants fresh attempts', () => {
    const old = [attempt(), attempt({ run: 'w2', attempt: 2 })];
    const moved = signal({ supervisorSpokeAt: 15 }, { seq: 15, hash: 'cd'.repeat(32) });
    expect(decide(moved, memory({ attempts: old }), rules(), T0 + MINUTE).action).toMatchObject({ attempt: 1 });
  });
});

describe('what costs money is bounded', () => {
  const runs = (count: number, changes: Partial<Attempt> = {}) =>
    Array.from({ length: count }, (_, index) =>
      attempt({ run: `w${index}`, key: `${index}@0`, seq: 10, started_ms: T0 - index * MINUTE, ...changes }),
    );

  it('the budget of an hour is escalated, and frees itself', () => {
    const spent = memory({ attempts: runs(12, { thread: 'another' }) });
    const decision = decide(signal(), spent, rules(), T0);
    expect(decision.action).toEqual({ kind: 'wait', dueMs: T0 - 11 * MINUTE + HOUR });
    expect(causes(decision)).toEqual(['hour-budget']);
    expect(decide(signal(), spent, rules(), T0 - 11 * MINUTE + HOUR).action.kind).toBe('invoke');
  });

  it('the budget of a thread waits for the supervisor, whose entry grants a fresh one', () => {
    const spent = memory({ attempts: runs(6, { started_ms: T0 - 10 * HOUR }) });
    const few = rules({ maxInvocationsPerThread: 6 });
    expect(decide(signal(), spent, few, T0)).toMatchObject({ action: { kind: 'wait', dueMs: undefined } });
    expect(causes(decide(signal(), spent, few, T0))).toEqual(['budget']);
    expect(decide(signal({ supervisorSpokeAt: 14 }), spent, few, T0).action.kind).toBe('invoke');
  });

  it('a thread at its cap is escalated, and its party still woken: it may close', () => {
    const decision = decide(signal({}, { spoken: 12 }), memory(), rules(), T0);
    expect(causes(decision)).toEqual(['at-cap']);
    expect(decision.action.kind).toBe('invoke');
    expect(causes(decide(signal({}, { spoken: 12, cap: 20 }), memory(), rules(), T0))).toEqual([]);
  });
});

describe('whatever the record, the memory and the clock say', () => {
  const moments = fc.integer({ min: T0 - 3 * HOUR, max: T0 + 30 * HOUR });
  const attempts = fc.array(
    fc.record({
      attempt: fc.constantFrom(1 as const, 2 as const),
      outcome: fc.constantFrom(...OUTCOMES),
      started_ms: moments,
      ended_ms: fc.option(moments),
      not_before_ms: fc.oneof(fc.constant(0), moments),
      seq: fc.integer({ min: 10, max: 14 }),
    }),
    { maxLength: 6 },
  );
  const memories: fc.Arbitrary<Memory> = fc.record({ attempts, seen: moments }).map(({ attempts: made, seen }) =>
    memory({
      seen_ms: { [turnKey(14, HASH)]: seen },
      attempts: made.map((each, index) => attempt({ ...each, run: `w${index}`, key: turnKey(each.seq, HASH) })),
    }),
  );
  const signals: fc.Arbitrary<Signal> = fc
    .record({
      thread: fc.constantFrom('', 'retry-backoff'),
      turn: fc.constantFrom('', 'claude', 'codex', 'nobody'),
      asked: fc.constantFrom(0, 12),
      stops: fc.constantFrom([], [defectOf('gap', 3, 0, 0)]),
      running: fc.constantFrom(undefined, 'codex runs'),
      heldUntilMs: fc.oneof(fc.constant(0), moments),
      supervisorSpokeAt: fc.integer({ min: 0, max: 14 }),
      spoken: fc.integer({ min: 0, max: 14 }),
    })
    .map(({ thread, turn, asked, spoken, ...rest }) => signal(rest, { thread, turn, asked, spoken }));
  const given = fc.record({
    seen: signals,
    known: memories,
    with: fc
      .record({
        hour: fc.integer({ min: 1, max: 6 }),
        thread: fc.integer({ min: 1, max: 6 }),
        debounce: fc.integer({ min: 0, max: 600 }),
        retry: fc.integer({ min: 0, max: 3600 }),
      })
      .map(({ hour, thread, debounce, retry }) =>
        rules(
          { maxInvocationsPerHour: hour, maxInvocationsPerThread: thread },
          { debounceSeconds: debounce, retrySeconds: retry },
        ),
      ),
    now: moments,
  });
  const decided = ({ seen, known, with: held, now }: typeof given extends fc.Arbitrary<infer T> ? T : never) =>
    decide(seen, known, held, now);

  it('nobody is woken while the thread is closed, the record stopped, the supervisor asked, an agent running, or nobody due', () => {
    fc.assert(
      fc.property(given, (one) => {
        const { state, stops, running } = one.seen;
        const mustNot =
          state.thread === '' || stops.length > 0 || state.asked > 0 || running !== undefined || state.turn === '';
        if (mustNot) expect(decided(one).action.kind).not.toBe('invoke');
      }),
    );
  });

  it('only the party that is due is woken', () => {
    fc.assert(
      fc.property(given, (one) => {
        const { action } = decided(one);
        if (action.kind === 'invoke') expect(action.party).toBe(one.seen.state.turn);
      }),
    );
  });

  it('no seq is run a third time, and no run follows another before its retry wait', () => {
    fc.assert(
      fc.property(given, (one) => {
        const { action } = decided(one);
        if (action.kind !== 'invoke') return;
        const runs = one.known.attempts.filter((run) => run.key === turnKey(OPEN.seq, OPEN.hash));
        const counted = runs.filter((run) => run.outcome !== 'cannot-start');
        expect(counted.filter((run) => run.attempt === 2)).toEqual([]);
        const last = runs.at(-1);
        if (!last) return;
        const retry = one.with.partyRule(action.party)?.retrySeconds ?? 0;
        expect(one.now).toBeGreaterThanOrEqual((last.ended_ms ?? last.started_ms) + retry * 1000);
        expect(one.now).toBeGreaterThanOrEqual(last.not_before_ms);
      }),
    );
  });

  it('it is monotone in time: who may be woken now may be woken later too', () => {
    fc.assert(
      fc.property(given, fc.nat({ max: 100 * HOUR }), (one, later) => {
        if (decided(one).action.kind !== 'invoke') return;
        expect(decided({ ...one, now: one.now + later }).action).toEqual(decided(one).action);
      }),
    );
  });

  it('a wait names a moment after now, and before that moment nothing else is decided', () => {
    fc.assert(
      fc.property(given, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (one, part) => {
        const { action } = decided(one);
        if (action.kind !== 'wait' || action.dueMs === undefined) return;
        expect(action.dueMs).toBeGreaterThan(one.now);
        // A sum of this size is rounded to fractions of a millisecond, and may come to the moment itself.
        const between = Math.min(action.dueMs - 1, Math.floor(one.now + part * (action.dueMs - one.now)));
        expect(decided({ ...one, now: between }).action.kind).toBe('wait');
      }),
    );
  });
});
