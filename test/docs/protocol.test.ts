import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { EXIT, REFUSALS } from '../../src/protocol/core/refusal.js';
import { ENTRY_TYPES } from '../../src/protocol/core/words.js';

const page = readFileSync(new URL('../../docs/protocol.md', import.meta.url), 'utf8');
const source = fileURLToPath(new URL('../../src', import.meta.url));

/** The table under a heading, a row a list of its cells. */
function tableUnder(heading: string): readonly (readonly string[])[] {
  const [, after = ''] = page.split(`\n## ${heading}\n`);
  const [section = ''] = after.split('\n## ');
  return section
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('|---'))
    .slice(1)
    .map((line) => line.slice(2, -2).split(' | '));
}

const codeIn = (cell: string | undefined) => /^`([^`]+)`/.exec(cell ?? '')?.[1] ?? '';

function sourceText(): string {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(`${source}/${name}`, 'utf8'))
    .join('\n');
}

describe('docs/protocol.md', () => {
  test('lists every refusal with its exit code, when, an example, and what to do; and no other', () => {
    const rows = tableUnder('Refusals');
    const documented = rows.map(([code, exit]) => [codeIn(code), Number(exit)]);
    expect(Object.fromEntries(documented)).toEqual(REFUSALS);
    expect(documented).toHaveLength(Object.keys(REFUSALS).length);
    for (const row of rows)
      expect(
        row.filter((cell) => cell.trim() !== ''),
        row[0],
      ).toHaveLength(5);
  });

  test('lists every exit code', () => {
    expect(tableUnder('Exit codes').map(([code]) => Number(code))).toEqual([...Object.values(EXIT), 130]);
  });

  test('lists every key of debate.json', () => {
    const config = readFileSync(`${source}/protocol/config.ts`, 'utf8');
    const [schema = ''] = config.slice(config.indexOf('z.looseObject({')).split('\n});');
    const keys = [...schema.matchAll(/^ {2}([a-z_]+): z\./gm)].map((found) => found[1]);
    expect(keys).toContain('parties');
    expect(tableUnder('debate.json').map(([key]) => codeIn(key))).toEqual(keys);
  });

  test('lists every name of the environment that is for users', () => {
    const marks = ['DEBATE_MODEL_CALL', 'DEBATE_VERSION', 'DEBATE_VARIANTS'];
    const names = new Set([...sourceText().matchAll(/\bDEBATE_[A-Z]+(?:_[A-Z]+)*\b/g)].map(([name]) => name));
    for (const mark of marks) names.delete(mark);
    expect(
      tableUnder('Environment')
        .map(([name]) => codeIn(name))
        .sort(),
    ).toEqual([...names].sort());
  });

  test('names every type of entry', () => {
    for (const type of ENTRY_TYPES) expect(page).toContain(`\`${type}\``);
  });
});
