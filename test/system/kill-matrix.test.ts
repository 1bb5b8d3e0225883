import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { nodeDisk } from '../../src/protocol/node-disk.js';
import { compactDeed, postDeed } from '../protocol/faults/deeds.js';
import { debate, letLockAge, postArguments, removeChannel } from '../protocol/faults/processes.js';
import { isRung, violations } from '../protocol/faults/scene.js';
import { CHANGING_CALLS, killAt, needStrace, pointsOf, stoppedAt } from '../protocol/faults/strace.js';

beforeAll(needStrace);

describe('the built command, killed for real (field cases L1 and L6)', () => {
  it.each([
    ['post', postDeed, CHANGING_CALLS, 9],
    // Its many writes to files that nobody knows yet are killed one by one in `npm run proof`.
    ['compact', compactDeed, CHANGING_CALLS.filter((call) => call !== 'write'), 20],
  ])(
    '%s, at the system calls that change the disk: before or after, and the retry is told the truth',
    (_name, make, calls, least) => {
      const deed = make();
      const points = pointsOf(deed, calls);
      expect(points.length).toBeGreaterThan(least);
      expect(points.flatMap((point) => killAt(deed, point))).toEqual([]);
      removeChannel(deed);
    },
  );
});

describe('the built command, stopped for longer than its lock lives (field case L2)', () => {
  it.each(['write', 'fdatasync', 'rename', 'rmdir'])(
    'at its %s: one entry per number, and the late one is told',
    async (call) => {
      const deed = postDeed();
      const { channel, keys } = deed;
      const inside = pointsOf(deed, [call]);
      // The lock's own note is written first, the entry second.
      const point = call === 'write' ? inside[1] : inside[0];
      if (!point) throw new Error(`no ${call}`);
      const late = stoppedAt(postArguments(channel, 'claude', 'late', 'too late'), point);
      const ended = new Promise<number | null>((resolve) => late.on('close', resolve));
      let told = '';
      late.stdout?.on('data', (data) => {
        told += String(data);
      });
      while (!existsSync(channel.paths.lockOwner) && call !== 'rmdir') await wait(20);
      const pid = await stoppedPid(channel.paths.lockOwner, call === 'rmdir' ? late.pid : undefined);
      letLockAge(channel, true);
      const isRecorded = readFileSync(channel.paths.mailbox, 'utf8').includes('key:late');
      const other = debate(postArguments(channel, isRecorded ? 'codex' : 'claude', 'other', 'in time'));
      expect(other.code).toBe(0);
      process.kill(pid, 'SIGCONT');
      await ended;
      expect(told).toMatch(isRecorded ? /^posted MSG-3 / : /^$/);
      expect(violations(nodeDisk, channel, [...keys, 'other', ...(isRecorded ? ['late'] : [])])).toEqual([]);
      expect(isRung(nodeDisk, channel)).toBe(true);
      removeChannel(deed);
    },
  );
});

/** Waits until the traced process stands still, and returns its id. */
async function stoppedPid(owner: string, tracer: number | undefined): Promise<number> {
  for (;;) {
    const pid = tracer === undefined ? ownerPid(owner) : childOf(tracer);
    if (pid !== undefined && /^State:\s+[Tt]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))) {
      // A tracer stops a process for a moment at every call: it must stand still twice.
      await wait(300);
      if (/^State:\s+[Tt]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))) return pid;
    }
    await wait(20);
  }
}

function ownerPid(owner: string): number | undefined {
  return existsSync(owner) ? (JSON.parse(readFileSync(owner, 'utf8')) as { pid: number }).pid : undefined;
}

function childOf(pid: number): number | undefined {
  const found = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' }).stdout.trim();
  return found === '' ? undefined : Number(found.split('\n')[0]);
}
