import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('the SDK of endpoints is imported by the first call only: nothing in the built tool imports it at load', () => {
  const files = readdirSync('dist', { recursive: true })
    .map(String)
    .filter((file) => file.endsWith('.js'));
  const sources = files.map((file) => readFileSync(`dist/${file}`, 'utf8'));
  expect(sources.some((source) => /import\("ai"\)/.test(source))).toBe(true);
  for (const source of sources) expect(source).not.toMatch(/^import .*["'](?:ai|@ai-sdk\/openai-compatible)["']/m);
});
