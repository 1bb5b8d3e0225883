import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { confidenceOf } from '../../../src/agents/parse/confidence.js';

describe('D19: the confidence of a judge', () => {
  test.each([
    ['5. CONFIDENCE: 85%', 0.85],
    ['Confidence: 70%', 0.7],
    ['Confidence: 69%', 0.69],
    ['Confidence: 0%', 0],
    ['Confidence: 100%', 1],
    ['Confidence: 120%', 1],
    ['I say confidence: 29% here', 0.29],
    ['quoted Confidence: 20%\nCONFIDENCE: 90%', 0.2],
  ])('D19: the literal form, ignoring case: %j is %d', (answer, value) => {
    expect(confidenceOf(answer)).toBe(value);
  });

  test.each([
    ['Confidence: 85 %', 0.85],
    ['Confidence:85%', 0.85],
    ['Confidence: 85.5%', 0.855],
    ['Confidence: 95.1%', 0.951],
    ['**CONFIDENCE:** 85%', 0.85],
    ['**Confidence**: 85%', 0.85],
    ['Confidence: **85%**', 0.85],
    ['Confidence: **85** %', 0.85],
    ['Confidence: 10 % and then Confidence: 90%', 0.9],
  ])(
    'D19: white space, a fraction and emphasis are accepted where the literal form is absent: %j is %d',
    (answer, value) => {
      expect(confidenceOf(answer)).toBe(value);
    },
  );

  test.each([
    'Confidence: 0.85',
    'Confidence: 85',
    'Confidence: high',
    'Confidence: ~85%',
    'Confidence: 80-90%',
    'Confidence: -5%',
    'Confidence: 85\uff05',
    'Confidence level: 85%',
    'CONFIDENCE\n85%',
    'CONFIDENCE:\n85%',
    'Overconfidence: 85%',
    "I can't fulfill this request.",
    '',
  ])('D19: everything else is 0.5: %j', (answer) => {
    expect(confidenceOf(answer)).toBe(0.5);
  });

  test('D19: it is always from 0 to 1, and NN percent is NN/100 exactly', () => {
    fc.assert(
      fc.property(fc.nat({ max: 1000 }), fc.string(), (percent, before) => {
        fc.pre(!/confidence/i.test(before));
        expect(confidenceOf(`${before}\nConfidence: ${percent}%`)).toBe(Math.min(1, percent / 100));
      }),
    );
  });
});
