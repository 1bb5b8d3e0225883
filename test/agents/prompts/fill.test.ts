import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fill } from '../../../src/agents/prompts/fill.js';

describe('X5: placeholders are filled in a single literal pass', () => {
  test('X5: replacement patterns and placeholders inside a value stay data', () => {
    expect(fill('Q: {{question}} / {{own}}', { question: "$& $' $1 {{own}} <b>&amp;</b>", own: '{{question}}' })).toBe(
      "Q: $& $' $1 {{own}} <b>&amp;</b> / {{question}}",
    );
  });

  test('X5: every value arrives unchanged, whatever it is', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(fill('[{{a}}|{{b}}|{{a}}]', { a, b })).toBe(`[${a}|${b}|${a}]`);
      }),
    );
  });

  test('X5: a place without a value is an error, never an empty prompt', () => {
    const untyped = fill as (template: string, values: Record<string, string>) => string;
    expect(() => untyped('{{missing}}', {})).toThrow(/"missing"/);
    expect(() => untyped('{{toString}}', {})).toThrow(/"toString"/);
  });
});
