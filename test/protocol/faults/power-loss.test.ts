import { describe, expect, it } from 'vitest';
import type { Channel } from '../../../src/protocol/channel.js';
import { parseDoorbell } from '../../../src/protocol/core/doorbell.js';
import type { Disk } from '../../../src/protocol/disk.js';
import { type DiskCall, type Fault, faultDisk, intercept, SYNC_CALLS } from './fault-disk.js';
import { twoWritersAndPowerLoss } from './interleavings.js';
import type { MemoryDisk } from './memory-disk.js';
import { openThread, reopened, say, violations } from './scene.js';

const MINE = { as: 'claude', key: 'mine', body: 'The retry is bounded now.' } as const;

/** What a power cut at each call of a post can leave, and what is wrong with it. */
function cutAtEveryCall(
  scene: { readonly disk: MemoryDisk; readonly channel: Channel },
  who: string,
  through: (disk: Disk) => Disk,
): readonly string[] {
  const found: string[] = [];
  const seen = { told: new Set<string>(), untold: new Set<string>() };
  for (let k = 1; ; k++) {
    const disk = scene.disk.copy();
    const faulty = faultDisk(through(disk), k, { kind: 'crash', when: 'before', changing: true });
    let told = false;
    try {
      told = say(faulty.disk, scene.channel, MINE, who).seq === 3 && !faulty.dead();
    } catch {
      // Killed by the power cut.
    }
    for (const after of disk.afterPowerLoss(told ? seen.told : seen.untold))
      found.push(...aftermath(after, told).map((what) => `call ${k}: ${what}`));
    if (faulty.hit() === undefined) return found;
  }
}

/** The invariants after a power cut, and after the same party's retry. */
function aftermath(after: MemoryDisk, told: boolean): readonly string[] {
  const channel = reopened(after);
  const found = [...violations(after, channel, told ? ['a1', 'a2', 'mine'] : ['a1', 'a2'], ['mine'])];
  // Who polls only the doorbell must not miss a turn that was acknowledged, nor find half a doorbell.
  const bell = parseDoorbell(after.text(channel.paths.doorbell) ?? '').doorbell;
  if (!bell) found.push('the doorbell is torn');
  if (told && bell?.seq !== 3) found.push(`the doorbell of the acknowledged MSG-3 says ${bell?.seq}`);
  if (found.length > 0) return found;
  say(after, channel, MINE, 'after the power cut');
  return violations(after, channel, ['a1', 'a2', 'mine']);
}

/** A disk whose i-th sync of a process says that it is done and does nothing. */
function lyingAt(i: number): (disk: Disk) => Disk {
  return (disk) => {
    let count = 0;
    return intercept(disk, (call, go) => {
      if (!(SYNC_CALLS as readonly DiskCall[]).includes(call)) return go();
      count += 1;
      return count === i ? undefined : go();
    });
  };
}

const honest = (disk: Disk) => disk;

describe('a power cut (DESIGN.md 6: a disk that forgets every subset of what was not synced)', () => {
  it('at every call of a post: what was acknowledged is there, and the doorbell announces nothing else', () => {
    expect(cutAtEveryCall(openThread(), 'mine', honest)).toEqual([]);
  });

  it('after a kill at every call and a retry, at every call of the retry', () => {
    const { disk: before, channel } = openThread();
    const kills: Fault[] = [
      { kind: 'crash', when: 'behind', changing: true },
      { kind: 'crash', when: 'within' },
    ];
    for (const kill of kills)
      for (let k = 1; ; k++) {
        const disk = before.copy();
        const faulty = faultDisk(disk, k, kill);
        try {
          say(faulty.disk, channel, MINE);
        } catch {
          // Killed; the machine goes on.
        }
        if (faulty.hit() === undefined) break;
        expect(cutAtEveryCall({ disk, channel }, 'the retry', honest), `killed at ${k} ${faulty.hit()}`).toEqual([]);
      }
  });

  it('while two writers stand still in their posts: nobody has rung what may be lost', () => {
    expect(twoWritersAndPowerLoss({ every: 2 })).toEqual([]);
  });

  it.each([
    [1, 'the mailbox', 'the acknowledged mine counts 0 times'],
    [2, 'the doorbell', 'the doorbell is torn'],
    [3, 'the folder', 'the doorbell of the acknowledged MSG-3 says 2'],
  ])('is noticed here when sync %i of a post, %s, is left out', (i, _what, wrong) => {
    expect(cutAtEveryCall(openThread(), 'mine', lyingAt(i)).join('\n')).toContain(wrong);
  });
});
