import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

interface Row {
  readonly variant: string;
  readonly accuracy: number;
  readonly leastCalls: number;
  readonly mostCalls: number;
}

function bench(...args: readonly string[]): { simulated: boolean; rows: Row[]; signs: Record<string, boolean> } {
  const script = fileURLToPath(new URL('../../bench/executors.mjs', import.meta.url));
  return JSON.parse(execFileSync(process.execPath, [script, '--json', ...args], { encoding: 'utf8' }));
}

describe('bench:executors over simulated debaters', () => {
  const result = bench('--questions', '150', '--debaters', '3');

  test('the published signs come out: vote >= single, conforming debate < vote, and it says that it is simulated', () => {
    expect(result.simulated).toBe(true);
    expect(result.signs).toEqual({
      'vote >= single': true,
      'consensus of conforming debaters < vote': true,
      'consensus in which nobody conforms = vote': true,
    });
  });

  test.each([
    ['vote', 3, 3],
    ['consensus', 3, 9],
    ['adversarial', 3, 10],
    ['debate (pro, con, judge)', 7, 7],
    ['peer review', 2, 6],
  ])('A19, C8, J12, D16, P14: %s makes %d to %d calls', (name, least, most) => {
    const row = result.rows.find(({ variant }) => variant === name);
    expect([row?.leastCalls, row?.mostCalls]).toEqual([least, most]);
  });

  test('its parameters matter: debaters that are always right are always right', () => {
    const { rows } = bench('--questions', '5', '--accuracy', '1', '--judge-accuracy', '1');
    expect(rows.map(({ accuracy }) => accuracy)).toEqual(rows.map(() => 1));
  });
});
