import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { thisMachine } from '../../../src/protocol/index.js';
import { watchClock } from '../../../src/watcher/daemon/clock-watch.js';
import { watchFolder } from '../../../src/watcher/daemon/folder-watch.js';
import { endPresence, notePresence, presenceOf } from '../../../src/watcher/daemon/presence.js';
import { cronSchedules } from '../../../src/watcher/daemon/schedules.js';
import { makeSlots } from '../../../src/watcher/daemon/slots.js';
import { until } from '../scene.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'debate-daemon-'));
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

describe('max_concurrent_agents', () => {
  it('gives as many slots as it says, and tells when one is free again', () => {
    let freed = 0;
    const slots = makeSlots(
      () => 2,
      () => {
        freed += 1;
      },
    );
    const first = slots.take();
    expect(slots.take()).toBeDefined();
    expect(slots.take()).toBeUndefined();
    first?.();
    first?.();
    expect(freed).toBe(1);
    expect(slots.take()).toBeDefined();
    expect(slots.take()).toBeUndefined();
  });

  it('gives none once it is closed', () => {
    const slots = makeSlots(
      () => 2,
      () => undefined,
    );
    slots.close();
    expect(slots.take()).toBeUndefined();
  });
});

describe('the watch on a folder is a hint', () => {
  it('tells each replacement of the doorbell, and a mailbox that grew', async () => {
    let told = 0;
    const watch = watchFolder(folder, { bell: 'signal.json', others: ['CHANNEL.md'] }, () => {
      told += 1;
    });
    for (let count = 1; count <= 3; count++) {
      const before = told;
      writeFileSync(join(folder, 'x.tmp'), String(count));
      renameSync(join(folder, 'x.tmp'), join(folder, 'signal.json'));
      await until(`change ${count}`, () => told > before);
    }
    const before = told;
    writeFileSync(join(folder, 'CHANNEL.md'), 'x');
    await until('the mailbox', () => told > before);
    watch.close();
  });

  it('of a folder that does not exist yet it says nothing, and can be renewed', async () => {
    const later = join(folder, 'later');
    let told = false;
    const watch = watchFolder(later, { bell: 'signal.json', others: [] }, () => {
      told = true;
    });
    const { mkdirSync } = await import('node:fs');
    mkdirSync(later);
    watch.renew();
    writeFileSync(join(later, 'signal.json'), '{}');
    await until('the change', () => told);
    watch.close();
  });
});

describe('a jump of the wall clock (rule T11)', () => {
  it('is told once, whether forwards or backwards, and drift is none', () => {
    vi.useFakeTimers();
    let wall = 1_000_000;
    let monotonic = 0;
    let jumps = 0;
    const pass = (seconds: number) => {
      for (let count = 0; count < seconds; count++) {
        wall += 1000.5;
        monotonic += 1000;
        vi.advanceTimersByTime(1000);
      }
    };
    const end = watchClock({ wall: () => wall, monotonic: () => monotonic }, () => {
      jumps += 1;
    });
    pass(60);
    expect(jumps).toBe(0);
    wall += 3_600_000;
    pass(30);
    expect(jumps).toBe(1);
    wall -= 60_000;
    pass(30);
    expect(jumps).toBe(2);
    end();
    wall += 3_600_000;
    pass(30);
    expect(jumps).toBe(2);
  });
});

describe('the schedule', () => {
  it('is read in UTC, where no hour is skipped when clocks are set back', async () => {
    vi.useFakeTimers({ now: Date.parse('2026-10-25T00:20:30Z') });
    const due: string[] = [];
    const schedules = await cronSchedules(async (expression) => {
      due.push(`${expression} ${new Date().toISOString().slice(11, 16)}`);
    });
    schedules.set(new Set(['*/30 * * * *']));
    await vi.advanceTimersByTimeAsync(2 * 3_600_000);
    expect(due.map((each) => each.slice(-5))).toEqual(['00:30', '01:00', '01:30', '02:00']);
    schedules.set(new Set());
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(due).toHaveLength(4);
    schedules.stop();
  });

  it('never calls again while the last call is under way', async () => {
    vi.useFakeTimers({ now: Date.parse('2026-07-06T14:00:30Z') });
    let calls = 0;
    let finish: () => void = () => undefined;
    const schedules = await cronSchedules(
      () =>
        new Promise((done) => {
          calls += 1;
          finish = done;
        }),
    );
    schedules.set(new Set(['* * * * *']));
    await vi.advanceTimersByTimeAsync(5 * 60_000);
    expect(calls).toBe(1);
    finish();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calls).toBe(2);
    schedules.stop();
  });
});

describe('who drives a channel', () => {
  const state = () => join(folder, 'state.json');

  it('is written down, and taken back at the end', () => {
    notePresence(state(), thisMachine);
    expect(presenceOf(state(), thisMachine)).toMatchObject({ pid: process.pid, host: thisMachine.host });
    endPresence(state(), thisMachine);
    expect(presenceOf(state(), thisMachine)).toBeUndefined();
  });

  it('is nobody once the process is gone, its pid is another one, or the machine was restarted', () => {
    notePresence(state(), thisMachine);
    expect(presenceOf(state(), { ...thisMachine, startOf: () => undefined })).toBeUndefined();
    expect(presenceOf(state(), { ...thisMachine, startOf: () => 'another' })).toBeUndefined();
    expect(presenceOf(state(), { ...thisMachine, bootId: () => 'another' })).toBeUndefined();
  });

  it('is not taken back by another process', () => {
    notePresence(state(), thisMachine);
    endPresence(state(), { ...thisMachine, pid: process.pid + 1 });
    expect(presenceOf(state(), thisMachine)).toBeDefined();
  });
});
