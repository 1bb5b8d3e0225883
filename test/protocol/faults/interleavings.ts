import type { Channel } from '../../../src/protocol/channel.js';
import type { Disk } from '../../../src/protocol/disk.js';
import type { PostResult } from '../../../src/protocol/post.js';
import { actor, type Ending, pausesOf } from './actors.js';
import { type Fault, faultDisk } from './fault-disk.js';
import type { MemoryDisk } from './memory-disk.js';
import {
  compactAs,
  isRung,
  isTold,
  oldThreads,
  openThread,
  reopened,
  say,
  violations,
  type Words,
  wholeThread,
  written,
} from './scene.js';

/** Which of the places to pause at are tried: all, or one of `every`. */
export interface Depth {
  readonly every: number;
  readonly from?: number;
}

const ONE: Words = { as: 'claude', key: 'one', body: 'first thought' };
const TWO: Words = { as: 'claude', key: 'two', body: 'second thought' };
const NEXT: Words = { as: 'claude', key: 'next', body: 'after the compaction' };

function pick(pauses: readonly number[], { every, from = 0 }: Depth): readonly number[] {
  return pauses.filter((_, i) => i % every === from % every);
}

/** Calls `work`, and says how it ended. */
export function attempt<T>(work: () => T): Ending<T> {
  try {
    return { kind: 'answered', answer: work() };
  } catch (error) {
    return { kind: 'failed', error };
  }
}

function keyIf(ending: Ending<unknown>, key: string): readonly string[] {
  return ending.kind === 'answered' ? [key] : [];
}

function untold(ending: Ending<unknown>): readonly string[] {
  return ending.kind === 'failed' && !isTold(ending.error) ? [`not told in a sentence: ${ending.error}`] : [];
}

/** Two posts by the same party, both suspended once, at every pair of places. Returns what is wrong. */
export function twoWriters(depth: Depth): readonly string[] {
  const { disk: before, channel } = openThread();
  const pauses = pausesOf(before.copy(), (disk) => say(disk, channel, ONE));
  const wrong: string[] = [];
  for (const i of pick(pauses, depth))
    for (const j of pauses) {
      const disk = before.copy();
      const a = actor<PostResult>(disk, (own) => say(own, channel, ONE));
      const b = actor<PostResult>(disk, (own) => say(own, channel, TWO));
      a.advance(i);
      b.advance(j);
      const endings = [a.finish(), b.finish()] as const;
      const told = [...keyIf(endings[0], 'one'), ...keyIf(endings[1], 'two')];
      const found = [...violations(disk, channel, ['a1', 'a2', ...told]), ...endings.flatMap(untold)];
      if (told.length !== 1) found.push(`acknowledged: ${told.join() || 'nobody'}`);
      if (!isRung(disk, channel)) found.push('the doorbell was not rung');
      wrong.push(...found.map((what) => `${i} ${j}: ${what}`));
    }
  return wrong;
}

/** Posts of both parties that stand still when the power goes. */
export function twoWritersAndPowerLoss(depth: Depth): readonly string[] {
  const { disk: before, channel } = openThread();
  const mine = pausesOf(before.copy(), (disk) => say(disk, channel, ONE));
  const wrong: string[] = [];
  for (const i of pick(mine, depth))
    for (const j of mine) {
      const disk = before.copy();
      const a = actor(disk, (own) => say(own, channel, ONE));
      const b = actor(disk, (own) => say(own, channel, { as: 'codex', key: 'other', body: 'and another' }));
      a.advance(i);
      b.advance(j);
      const told = ['a1', 'a2', ...keyIf(a.finish(), 'one')];
      for (const after of disk.afterPowerLoss())
        wrong.push(...violations(after, channel, told, ['other']).map((what) => `${i} ${j}: ${what}`));
    }
  return wrong;
}

/** Two compactions, both suspended, and a post that comes between; then both go on. */
export function twoCompactions(depth: Depth): readonly string[] {
  const { disk: before, channel, keys } = oldThreads(2);
  const pauses = pausesOf(before.copy(), (disk) => compactAs(disk, channel, 'a'));
  const wrong: string[] = [];
  for (const i of pick(pauses, depth))
    for (const j of pick(pauses, { ...depth, from: i })) {
      const disk = before.copy();
      const a = actor(disk, (own) => compactAs(own, channel, 'a'));
      const b = actor(disk, (own) => compactAs(own, channel, 'b'));
      a.advance(i);
      b.advance(j);
      const post = attempt(() => say(disk, channel, NEXT));
      const endings = [a.finish(), b.finish(), post];
      const found = [...violations(disk, channel, [...keys, ...keyIf(post, 'next')]), ...endings.flatMap(untold)];
      wrong.push(...found.map((what) => `${i} ${j}: ${what}`));
    }
  return wrong;
}

