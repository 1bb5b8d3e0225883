import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { fileLock } from '../../src/protocol/lock.js';
import { type Machine, thisMachine } from '../../src/protocol/machine.js';

const folder = mkdtempSync(join(tmpdir(), 'debate-lock-'));
const place = {
  config: join(folder, 'debate.json'),
  lock: join(folder, 'lock'),
  lockOwner: join(folder, 'lock.owner'),
};
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Takes the lock as process `pid` does, or writes only its note: the same folder, as if its inode were used again. */
function taken(pid: number): void {
  mkdirSync(place.lock, { recursive: true });
  const { ino, ctimeMs } = statSync(place.lock);
  const note = { pid, started: '1', boot: thisMachine.bootId(), host: thisMachine.host, lock: `${ino}:${ctimeMs}` };
  writeFileSync(place.lockOwner, JSON.stringify(note));
}

function machine(over: Partial<Machine>): Machine {
  return Object.assign(Object.create(thisMachine), over);
}

it('a dead holder gives its lock up at once', () => {
  taken(7);
  let slept = 0;
  const startOf = (pid: number) => (pid === 7 ? undefined : '2');
  const lock = fileLock(machine({ startOf, sleepMs: () => void slept++ }));
  expect(lock.hold(place, () => 'had')).toBe('had');
  expect(slept).toBeLessThanOrEqual(1);
});

it('a holder that released its lock and ended while another took it costs the other nothing', () => {
  taken(7);
  let isFreed = false;
  const lock = fileLock(
    machine({
      // Between the look at the note and the look at the process, 7 releases and ends, and 8 takes the lock.
      startOf: (pid) => {
        if (pid !== 7) return '1';
        unlinkSync(place.lockOwner);
        taken(8);
        return undefined;
      },
      sleepMs: () => {
        if (isFreed) return;
        expect(existsSync(place.lock)).toBe(true);
        unlinkSync(place.lockOwner);
        rmdirSync(place.lock);
        isFreed = true;
      },
    }),
  );
  expect(lock.hold(place, () => isFreed)).toBe(true);
});

it('a lock without a note that is dated in the future is given up after the stale time: a clock was set back', () => {
  mkdirSync(place.lock, { recursive: true });
  const later = new Date(Date.now() + 3_600_000);
  utimesSync(place.lock, later, later);
  let passed = 0;
  const waiting = machine({
    monotonicMs: () => passed,
    sleepMs: (ms) => {
      passed += ms;
    },
  });
  expect(fileLock(waiting).hold(place, () => 'had')).toBe('had');
  expect(passed).toBeGreaterThan(10_000);
});
