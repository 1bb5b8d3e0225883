import { describe, expect, it } from 'vitest';
import type { Channel } from '../../../src/protocol/channel.js';
import { type Fault, faultDisk } from './fault-disk.js';
import type { MemoryDisk } from './memory-disk.js';
import { compactAs, isTold, oldThreads, reopened, say, violations, written } from './scene.js';

const FAULTS: readonly (readonly [string, Fault])[] = [
  ['the process dies behind a call', { kind: 'crash', when: 'behind', changing: true }],
  ['the process dies within a write', { kind: 'crash', when: 'within' }],
  ['a write is short', { kind: 'short' }],
  ['a sync fails', { kind: 'sync' }],
  ...['EIO', 'ENOSPC', 'EROFS', 'EACCES'].flatMap((code): (readonly [string, Fault])[] => [
    [`${code} once`, { kind: 'error', code, lasting: false }],
    [`${code} from then on`, { kind: 'error', code, lasting: true }],
  ]),
];

const NEXT = { as: 'claude', key: 'next', body: 'after the compaction' } as const;

describe('a compaction under faults (format.md 5, field case L6)', () => {
  it.each(FAULTS)('%s: every entry exactly once, by the next writer or a second compaction', (_name, fault) => {
    const scene = oldThreads(2);
    for (let k = 1; ; k++) {
      const disk = scene.disk.copy();
      const faulty = faultDisk(disk, k, fault);
      const at = () => `${k} ${faulty.hit()}`;
      try {
        compactAs(faulty.disk, scene.channel, 'first');
      } catch (error) {
        if (!faulty.dead()) expect(isTold(error), `${at()} ${error}`).toBe(true);
      }
      expect(violations(disk, scene.channel, scene.keys), at()).toEqual([]);
      const posted = disk.copy();
      expect(say(posted, reopened(posted), NEXT).seq, at()).toBe(9);
      expect(violations(posted, scene.channel, [...scene.keys, 'next']), at()).toEqual([]);
      for (const each of [disk, posted]) {
        compactAs(each, scene.channel, 'second');
        compactAs(each, scene.channel, 'third');
        const keys = each === disk ? scene.keys : [...scene.keys, 'next'];
        expect(violations(each, scene.channel, keys), at()).toEqual([]);
        expect(
          written(each, scene.channel).map((entry) => entry.key),
          at(),
        ).toEqual(keys);
        expect(each.text(scene.channel.paths.mailbox), at()).toMatch(/^> Entries up to MSG-3 are in archive/);
      }
      if (faulty.hit() === undefined) break;
    }
  });

  it.each(FAULTS)('format 1, %s: nothing is lost, and a second compaction leaves every entry once', (_name, fault) => {
    const scene = oldThreads(2, 1);
    for (let k = 1; ; k++) {
      const disk = scene.disk.copy();
      const faulty = faultDisk(disk, k, fault);
      const at = () => `${k} ${faulty.hit()}`;
      try {
        compactAs(faulty.disk, scene.channel, 'first');
      } catch (error) {
        if (!faulty.dead()) expect(isTold(error), `${at()} ${error}`).toBe(true);
      }
      expect([...new Set(written(disk, scene.channel).map((entry) => entry.key))], at()).toEqual(scene.keys);
      expect(say(disk, reopened(disk), NEXT).seq, at()).toBe(9);
      compactAs(disk, scene.channel, 'second');
      expect(
        written(disk, scene.channel).map((entry) => entry.key),
        at(),
      ).toEqual([...scene.keys, 'next']);
      if (faulty.hit() === undefined) break;
    }
  });
});

describe('a compaction and a power cut', () => {
  it.each([2, 1] as const)('format %i, at every call: every entry is there, and the channel goes on', (format) => {
    const scene = oldThreads(2, format);
    for (let k = 1; ; k++) {
      const disk = scene.disk.copy();
      const faulty = faultDisk(disk, k, { kind: 'crash', when: 'before', changing: true });
      try {
        compactAs(faulty.disk, scene.channel, 'first');
      } catch {
        // Killed by the power cut.
      }
      for (const after of disk.afterPowerLoss()) whole(after, scene.channel, scene.keys, `${k} ${faulty.hit()}`);
      if (faulty.hit() === undefined) break;
    }
  });

  it('after a kill of the compaction, and a post that was acknowledged', () => {
    const scene = oldThreads(2);
    const found: string[] = [];
    for (let k = 1; ; k++) {
      const disk = scene.disk.copy();
      const faulty = faultDisk(disk, k, { kind: 'crash', when: 'behind', changing: true });
      try {
        compactAs(faulty.disk, scene.channel, 'first');
      } catch {
        // Killed; the machine goes on.
      }
      for (let j = 1; ; j++) {
        const after = disk.copy();
        const second = faultDisk(after, j, { kind: 'crash', when: 'behind', changing: true });
        try {
          say(second.disk, scene.channel, NEXT);
        } catch {
          // Killed as well.
        }
        // The retry answers "already" where the post was recorded; then comes the power cut.
        say(after, scene.channel, NEXT, 'the retry');
        for (const left of after.afterPowerLoss())
          found.push(
            ...violations(left, reopened(left), [...scene.keys, 'next']).map(
              (what) => `${k} ${faulty.hit()}, ${j}: ${what}`,
            ),
          );
        if (second.hit() === undefined) break;
      }
      if (faulty.hit() === undefined) break;
    }
    expect(found).toEqual([]);
  });
});

function whole(disk: MemoryDisk, channel: Channel, keys: readonly string[], at: string): void {
  if (channel.config.format === 2) expect(violations(disk, channel, keys), at).toEqual([]);
  expect([...new Set(written(disk, channel).map((entry) => entry.key))].length, at).toBeGreaterThanOrEqual(
    disk.info(channel.paths.mailbox) ? keys.length : 0,
  );
  expect(say(disk, channel, NEXT).seq, at).toBe(9);
  if (channel.config.format === 2) expect(violations(disk, channel, [...keys, 'next']), at).toEqual([]);
  compactAs(disk, channel, 'second');
  expect(
    written(disk, channel).map((entry) => entry.key),
    at,
  ).toEqual([...keys, 'next']);
}
