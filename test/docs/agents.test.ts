import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const page = readFileSync(new URL('../../docs/agents.md', import.meta.url), 'utf8');
const rows = [...page.matchAll(/^\| *([A-Z]\d+) *\| *(.+?) *\| *(\S+\.test\.ts) *\|$/gm)].map(
  ([, rule, title, file]) => ({
    rule: rule ?? '',
    title: (title ?? '').replaceAll('\\|', '|'),
    file: file ?? '',
  }),
);

function sourceOf(file: string): string {
  return readFileSync(new URL(`../${file}`, import.meta.url), 'utf8').replaceAll("\\'", "'");
}

describe('docs/agents.md: the table of rules and tests', () => {
  test('every rule of the executors has a row', () => {
    const rules = new Set(rows.map(({ rule }) => rule));
    for (const [letter, last] of [
      ['D', 24],
      ['P', 16],
      ['A', 22],
      ['J', 14],
      ['C', 10],
      ['R', 20],
      ['X', 10],
      ['E', 6],
    ] as const) {
      for (let number = 1; number <= last; number += 1) expect(rules).toContain(`${letter}${number}`);
    }
  });

  test('every row names a test that exists', () => {
    for (const { rule, title, file } of rows) expect(sourceOf(file), rule).toContain(title);
  });
});
