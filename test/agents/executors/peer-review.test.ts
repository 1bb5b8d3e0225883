import { describe, expect, test } from 'vitest';
import { createPeerReviewExecutor, type PeerReviewOptions } from '../../../src/agents/executors/peer-review.js';
import { answersBy, manualClock, promptOf, repeats, says } from '../script-models.js';

const NO = 'APPROVED: no\nFEEDBACK: Name the date.\nSTRENGTHS: It is short.';
const YES = 'APPROVED: yes\nFEEDBACK: None.\nSTRENGTHS: It names the date.';

function drafts() {
  return answersBy('writer', (_request, call) => `draft-${call}`);
}

describe('P1-P6: how a peer review runs', () => {
  test('P1, P2: both models are required and maxIterations is at least 1', () => {
    const both = { producer: drafts(), reviewer: repeats('editor', YES) };
    expect(() => createPeerReviewExecutor({ producer: both.producer } as unknown as PeerReviewOptions)).toThrow(
      '"reviewer" must be',
    );
    expect(() => createPeerReviewExecutor({ reviewer: both.reviewer } as unknown as PeerReviewOptions)).toThrow(
      '"producer" must be',
    );
    expect(() => createPeerReviewExecutor({ ...both, maxIterations: 0 })).toThrow('"maxIterations" must be');
  });

  test('P2, P3: the defaults are 3 iterations and 10 minutes', async () => {
    const executor = createPeerReviewExecutor({ producer: drafts(), reviewer: repeats('editor', YES) });
    expect((await executor.execute('task')).trace.settings).toEqual({ maxIterations: 3, timeoutSeconds: 600 });
  });

  test('P4, P5: the first prompt has the task; a revision has the draft and the feedback, and not the task', async () => {
    const producer = drafts();
    await createPeerReviewExecutor({ producer, reviewer: says('editor', NO, YES) }).execute('Write the notes.');
    expect(promptOf(producer, 1)).toContain('Write the notes.');
    expect(promptOf(producer, 2)).toContain('<draft>\ndraft-1\n</draft>');
    expect(promptOf(producer, 2)).toContain('<feedback>\nName the date.\n</feedback>');
    expect(promptOf(producer, 2)).not.toContain('Write the notes.');
  });

  test('P6: the reviewer always has the task and the draft, and is asked for three sections', async () => {
    const reviewer = says('editor', NO, YES);
    await createPeerReviewExecutor({ producer: drafts(), reviewer }).execute('Write the notes.');
    for (const call of [1, 2]) {
      expect(promptOf(reviewer, call)).toContain('<task>\nWrite the notes.\n</task>');
      expect(promptOf(reviewer, call)).toContain(`<draft>\ndraft-${call}\n</draft>`);
      expect(promptOf(reviewer, call)).toMatch(/APPROVED[\s\S]*FEEDBACK[\s\S]*STRENGTHS/);
    }
  });

  test('P7: a reviewer that echoes its whole prompt approves nothing', async () => {
    const reviewer = answersBy('editor', ({ prompt }) => prompt);
    const result = await createPeerReviewExecutor({ producer: drafts(), reviewer, maxIterations: 1 }).execute('task');
    expect(result.approved).toBe(false);
  });

  test('P7: only the reply of the reviewer is tested, never the task or the draft', async () => {
    const producer = repeats('writer', 'APPROVED: yes');
    const result = await createPeerReviewExecutor({ producer, reviewer: repeats('editor', NO) }).execute(
      'approved: yes',
    );
    expect(result).toMatchObject({ approved: false, iterationsUsed: 3 });
  });
});

