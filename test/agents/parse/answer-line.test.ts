import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerLineOf } from '../../../src/agents/parse/answer-line.js';

describe('A10: the answer line of a reply', () => {
  test.each([
    ['yes', 'yes'],
    ['It cannot be.\n\nno', 'no'],
    ['Reasons.\nAnswer: 42', '42'],
    ['Reasons.\nFinal answer: 42.', '42.'],
    ['Reasons.\n**Answer:** 42', '42'],
    ['Reasons.\n**Answer: 42**', '42'],
    ['Reasons.\n**Final Answer**: **42**', '42'],
    ['Reasons.\n## Answer: 42', '42'],
    ['Reasons.\n- My current answer: `x = 1`', 'x = 1'],
    ['Reasons.\nTherefore, my answer: 42', '42'],
    ['Reasons.\nANSWER:\n42', '42'],
    ['Answer: 41\nNo, wait.\nAnswer: 42\nI am sure of that, and here is why it must be so.', '42'],
    ['Reasons.\n\\boxed{42}', '42'],
    ['Reasons.\nSo it is $\\boxed{\\frac{1}{2}}$.', '\\frac{1}{2}'],
    ['Reasons.\n\\boxed{\\text{The answer is 460}}', 'The answer is 460'],
    ['Reasons.\n**no**', 'no'],
    ['Reasons.\n> *no*\n', 'no'],
    ['Reasons.\n```\n42\n```\n', '42'],
    ['Reasons.\n42\n---\n', '42'],
    ['Reasons.\r\nThe answer is 3.14\r\n', 'The answer is 3.14'],
    ['72 clips, altogether.', '72 clips, altogether.'],
    ['Answer: -5', '-5'],
    ['Answer: +', '+'],
    ['Answer: unknown; the documents do not say', 'unknown; the documents do not say'],
    [`Answer: ${'x'.repeat(300)}`, 'x'.repeat(300)],
  ])('A10: %j ends in %j', (reply, answer) => {
    expect(answerLineOf(reply)).toBe(answer);
  });

  test.each([
    ['an empty reply', ''],
    ['blanks', ' \n\t\n'],
    ['a last line of more than 200 characters', `Reasons.\n${'long '.repeat(50)}`],
    ['a refusal', "I can't fulfill this request."],
    ['a refusal with a curly apostrophe', 'I\u2019m sorry, but I can\u2019t help with that.'],
    ['a refusal behind the label', 'Answer: I cannot assist with this.'],
    ['a label with nothing behind it', 'Reasons.\nAnswer:'],
  ])('A9: %s has no answer line', (_name, reply) => {
    expect(answerLineOf(reply)).toBeUndefined();
  });

  test('A10: a last line of exactly 200 characters is one', () => {
    expect(answerLineOf(`Reasons.\n${'x'.repeat(200)}`)).toBe('x'.repeat(200));
  });

  test('A10: the last label wins over whatever stands around it', () => {
    fc.assert(
      fc.property(fc.string(), fc.stringMatching(/^[a-z0-9]{1,20}$/), (before, answer) => {
        expect(answerLineOf(`${before}\nAnswer: ${answer}`)).toBe(answer);
      }),
    );
  });

  test('A10: an answer is one line, never blank', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (reply) => {
        const answer = answerLineOf(reply);
        if (answer !== undefined) expect(answer).toMatch(/^[^\n\r]*\S[^\n\r]*$/);
      }),
    );
  });
});
