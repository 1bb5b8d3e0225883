import { describe, expect, it } from 'vitest';
import { ALL_RULES as COMPACT_RULES, compaction } from '../model/compaction.js';
import { explore } from '../model/explore.js';
import { ALL_RULES as WRITE_RULES, writePath } from '../model/write-path.js';

const LIMIT = 3_000_000;

describe('the models at sizes that take minutes', () => {
  it.each([
    { posts: [2, 2], kills: 1, pauses: 1 },
    { posts: [2, 1], kills: 2, pauses: 1 },
    { posts: [1, 1, 1], kills: 0, pauses: 2 },
  ])('the write holds with %o', (size) => {
    const { states, ...found } = explore(writePath(WRITE_RULES, size), LIMIT);
    console.log(JSON.stringify(size), states);
    expect(found).toEqual({});
  });

  it.each([
    { posts: [1, 1], compactions: [1] },
    { posts: [2], compactions: [2] },
    { posts: [1], compactions: [2, 1] },
    { posts: [2], compactions: [1, 1] },
  ])('compaction holds with %o', (size) => {
    const { states, ...found } = explore(compaction(COMPACT_RULES, size), LIMIT);
    console.log(JSON.stringify(size), states);
    expect(found).toEqual({});
  });
});
