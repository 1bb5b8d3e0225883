import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Here, parseAgent } from '../../../src/process/claimant.js';
import {
  type Claim,
  type ClaimContent,
  type ClaimName,
  claimFileName,
  judgeClaim,
  liveClaims,
  nextAttempt,
  parseClaimContent,
  parseClaimFileName,
} from '../../../src/watcher/run/claim.js';

const minutes = 60_000;
const start = Date.UTC(2026, 6, 6, 14);
const content: ClaimContent = {
  run_id: 'run-1',
  party: 'glm',
  host: 'workshop',
  boot_id: 'boot-1',
  pid_namespace: 'pid:[1]',
  pid: 500,
  start_time: '777',
  claimed_at: new Date(start).toISOString(),
  deadline_at: new Date(start + 30 * minutes).toISOString(),
  deadline_monotonic_ms: 40 * minutes,
  grace_seconds: 10,
};
const claimant = { pid: 500, ppid: 1, pgid: 500, startTime: '777', alive: true };
const here: Here = { host: 'workshop', bootId: 'boot-1', pidNamespace: 'pid:[1]', processes: [claimant] };
const now = { wall: start, monotonic: 10 * minutes };
const name: ClaimName = { seq: 14, hash: '0123456789abcdef', attempt: 1 };

function claim(changes: Partial<Claim> = {}): Claim {
  return { name, content, modifiedAt: start, outcome: undefined, agent: undefined, ...changes };
}

describe('a claim (format.md 6)', () => {
  it('is live while its claimant lives, and done once it is finished, whatever else holds', () => {
    expect(judgeClaim(claim(), here, now)).toBe('live');
    expect(judgeClaim(claim({ outcome: 'exited' }), here, now)).toBe('done');
  });

  it('is dead when the claimant is gone, is a zombie, or its pid is another process by now', () => {
    for (const processes of [[], [{ ...claimant, alive: false }], [{ ...claimant, startTime: '888' }]]) {
      expect(judgeClaim(claim(), { ...here, processes }, now)).toBe('dead');
    }
  });

  it('of another boot of this host is dead, whatever has its pid now', () => {
    expect(judgeClaim(claim(), { ...here, bootId: 'boot-2' }, now)).toBe('dead');
  });

  it('of a live claimant is overdue only two graces after its deadline', () => {
    const at = (ms: number) => judgeClaim(claim(), here, { wall: start, monotonic: 40 * minutes + ms });
    expect([at(0), at(20_000), at(20_001)]).toEqual(['live', 'live', 'overdue']);
  });

  it('of another pid namespace of this boot is judged by its deadline and one grace alone', () => {
    const elsewhere: Here = { ...here, pidNamespace: 'pid:[2]', processes: [] };
    const at = (ms: number) => judgeClaim(claim(), elsewhere, { wall: start, monotonic: 40 * minutes + ms });
    expect([at(0), at(10_000), at(10_001)]).toEqual(['live', 'live', 'dead']);
  });

  it('of another host is judged by its deadline and one grace, by the clock on the wall', () => {
    const elsewhere: Here = { ...here, host: 'laptop', bootId: 'boot-9', processes: [] };
    const at = (ms: number) => judgeClaim(claim(), elsewhere, { wall: start + 30 * minutes + ms, monotonic: 0 });
    expect([at(0), at(10_000), at(10_001)]).toEqual(['live', 'live', 'dead']);
  });

  it('is aged neither by a machine that slept nor by a clock that was set (T11)', () => {
    for (const wall of [0, start + 1e12]) expect(judgeClaim(claim(), here, { ...now, wall })).toBe('live');
  });

  it('that cannot be read is taken for one that is being written, for a minute', () => {
    const torn = claim({ content: undefined });
    const at = (ms: number) => judgeClaim(torn, here, { ...now, wall: start + ms });
    expect([at(0), at(59_000), at(60_000), at(-3600_000)]).toEqual(['live', 'live', 'dead', 'dead']);
  });

  it('excludes others while it is live, but not its own holder', () => {
    const other = claim({ name: { ...name, seq: 15 } });
    expect(liveClaims([claim(), other, claim({ outcome: 'x' })], here, now, name)).toEqual([other]);
    expect(liveClaims([claim(), other], here, now)).toHaveLength(2);
  });

  it('is read back from what was written, and from anything else without an exception', () => {
    expect(parseClaimContent(JSON.stringify(content))).toEqual(content);
    expect(parseClaimContent(JSON.stringify({ ...content, pid: '500' }))).toBeUndefined();
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(parseClaimContent(text)).toBeUndefined();
      }),
    );
  });
});

describe('the name of a claim', () => {
  const names = fc.record({
    seq: fc.integer({ min: 0, max: 1e12 }),
    hash: fc.stringMatching(/^[0-9a-f]{16}$/),
    attempt: fc.constantFrom<1 | 2>(1, 2),
  });

  it('says what for and which attempt, and is read back', () => {
    fc.assert(
      fc.property(names, (one) => {
        expect(parseClaimFileName(claimFileName(one))).toEqual(one);
      }),
    );
  });

  it('is the only file name that is read as a claim: not its siblings, not another spelling', () => {
    for (const text of ['14@0123456789abcdef-1.done', '14@0123456789abcdef-1.pid', '14@0123456789abcdef-3']) {
      expect(parseClaimFileName(text)).toBeUndefined();
    }
    fc.assert(
      fc.property(fc.string(), (text) => {
        const read = parseClaimFileName(text);
        expect(read === undefined || claimFileName(read) === text).toBe(true);
      }),
    );
    expect(parseClaimFileName('014@0123456789abcdef-1')).toBeUndefined();
  });
});

describe('the next attempt', () => {
  it('is one more than folder or memory know, and there is no third, whichever of them was lost', () => {
    const attempts = fc.uniqueArray(fc.constantFrom<1 | 2>(1, 2));
    fc.assert(
      fc.property(attempts, fc.integer({ min: 0, max: 3 }), (made, remembered) => {
        const claims = made.map((attempt) => claim({ name: { ...name, attempt } }));
        const used = Math.max(remembered, 0, ...made);
        expect(nextAttempt(claims, name, remembered)).toBe(used >= 2 ? undefined : used + 1);
      }),
    );
  });

  it('counts for one entry only: another number, or the same number with another text, is fresh', () => {
    const used = [claim(), claim({ name: { ...name, attempt: 2 } })];
    expect(nextAttempt(used, { ...name, seq: 15 }, 0)).toBe(1);
    expect(nextAttempt(used, { ...name, hash: 'fedcba9876543210' }, 0)).toBe(1);
  });
});

it('what the shim wrote names the agent, as /proc or as ps describes it', () => {
  expect(parseAgent('42 42 (sh) R 1 42 42 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 9001 0\n')).toEqual({
    pid: 42,
    startTime: '9001',
  });
  expect(parseAgent('42 Mon Mar  2 09:05:01 2026\n')).toEqual({ pid: 42, startTime: 'Mon Mar 2 09:05:01 2026' });
  expect(parseAgent('42 \n')).toEqual({ pid: 42, startTime: undefined });
  expect(parseAgent('')).toBeUndefined();
});
