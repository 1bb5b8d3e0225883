import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { watcherJsonSchema } from '../../src/watcher/config/json-schema.js';
import { parseJsonText } from '../../src/watcher/config/json-text.js';
import { watcherConfigSchema } from '../../src/watcher/config/schema.js';

const page = readFileSync(new URL('../../docs/watcher.md', import.meta.url), 'utf8');
const decide = readFileSync(new URL('../../src/watcher/decide.ts', import.meta.url), 'utf8');

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
}

describe('docs/watcher.md', () => {
  const schema = watcherJsonSchema() as Schema;
  const { parties, budget } = schema.properties ?? {};

  it.each([
    ...Object.keys(schema.properties ?? {}),
    ...Object.keys(parties?.additionalProperties?.properties ?? {}),
    ...Object.keys(budget?.properties ?? {}),
  ])('names the key %s', (key) => {
    expect(page).toContain(`\`${key}\``);
  });

  it('names every cause of an escalation', () => {
    const [, union = ''] = /export type Cause =([^;]+);/.exec(decide) ?? [];
    const causes = [...union.matchAll(/'([a-z-]+)'/g)].map(([, cause]) => cause);
    expect(causes.length).toBeGreaterThan(10);
    for (const cause of causes) expect(page).toContain(`\`${cause}\``);
  });

  it('shows a config that is one', () => {
    const [, text = ''] = /```json\n(.+?)```/s.exec(page) ?? [];
    const json = parseJsonText(text);
    expect(json.ok && watcherConfigSchema.safeParse(json.value).success).toBe(true);
  });

  it('shows pictures that exist, light and dark', () => {
    for (const [, file = ''] of page.matchAll(/"(assets\/[a-z-]+\.svg)"/g))
      expect(readFileSync(new URL(`../../docs/${file}`, import.meta.url), 'utf8')).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
    expect([...page.matchAll(/assets\/wakes-(?:light|dark)\.svg/g)]).toHaveLength(2);
  });
});