/** A compaction that is suspended while a whole later one passes, and goes on then. */
export function lateCompaction(depth: Depth): readonly string[] {
  const scene = oldThreads(2);
  const { channel } = scene;
  const pauses = pausesOf(scene.disk.copy(), (disk) => compactAs(disk, channel, 'late'));
  return pick(pauses, depth).flatMap((i) => {
    const disk = scene.disk.copy();
    const late = actor(disk, (own) => compactAs(own, channel, 'late'));
    late.advance(i);
    compactAs(disk, channel, 'second');
    say(disk, channel, { as: 'claude', type: 'close', key: 'now-3' });
    const keys = [...scene.keys, 'now-3', ...wholeThread(disk, channel, 't9', 'more', '2026-12-01T00:00:00Z')];
    compactAs(disk, channel, 'third', '2026-12-20T00:00:00Z');
    const found = [...untold(late.finish()), ...violations(disk, channel, keys)];
    keys.push(...wholeThread(disk, channel, 't10', 'yet', '2026-12-21T00:00:00Z'));
    compactAs(disk, channel, 'fourth', '2027-01-20T00:00:00Z');
    compactAs(disk, channel, 'fifth', '2027-02-20T00:00:00Z');
    found.push(...violations(disk, channel, keys), ...notEachOnce(disk, channel, keys));
    return found.map((what) => `${i}: ${what}`);
  });
}

/** A post that is suspended while the record is compacted, or a compaction while a party posts. */
export function postAndCompaction(depth: Depth): readonly string[] {
  const { disk: before, channel, keys } = oldThreads(2);
  const deeds = {
    post: (disk: Disk) => say(disk, channel, NEXT),
    compaction: (disk: Disk) => compactAs(disk, channel, 'c'),
  };
  const wrong: string[] = [];
  for (const [paused, other] of [
    ['post', 'compaction'],
    ['compaction', 'post'],
  ] as const)
    for (const i of pick(pausesOf(before.copy(), deeds[paused]), depth)) {
      const disk = before.copy();
      const late = actor<unknown>(disk, deeds[paused]);
      late.advance(i);
      const endings = { [other]: attempt<unknown>(() => deeds[other](disk)), [paused]: late.finish() };
      const told = endings.post ? keyIf(endings.post, 'next') : [];
      const found = [...violations(disk, channel, [...keys, ...told]), ...Object.values(endings).flatMap(untold)];
      say(disk, channel, NEXT, 'the retry');
      found.push(...violations(disk, channel, [...keys, 'next']));
      wrong.push(...found.map((what) => `${paused} at ${i}: ${what}`));
    }
  return wrong;
}

/** A compaction that is killed, then a post, killed too where wanted and repeated until it is told, then a power cut. */
export function killedCompaction({ postToo }: { readonly postToo: boolean }): readonly string[] {
  const scene = oldThreads(2);
  const wrong: string[] = [];
  const seen = new Set<string>();
  const dies: Fault = { kind: 'crash', when: 'behind', changing: true };
  for (let k = 1; ; k++) {
    const disk = scene.disk.copy();
    const first = faultDisk(disk, k, dies);
    attempt(() => compactAs(first.disk, scene.channel, 'first'));
    for (let j = postToo ? 1 : Number.MAX_SAFE_INTEGER; ; j++) {
      const after = disk.copy();
      const second = faultDisk(after, j, dies);
      attempt(() => say(second.disk, scene.channel, NEXT));
      // The retry answers "already" where the post was recorded.
      say(after, scene.channel, NEXT, 'the retry');
      for (const left of after.afterPowerLoss(seen)) {
        const found = violations(left, reopened(left), [...scene.keys, 'next']);
        wrong.push(...found.map((what) => `${k} ${first.hit()}, ${j} ${second.hit()}: ${what}`));
      }
      if (second.hit() === undefined) break;
    }
    if (first.hit() === undefined) return wrong;
  }
}

function notEachOnce(disk: MemoryDisk, channel: Channel, keys: readonly string[]): readonly string[] {
  const found = written(disk, channel).map((entry) => entry.key);
  return found.join() === keys.join() ? [] : [`the files hold ${found.join()}`];
}
