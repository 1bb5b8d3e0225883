import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../src/protocol/core/refusal.js';
import { type Fault, faultDisk } from './fault-disk.js';
import { MemoryDisk } from './memory-disk.js';
import { makeChannel, ROOT, reopened, say, violations } from './scene.js';

const FAULTS: readonly (readonly [string, Fault])[] = [
  ['the process dies before a call', { kind: 'crash', when: 'before' }],
  ['the process dies within a write', { kind: 'crash', when: 'within' }],
  ['a write is short', { kind: 'short' }],
  ['a sync fails', { kind: 'sync' }],
  ['EIO once', { kind: 'error', code: 'EIO', lasting: false }],
  ['ENOSPC from then on', { kind: 'error', code: 'ENOSPC', lasting: true }],
  ['EROFS from then on', { kind: 'error', code: 'EROFS', lasting: true }],
];

/** What is wrong with a channel that `init` was about to make: it is whole, or it can be made now. */
function usable(disk: MemoryDisk): readonly string[] {
  const isThere = disk.info(`${ROOT}/debate.json`) !== undefined;
  const channel = isThere ? reopened(disk) : makeChannel(disk, 2, 'again');
  say(disk, channel, { as: 'claude', thread: 't', key: 'first' });
  return violations(disk, channel, ['first']);
}

describe('init under faults (DESIGN.md 4.4)', () => {
  it.each(FAULTS)('%s: the channel is whole, or can be made again', (_name, fault) => {
    for (let k = 1; ; k++) {
      const disk = new MemoryDisk();
      const faulty = faultDisk(disk, k, fault);
      try {
        makeChannel(faulty.disk, 2, 'init');
      } catch (error) {
        if (!faulty.dead()) expect(error, `${k} ${faulty.hit()}`).toBeInstanceOf(Refusal);
      }
      if (faulty.hit() === undefined) break;
      expect(usable(disk), `${k} ${faulty.hit()}`).toEqual([]);
    }
  });

  it.each([
    ['an empty folder', false],
    ['a folder whose git files say all already', true],
  ])('a power cut at every call, in %s: the channel is whole, or can be made again', (_name, gitignore) => {
    const seen = new Set<string>();
    const before = new MemoryDisk();
    makeChannel(before, 2, 'another');
    for (const name of before.list(ROOT)) if (!gitignore || !name.startsWith('.git')) before.remove(`${ROOT}/${name}`);
    for (let k = 1; ; k++) {
      const disk = before.settled();
      const faulty = faultDisk(disk, k, { kind: 'crash', when: 'before', changing: true });
      try {
        makeChannel(faulty.disk, 2, 'init');
      } catch {
        // Killed by the power cut.
      }
      for (const after of disk.afterPowerLoss(seen)) expect(usable(after), `${k} ${faulty.hit()}`).toEqual([]);
      if (faulty.hit() === undefined) break;
    }
  });

  it('a power cut after a post in a new channel: the post is there', () => {
    const disk = new MemoryDisk();
    const channel = makeChannel(disk, 2, 'init');
    say(disk, channel, { as: 'claude', thread: 't', key: 'first' });
    for (const after of disk.afterPowerLoss()) expect(violations(after, reopened(after), ['first'])).toEqual([]);
  });

  it('a second init changes nothing, nor does one over a mailbox that holds entries', () => {
    const disk = new MemoryDisk();
    const channel = makeChannel(disk, 2, 'init');
    expect(() => makeChannel(disk, 2, 'again')).toThrow(/There is a channel/);
    say(disk, channel, { as: 'claude', thread: 't', key: 'first' });
    disk.remove(channel.paths.config);
    expect(() => makeChannel(disk, 2, 'again')).toThrow(/There is a record/);
  });
});
