import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compactDeed, postDeed } from '../protocol/faults/deeds.js';
import { roughHistory } from '../protocol/faults/history.js';
import { postArguments, realChannel, removeChannel, started } from '../protocol/faults/processes.js';
import { ALL_CALLS, killAt, needStrace, pointsOf } from '../protocol/faults/strace.js';

const scene = realChannel();
beforeAll(needStrace);
afterAll(() => removeChannel(scene));

describe('the built command, killed for real at every system call (field cases L1 and L6)', () => {
  it.each([
    ['post', postDeed, 40],
    ['compact', compactDeed, 150],
  ])('%s: before or after, and the retry is told the truth', (_name, make, least) => {
    const deed = make();
    const points = pointsOf(deed, ALL_CALLS);
    console.log(`${points.length} points`);
    expect(points.length).toBeGreaterThan(least);
    expect(points.flatMap((point) => killAt(deed, point))).toEqual([]);
    removeChannel(deed);
  });
});

describe('many processes', () => {
  it('eight with 25 posts each, killed and stopped at random: a history that can have happened', async () => {
    const seed = Date.now() % 1_000_000;
    const rough = { processes: 8, posts: 25, kill: 0.15, stop: 0.15, still: 1500, seed };
    expect(await roughHistory(scene.channel, 2, rough), `seed ${seed}`).toEqual([]);
  });

  it('sixteen that contend all make progress, with no refusal at all when all may speak', async () => {
    const other = realChannel();
    const posts = Array.from({ length: 16 }, (_, i) => started(postArguments(other.channel, 'owner', `k${i}`)).ended);
    const endings = await Promise.all(posts);
    expect(endings.map(({ code, err }) => (code === 0 ? 0 : err))).toEqual(Array(16).fill(0));
    removeChannel(other);
  });
});
