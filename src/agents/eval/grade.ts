import type { Question } from './question-set.js';

/** What a grader says of an answer. `ungraded` is not wrong: nobody could tell (rule E3). */
export type Grade = 'pass' | 'fail' | 'ungraded';

const found = (source: string, answer: string) => new RegExp(source, 'i').test(answer);

/**
 * What code alone decides of an answer (rule E2); undefined when a model has to judge it by the rubric.
 *
 * An unanswerable question is gated first: any `reject` pattern, or no word of abstaining, fails it, and no model can
 * say otherwise. An exact question passes with any `accept` pattern, all `require` and no `reject` patterns.
 */
export function gradeByCode(question: Question, answer: string, abstain: readonly string[]): Grade | undefined {
  const rejected = question.reject.some((source) => found(source, answer));
  if (question.kind === 'unanswerable' && (rejected || !abstain.some((source) => found(source, answer)))) return 'fail';
  if (question.grading === 'rubric') return undefined;
  const accepted = question.accept.length === 0 || question.accept.some((source) => found(source, answer));
  const complete = question.require.every((source) => found(source, answer));
  return accepted && complete && !rejected ? 'pass' : 'fail';
}

/**
 * Reads the reply of a grading model: PASS or FAIL in its first line, stops and emphasis aside; all else is ungraded.
 */
export function readRubricGrade(reply: string): Grade {
  const first = reply.trim().split('\n')[0] ?? '';
  const word = first.replace(/[.,:;!*_`"'()[\]\s]/g, '').toUpperCase();
  return word === 'PASS' ? 'pass' : word === 'FAIL' ? 'fail' : 'ungraded';
}
