import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitMs } from '../src/backoff.mjs';

test('the wait doubles with every attempt', () => {
  assert.deepEqual(
    [1, 2, 3].map((attempt) => waitMs(attempt, { random: () => 0 })),
    [100, 200, 400],
  );
});

test('the wait never exceeds the cap', () => {
  for (const random of [() => 0, () => 0.5, () => 0.999]) {
    for (let attempt = 1; attempt <= 30; attempt++) {
      assert.ok(waitMs(attempt, { random }) <= 5_000, `attempt ${attempt}: ${waitMs(attempt, { random })} ms`);
    }
  }
});
