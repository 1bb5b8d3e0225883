import { describe, expect, it } from 'vitest';
import type { Claim } from '../../../src/watcher/run/claim.js';
import { type AdoptedWhere, adoptClaims, WITHDRAWN } from '../../../src/watcher/tick/adopt-claims.js';
import { attempt, HASH, memory, OPEN, T0 } from '../states.js';

function claim(changes: Partial<Claim> & { readonly run?: string; readonly number?: 1 | 2 } = {}): Claim {
  const { run = 'w7', number = 1, ...rest } = changes;
  return {
    name: { seq: OPEN.seq, hash: HASH.slice(0, 16), attempt: number },
    content: {
      run_id: run,
      party: 'claude',
      host: 'h',
      boot_id: null,
      pid_namespace: null,
      pid: 1,
      start_time: null,
      claimed_at: new Date(T0).toISOString(),
      deadline_at: new Date(T0).toISOString(),
      deadline_monotonic_ms: 0,
      grace_seconds: 1,
    },
    modifiedAt: T0,
    outcome: undefined,
    agent: undefined,
    ...rest,
  };
}

const where = (changes: Partial<AdoptedWhere> = {}): AdoptedWhere => ({
  turn: OPEN,
  hasReplied: () => false,
  nowMs: T0 + 60_000,
  ...changes,
});

describe('attempts are the larger of memory and claims (format.md 6)', () => {
  it('a run of another watcher becomes one of ours, and its retry is measured from our own clock', () => {
    const after = adoptClaims(memory(), [claim({ outcome: 'no-reply' })], where());
    expect(after.attempts).toMatchObject([
      { run: 'w7', attempt: 1, party: 'claude', outcome: 'no-reply', ended_ms: T0 + 60_000 },
    ]);
    expect(adoptClaims(after, [claim({ outcome: 'no-reply' })], where({ nowMs: T0 + 120_000 }))).toEqual(after);
  });

  it('both runs that a lost memory had are known again', () => {
    const claims = [claim({ outcome: 'failed' }), claim({ run: 'w8', number: 2, outcome: 'timed-out' })];
    expect(adoptClaims(memory(), claims, where()).attempts.map((run) => run.attempt)).toEqual([1, 2]);
  });

  it('a run that goes on is known as running', () => {
    expect(adoptClaims(memory(), [claim()], where()).attempts).toMatchObject([{ outcome: 'running', ended_ms: null }]);
  });

  it('a run that its watcher did not see end is judged by the record', () => {
    const running = memory({ attempts: [attempt({ run: 'w7', outcome: 'running', ended_ms: null })] });
    const taken = [claim({ outcome: 'taken over' })];
    expect(adoptClaims(running, taken, where()).attempts).toMatchObject([{ outcome: 'failed', ended_ms: T0 + 60_000 }]);
    expect(adoptClaims(running, taken, where({ hasReplied: () => true })).attempts).toMatchObject([
      { outcome: 'replied' },
    ]);
  });

  it('a claim that was withdrawn started nothing, and one of another turn says nothing', () => {
    const other = claim({ name: { seq: 14, hash: 'cd'.repeat(8), attempt: 1 }, outcome: 'failed' });
    expect(adoptClaims(memory(), [claim({ outcome: WITHDRAWN }), other], where()).attempts).toEqual([]);
  });

  it('a claim that cannot be read counts as a run', () => {
    const torn = claim({ content: undefined, outcome: 'taken over' });
    expect(adoptClaims(memory(), [torn], where()).attempts).toMatchObject([{ attempt: 1, outcome: 'failed' }]);
  });
});
