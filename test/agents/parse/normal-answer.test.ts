import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalAnswer } from '../../../src/agents/parse/normal-answer.js';

describe('A7, A22: one-line answers are compared in a normal form', () => {
  test.each([
    ['  Yes. ', 'yes'],
    ['\u201cYes\u201d', 'yes'],
    ['no\u2026', 'no'],
    ['\uff13', '3'],
    ['42.', '42'],
    ['**42**', '42'],
    ['\\boxed{42}', '42'],
    ['$42', '42'],
    ['8,000', '8000'],
    ['1,234,567.50', '1234567.50'],
    ["1'000'000", '1000000'],
    ['1\u00a0000', '1000'],
    ['1_000', '1000'],
    ['1,2,3', '1,2,3'],
    ['3.14', '3.14'],
    ['The answer is 3.14.', '3.14'],
    ['.5', '.5'],
    ['-5', '-5'],
    ['\u22125', '-5'],
    ['-$5', '-5'],
    ['(-5)', '-5'],
    ['+5', '+5'],
    ['1/2', '1/2'],
    ['72 clips, altogether.', '72 clips, altogether'],
    ['New\u00a0 York', 'new york'],
    ['don\u2019t', "don't"],
    ['e\u0301te\u0301', '\u00e9t\u00e9'],
    ['C++', 'c++'],
    ['C#.', 'c#'],
    ['C', 'c'],
    ['+', '+'],
    ['', ''],
  ])('A7: %j is compared as %j', (answer, normal) => {
    expect(normalAnswer(answer)).toBe(normal);
  });

  test.each([
    ['5', '-5'],
    ['1/2', '12'],
    ['3.14', '314'],
    ['8', '8000'],
    ['yes', 'no'],
    ['C', 'C++'],
    ['+', '-'],
  ])('A7: %j and %j stay apart', (a, b) => {
    expect(normalAnswer(a)).not.toBe(normalAnswer(b));
  });

  test('A7: case, blanks and surrounding punctuation never tell two answers apart', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-z0-9]{1,12}( [a-z0-9]{1,12}){0,3}$/),
        fc.constantFrom(',', '!', '"', '**', ')'),
        (word, mark) => {
          expect(normalAnswer(` ${mark}${word.toUpperCase()}${mark} `)).toBe(normalAnswer(word));
        },
      ),
    );
  });

  test('A7: a normal form is its own normal form for words and numbers', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[ -~]{0,30}$/), (text) => {
        fc.pre(!text.includes('\\'));
        const once = normalAnswer(text);
        fc.pre(!/(?:the|my) .*answer/.test(once));
        expect(normalAnswer(once)).toBe(once);
      }),
    );
  });
});
