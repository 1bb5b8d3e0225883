import { afterEach, beforeEach, expect, it } from 'vitest';
import { createCheckedReview } from '../../src/agents/review/checked-review.js';
import type { ConfiguredChecks } from '../../src/agents/review/reviewer-check.js';
import { reviewerChecks } from '../../src/evidence/reviewer-checks.js';
import { scripted } from '../agents/scripted.js';
import { makeScratch, type Scratch } from './scratch.js';

let scratch: Scratch;

beforeEach(() => {
  scratch = makeScratch();
});

afterEach(() => scratch.remove());

const checksOf = (waitSeconds: number): ConfiguredChecks =>
  reviewerChecks(scratch.place(), scratch.second, ['tests'], waitSeconds);

it('a checked review runs a check by its name and gets its exit code and last lines (issue 4, section 3)', async () => {
  scratch.pin('echo "1 failed"; exit 1');
  const reviewer = scripted('reviewer', 'CHECK: run tests', 'REJECT: the tests fail');
  const review = createCheckedReview({ reviewer, search: () => [], checks: checksOf(60) });
  const result = await review.execute({ question: 'Is it right?', draft: 'It is.', subject: 'change' });
  expect(result).toMatchObject({ decision: 'reject', ungrounded: false });
  expect(result.checks[0]?.found).toMatch(/^tests: exit 1 in \d+\.\d s\n.*1 failed$/s);
});

it('a check that did not run, or takes too long for the review, is no evidence', async () => {
  scratch.pin('true', { setup: ['false'] });
  expect(await checksOf(60).run('tests', {})).toEqual({ ran: false, reason: 'its setup (false) ended with exit 1' });
  scratch.pin('sleep 1');
  expect(await checksOf(0).run('tests', {})).toMatchObject({ ran: false, reason: 'it had not ended after 0 s' });
});
