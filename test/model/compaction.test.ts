import { describe, expect, it } from 'vitest';
import { ALL_RULES, type CompactRules, compaction } from './compaction.js';
import { explore } from './explore.js';

describe('a model of compaction (format.md 5), every interleaving and no lock at all', () => {
  it.each([
    { posts: [1], compactions: [1] },
    { posts: [1], compactions: [1, 1] },
  ])('holds with %o', (size) => {
    const { states, ...found } = explore(compaction(ALL_RULES, size));
    expect(found).toEqual({});
    expect(states).toBeGreaterThan(20);
  });

  const ablations: readonly (readonly [string, Partial<CompactRules>, readonly number[], readonly number[]])[] = [
    ['the new mailbox is renamed over the old one', { publish: 'rename-over' }, [1], [1]],
    ['each helper puts its own copy in place', { publish: 'own-copy' }, [1], [1, 1]],
    ['the archive is not looked at again', { lookAgain: false }, [1], [1, 1]],
    ['a fence that cuts nothing of the file counts', { voidFence: false }, [1], [1, 1]],
  ];
  it.each(ablations)('fails when %s, so that the rule is needed', (_name, change, posts, compactions) => {
    expect(explore(compaction({ ...ALL_RULES, ...change }, { posts, compactions })).violation).toBeDefined();
  });
});
