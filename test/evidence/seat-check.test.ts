import { afterEach, beforeEach, expect, it } from 'vitest';
import { createCheckedReview } from '../../src/agents/review/checked-review.js';
import type { ConfiguredChecks } from '../../src/agents/review/reviewer-check.js';
import { seatCheck } from '../../src/evidence/seat-check.js';
import { parseEvidence } from '../../src/protocol/core/evidence.js';
import { scripted } from '../agents/scripted.js';
import { eventually } from '../process/run-script.js';
import { makeScratch, type Scratch } from './scratch.js';

let scratch: Scratch;

beforeEach(() => {
  scratch = makeScratch();
});

afterEach(() => scratch.remove());

const never = new AbortController().signal;

it('a checked review runs a check by its name and gets its exit code and last lines (issue 4, section 3)', async () => {
  scratch.pin('echo "1 failed"; exit 1');
  const checks: ConfiguredChecks = {
    names: ['tests'],
    run: async (name, { signal = never }) => (await seatCheck(scratch.place(), name, scratch.second, signal)).run,
  };
  const reviewer = scripted('reviewer', 'CHECK: run tests', 'REJECT: the tests fail');
  const review = createCheckedReview({ reviewer, search: () => [], checks });
  const result = await review.execute({ question: 'Is it right?', draft: 'It is.', subject: 'change' });
  expect(result).toMatchObject({ decision: 'reject', ungrounded: false });
  expect(result.checks[0]?.found).toMatch(/^tests: exit 1 in \d+\.\d s\n.*1 failed$/s);
});

it('a seat gets the record that its post carries; a check that did not run has none', async () => {
  scratch.pin('exit 3');
  const { run, record } = await seatCheck(scratch.place(), 'tests', scratch.second, never);
  expect(run).toMatchObject({ ran: true, exitCode: 3 });
  expect(parseEvidence(record ?? '')).toMatchObject({ name: 'tests', commit: scratch.second, exit: 3 });
  scratch.pin('true', { setup: ['false'] });
  expect(await seatCheck(scratch.place(), 'tests', scratch.second, never)).toEqual({
    run: { ran: false, reason: 'its setup (false) ended with exit 1' },
    record: undefined,
  });
});

it('a seat that is stopped waits no longer', async () => {
  scratch.pin(`echo begun >>'${scratch.runs}'; sleep 1; echo ended >>'${scratch.runs}'`);
  const stop = new AbortController();
  const asked = seatCheck(scratch.place(), 'tests', scratch.second, stop.signal);
  await eventually(() => scratch.ran().length > 0);
  stop.abort(new Error('shutdown'));
  await expect(asked).rejects.toThrow('shutdown');
  await eventually(() => scratch.ran().length > 1);
  expect(scratch.ran()).toEqual(['begun', 'ended']);
});
