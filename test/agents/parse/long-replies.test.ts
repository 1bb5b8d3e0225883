import { expect, test } from 'vitest';
import { answerLineOf } from '../../../src/agents/parse/answer-line.js';
import { approves } from '../../../src/agents/parse/approval.js';
import { confidenceOf } from '../../../src/agents/parse/confidence.js';
import { jsonObjectIn } from '../../../src/agents/parse/json-object.js';
import { normalAnswer } from '../../../src/agents/parse/normal-answer.js';
import { sectionsOf } from '../../../src/agents/parse/sections.js';

const UNITS = [' ', '*', '\n', '"', " 'a", '\u201c', '\u00ab', '{"a":', '\\boxed{', '1,', '.', '> ', 'not ', '<think>'];

// A parser that takes quadratic time needs minutes for these, and the test then ends by its time limit.
test.each(UNITS)('X10: a reply of 100,000 characters of %j is read by every parser', (unit) => {
  const run = unit.repeat(100_000 / unit.length);
  for (const reply of [run, `${run}x`, `Answer: ${run}x`, `VERDICT ${run}x`]) {
    expect(approves(reply)).toBe(false);
    expect(confidenceOf(reply)).toBe(0.5);
    expect(jsonObjectIn(reply)).toBeUndefined();
    expect(sectionsOf(reply, ['VERDICT']).size).toBeLessThanOrEqual(1);
    const answer = answerLineOf(reply);
    expect(normalAnswer(reply).length).toBeLessThanOrEqual(reply.length);
    expect(answer === undefined || answer.length <= reply.length).toBe(true);
  }
});
