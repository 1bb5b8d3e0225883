import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const folder = fileURLToPath(new URL('../../examples/debate/', import.meta.url));

function run(...args: readonly string[]): string {
  return execFileSync(process.execPath, [`${folder}run.mjs`, ...args], { encoding: 'utf8' });
}

test('examples/debate answers three questions with every executor, exactly as its expected output says', () => {
  expect(run()).toBe(readFileSync(`${folder}expected.txt`, 'utf8'));
});

test('examples/debate --trace adds every step, and the steps that a model decided are dashed', () => {
  const output = run('--trace');
  expect(output.match(/^(?:debate|vote|consensus|adversarial|peer-review|multi-agent-debate), 2026-/gm)).toHaveLength(
    18,
  );
  expect(output).toContain('+- - 2. Reviewer reviews the draft [not-approved]');
});