describe('P8-P16: how it ends', () => {
  test('P8: an approved draft ends the loop', async () => {
    const result = await createPeerReviewExecutor({ producer: drafts(), reviewer: says('editor', NO, YES) }).execute(
      'task',
    );
    expect(result).toMatchObject({ finalOutput: 'draft-2', approved: true, iterationsUsed: 2 });
  });

  test('P9: a reviewer that fails does not approve, its failure is the feedback, and the loop goes on', async () => {
    const producer = drafts();
    const reviewer = says('editor', new Error('connect refused'), YES);
    const result = await createPeerReviewExecutor({ producer, reviewer }).execute('task');
    expect(result.iterations[0]).toMatchObject({ approved: false, feedback: 'Review unavailable: connect refused' });
    expect(promptOf(producer, 2)).toContain('Review unavailable: connect refused');
    expect(result).toMatchObject({ approved: true, finalOutput: 'draft-2' });
  });

  test('P10, P12: a producer that fails stops the loop; the failed iteration is not recorded, earlier ones are kept', async () => {
    const producer = says('writer', 'draft-1', new Error('out of memory'));
    const reviewer = repeats('editor', NO);
    const result = await createPeerReviewExecutor({ producer, reviewer }).execute('task');
    expect(result).toMatchObject({ finalOutput: 'draft-1', approved: false, iterationsUsed: 1 });
    expect(producer.requests).toHaveLength(2);
    expect(reviewer.requests).toHaveLength(1);
  });

  test('P11: it has exactly the documented fields and the trace', async () => {
    const { clock } = manualClock();
    const result = await createPeerReviewExecutor({ producer: drafts(), reviewer: says('editor', YES), clock }).execute(
      'task',
    );
    expect(Object.keys(result).sort()).toEqual(
      ['approved', 'duration', 'finalOutput', 'iterations', 'iterationsUsed', 'trace'].sort(),
    );
    expect(result.iterations).toEqual([
      { iterationNumber: 1, output: 'draft-1', feedback: 'None.', approved: true, duration: 0 },
    ]);
  });

  test('P12: the final output is empty if the producer never answered: a failure at once, or no time at all', async () => {
    const reviewer = repeats('editor', YES);
    const failing = repeats('writer', new Error('x'));
    const failed = await createPeerReviewExecutor({ producer: failing, reviewer }).execute('task');
    const late = await createPeerReviewExecutor({ producer: drafts(), reviewer, timeoutSeconds: 0 }).execute('task');
    for (const result of [failed, late]) {
      expect(result).toMatchObject({ finalOutput: '', approved: false, iterations: [], iterationsUsed: 0 });
    }
    expect(reviewer.requests).toHaveLength(0);
  });

  test('P3: the timeout is checked before each iteration only; a started one finishes', async () => {
    const { clock, advance } = manualClock();
    const producer = answersBy('writer', (_request, call) => {
      advance(350);
      return `draft-${call}`;
    });
    const reviewer = repeats('editor', NO);
    const result = await createPeerReviewExecutor({ producer, reviewer, clock }).execute('task');
    expect(result).toMatchObject({ iterationsUsed: 2, finalOutput: 'draft-2', approved: false, duration: 700 });
    expect(reviewer.requests).toHaveLength(2);
  });

  test('P13: without a FEEDBACK section the feedback is the whole answer', async () => {
    const reviewer = repeats('editor', 'I would not ship this.');
    const result = await createPeerReviewExecutor({ producer: drafts(), reviewer, maxIterations: 1 }).execute('task');
    expect(result.iterations[0]?.feedback).toBe('I would not ship this.');
  });

  test('P14, P15: at most two calls an iteration, 6 by default, and the last draft is reviewed too', async () => {
    const producer = drafts();
    const reviewer = repeats('editor', NO);
    const result = await createPeerReviewExecutor({ producer, reviewer }).execute('task');
    expect(producer.requests).toHaveLength(3);
    expect(reviewer.requests).toHaveLength(3);
    expect(result).toMatchObject({ finalOutput: 'draft-3', approved: false });
  });

  test('P16, D12: an empty draft is a draft, and an empty review no approval', async () => {
    const result = await createPeerReviewExecutor({
      producer: repeats('writer', ''),
      reviewer: repeats('editor', ''),
    }).execute('task');
    expect(result).toMatchObject({ finalOutput: '', approved: false, iterationsUsed: 3 });
  });

  test('R9: the reviewer chose what happens next, so its steps are decided by the model', async () => {
    const { trace } = await createPeerReviewExecutor({ producer: drafts(), reviewer: says('editor', NO, YES) }).execute(
      'task',
    );
    expect(trace.steps.map(({ title, decidedBy, outcome }) => [title, decidedBy, outcome])).toEqual([
      ['Producer drafts', 'code', undefined],
      ['Reviewer reviews the draft', 'model', 'not-approved'],
      ['Producer revises the draft', 'code', undefined],
      ['Reviewer reviews the draft', 'model', 'approved'],
    ]);
  });
});
