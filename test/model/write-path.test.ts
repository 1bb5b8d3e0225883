import { describe, expect, it } from 'vitest';
import { explore } from './explore.js';
import { ALL_RULES, type WriteRules, writePath } from './write-path.js';

describe('a model of the write (DESIGN.md 6), every interleaving', () => {
  it.each([
    { posts: [1, 1], kills: 1, pauses: 1 },
    { posts: [2, 1], kills: 0, pauses: 1 },
    { posts: [1], kills: 2, pauses: 0 },
  ])('holds with posts of two writers: %o', (size) => {
    const { states, ...found } = explore(writePath(ALL_RULES, size));
    expect(found).toEqual({});
    expect(states).toBeGreaterThan(20);
  });

  it.each([
    ['fence', 0, 1, 'twice'],
    ['sync', 0, 0, 'after a power cut: the doorbell announces'],
    ['syncAlready', 1, 0, 'after a power cut: the'],
    ['verify', 0, 1, 'is not MSG-1'],
    ['lookAgain', 0, 1, 'at rest the doorbell says 1 of 2'],
    ['syncOthers', 0, 1, 'after a power cut: the doorbell announces 2 of 1'],
  ] as const)('fails without the rule %s, so that the rule is needed', (rule, kills, pauses, wrong) => {
    const rules: WriteRules = { ...ALL_RULES, [rule]: false };
    // Without the sync of its own a ring would sync what others added, its own entry included.
    const without = rule === 'sync' || rule === 'syncAlready' ? { ...rules, syncOthers: false } : rules;
    expect(explore(writePath(without, { posts: [1, 1], kills, pauses })).violation).toContain(wrong);
  });
});
