import { describe, expect, it } from 'vitest';
import { nearKey } from '../../../src/watcher/config/near-key.js';
import { knownKeysAt } from '../../../src/watcher/config/schema.js';

const known = knownKeysAt([]) ?? [];

describe('the near key that an unknown one suggests', () => {
  it.each([
    ['debounce_second', 'debounce_seconds'],
    ['debounceSeconds', 'debounce_seconds'],
    ['state-path', 'state_path'],
    ['comands', 'commands'],
    ['mirrors', 'mirror'],
    ['timeuot_seconds', 'timeout_seconds'],
    ['Budget', 'budget'],
    ['shcedule', 'schedule'],
  ])('%s is near %s', (written, expected) => {
    expect(nearKey(written, known)).toBe(expected);
  });

  it.each(['x', 'interval', 'agents', '', 'adapters'])('%j is near nothing', (written) => {
    expect(nearKey(written, known)).toBeUndefined();
  });

  it('a known key is nearest to itself', () => {
    for (const key of known) expect(nearKey(key, known)).toBe(key);
  });
});
