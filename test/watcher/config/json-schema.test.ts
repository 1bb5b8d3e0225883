import { expect, it } from 'vitest';
import { watcherJsonSchema } from '../../../src/watcher/config/json-schema.js';
import { knownKeysAt } from '../../../src/watcher/config/schema.js';

interface Node {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly additionalProperties?: Node | boolean;
}

it('the JSON Schema of the config has every key, each with a description, and no other', () => {
  const schema = watcherJsonSchema() as Node;
  const party = schema.properties?.parties?.additionalProperties as Node;
  for (const [node, path] of [
    [schema, []],
    [party, ['parties', 'claude']],
    [schema.properties?.budget, ['budget']],
  ] as const) {
    expect(node?.type).toBe('object');
    expect(node?.additionalProperties).toBe(false);
    expect(Object.keys(node?.properties ?? {})).toEqual(knownKeysAt(path));
    for (const [key, value] of Object.entries(node?.properties ?? {})) {
      expect(value.description, key).toMatch(/^\S.*\.$/);
    }
  }
});

it('the JSON Schema is plain JSON of the draft that editors read', () => {
  const schema = watcherJsonSchema();
  expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
  expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
});
