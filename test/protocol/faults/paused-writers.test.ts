import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../src/protocol/core/refusal.js';
import type { PostResult } from '../../../src/protocol/post.js';
import { actor, type Ending } from './actors.js';
import { twoWriters } from './interleavings.js';
import { isRung, openThread, say, violations } from './scene.js';

const ONE = { as: 'claude', key: 'one', body: 'first thought' } as const;
/** The same words in the same second under another key: both state the same hash. */
const ALIKE = { ...ONE, key: 'alike' } as const;
const TWO = { as: 'claude', key: 'two', body: 'second thought' } as const;

function told(ending: Ending<PostResult>, key: string): readonly string[] {
  if (ending.kind === 'answered') return [key];
  expect(ending.kind).toBe('failed');
  if (ending.kind === 'failed') expect(ending.error).toBeInstanceOf(Refusal);
  return [];
}

describe('two writers and no lock at all (DESIGN.md 6, field cases L2 and L3)', () => {
  it.each([
    ['posts', TWO],
    ['posts the same words', ALIKE],
  ])(
    'a writer that is suspended at any call while another %s: one entry, and the late one is told',
    (_what, second) => {
      const scene = openThread();
      const late = new Set<string>();
      for (let i = 0; ; i++) {
        const disk = scene.disk.copy();
        const paused = actor(disk, (own) => say(own, scene.channel, ONE));
        if (paused.advance(i).kind !== 'suspended') break;
        let other: Ending<PostResult>;
        try {
          other = { kind: 'answered', answer: say(disk, scene.channel, second) };
        } catch (error) {
          other = { kind: 'failed', error };
        }
        const first = paused.finish();
        const acknowledged = [...told(first, 'one'), ...told(other, second.key)];
        expect(acknowledged, `paused at call ${i}`).toHaveLength(1);
        expect(violations(disk, scene.channel, ['a1', 'a2', ...acknowledged]), `paused at call ${i}`).toEqual([]);
        expect(isRung(disk, scene.channel), `paused at call ${i}`).toBe(true);
        // What comes next chains to the one that was acknowledged.
        say(disk, scene.channel, { as: 'codex', key: 'next' });
        expect(violations(disk, scene.channel, ['a1', 'a2', ...acknowledged, 'next']), `paused at call ${i}`).toEqual(
          [],
        );
        if (first.kind === 'failed' && first.error instanceof Refusal) late.add(first.error.code);
      }
      expect([...late].sort()).toEqual(['lost-race', 'not-your-turn']);
    },
  );

  it('both suspended once, at every pair of calls', () => {
    expect(twoWriters({ every: 2 })).toEqual([]);
  });

  it('the same post twice at once, as a retry beside the first that still runs (field case W6): one entry', () => {
    const scene = openThread();
    for (let i = 0; ; i++) {
      const disk = scene.disk.copy();
      const first = actor(disk, (own) => say(own, scene.channel, ONE, 'the first'));
      const reached = first.advance(i);
      const retry = say(disk, scene.channel, ONE, 'the retry');
      const ending = first.finish();
      expect(retry.seq).toBe(3);
      if (ending.kind === 'answered') expect(ending.answer.seq).toBe(3);
      expect(violations(disk, scene.channel, ['a1', 'a2', 'one']), `paused at call ${i}`).toEqual([]);
      expect(isRung(disk, scene.channel)).toBe(true);
      if (reached.kind !== 'suspended') break;
    }
  });
});
