import { describe, expect, it } from 'vitest';
import type { Channel } from '../../../src/protocol/channel.js';
import { type Fault, faultDisk } from './fault-disk.js';
import { killedCompaction } from './interleavings.js';
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
    const seen = new Set<string>();
    for (let k = 1; ; k++) {
      const disk = scene.disk.copy();
      const faulty = faultDisk(disk, k, fault);
      const at = () => `${k} ${faulty.hit()}`;
      try {
        compactAs(faulty.disk, scene.channel, 'first');
      } catch (error) {
        if (!faulty.dead()) expect(isTold(error), `${at()} ${error}`).toBe(true);
      }
      if (faulty.hit() === undefined) break;
      // Many calls fail before anything was changed.
      if (seen.has(disk.fingerprint())) continue;
      seen.add(disk.fingerprint());
      expect(violations(disk, scene.channel, scene.keys), at()).toEqual([]);
      const posted = disk.copy();
      expect(say(posted, reopened(posted), NEXT).seq, at()).toBe(9);
      expect(violations(posted, scene.channel, [...scene.keys, 'next']), at()).toEqual([]);
      for (const each of [disk, posted]) {
        compactAs(each, scene.channel, 'second');
        const keys = each === disk ? scene.keys : [...scene.keys, 'next'];
        expect(violations(each, scene.channel, keys), at()).toEqual([]);
        expect(
          written(each, scene.channel).map((entry) => entry.key),
          at(),
        ).toEqual(keys);
        expect(each.text(scene.channel.paths.mailbox), at()).toMatch(/^> Entries up to MSG-3 are in archive/);
      }
    }
  });

  it.each(FAULTS)('format 1, %s: nothing is lost, and a second compaction leaves every entry once', (_name, fault) => {
    const scene = oldThreads(2, 1);
    const seen = new Set<string>();
    for (let k = 1; ; k++) {
      const disk = scene.disk.copy();
      const faulty = faultDisk(disk, k, fault);
      const at = () => `${k} ${faulty.hit()}`;
      try {
        compactAs(faulty.disk, scene.channel, 'first');
      } catch (error) {
        if (!faulty.dead()) expect(isTold(error), `${at()} ${error}`).toBe(true);
      }
      if (faulty.hit() === undefined) break;
      // Many calls fail before anything was changed.
      if (seen.has(disk.fingerprint())) continue;
      seen.add(disk.fingerprint());
      expect([...new Set(written(disk, scene.channel).map((entry) => entry.key))], at()).toEqual(scene.keys);
      expect(say(disk, reopened(disk), NEXT).seq, at()).toBe(9);
      compactAs(disk, scene.channel, 'second');
      expect(
        written(disk, scene.channel).map((entry) => entry.key),
        at(),
      ).toEqual([...scene.keys, 'next']);
    }
  });
});

describe('a compaction and a power cut', () => {
  it.each([2, 1] as const)('format %i, at every call: every entry is there, and the channel goes on', (format) => {
    const scene = oldThreads(2, format);
    const seen = new Set<string>();
    for (let k = 1; ; k++) {
      const disk = scene.disk.copy();
      const faulty = faultDisk(disk, k, { kind: 'crash', when: 'before', changing: true });
      try {
        compactAs(faulty.disk, scene.channel, 'first');
      } catch {
        // Killed by the power cut.
      }
      for (const after of disk.afterPowerLoss(seen)) whole(after, scene.channel, scene.keys, `${k} ${faulty.hit()}`);
      if (faulty.hit() === undefined) break;
    }
  });

  // With a kill of the post at every call too: `npm run proof`.
  it('after a kill of the compaction, and a post that was acknowledged', () => {
    expect(killedCompaction({ postToo: false })).toEqual([]);
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
