import { describe, expect, test } from 'vitest';
import { createVote } from '../../../src/agents/executors/vote.js';
import { answersBy, type Line, promptOf, repeats, type ScriptModel, says } from '../script-models.js';

function vote(scripts: readonly (readonly Line[])[]) {
  const models = scripts.map((lines, index) => says(`m${index + 1}`, ...lines));
  return { models, executor: createVote({ debaters: models.map((model) => ({ model })) }) };
}

describe('vote: parallel first answers and their majority, the baseline of every debate', () => {
  test('A2, A11: one call a debater, and the majority wins', async () => {
    const { models, executor } = vote([['no'], ['yes'], ['No.']]);
    expect(await executor.execute('q')).toMatchObject({ status: 'majority', answer: 'no', votes: 2, counted: 3 });
    expect(models.map(({ requests }) => requests.length)).toEqual([1, 1, 1]);
  });

  test('A11: a tie has no winner, and all answers come back', async () => {
    const { executor } = vote([['a'], ['b']]);
    const result = await executor.execute('q');
    expect(result).toMatchObject({ status: 'no-majority', answer: undefined, votes: 1, counted: 2 });
    expect(result.finalAnswers.map(({ answer }) => answer)).toEqual(['a', 'b']);
  });

  test('A9: the answer-line rule is that of a debate: one retry, then out of the vote', async () => {
    const { models, executor } = vote([['', ''], ['a'], ['a']]);
    expect(await executor.execute('q')).toMatchObject({ status: 'unanimous', answer: 'a', counted: 2 });
    expect(models[0]?.requests).toHaveLength(2);
  });

  test('A2: a vote asks exactly what a debate asks first', async () => {
    const { models, executor } = vote([['a'], ['a']]);
    await executor.execute('Is it so?');
    expect(promptOf(models[0] as ScriptModel, 1)).toBe(promptOf(models[1] as ScriptModel, 1));
    expect(promptOf(models[0] as ScriptModel, 1)).toContain('<question>\nIs it so?\n</question>');
  });

  test('a vote of one is a single answer', async () => {
    const model = repeats('m', 'a');
    const result = await createVote({ debaters: [{ model }], debaterCount: 1 }).execute('q');
    expect(result).toMatchObject({ status: 'majority', answer: 'a', votes: 1, counted: 1 });
    expect(model.requests).toHaveLength(1);
  });

  test('X9: with a concurrency of 2 at most two calls run at the same time, and all run', async () => {
    let running = 0;
    let most = 0;
    const model = answersBy('m', async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return 'a';
    });
    const result = await createVote({ debaters: [{ model }], debaterCount: 7, concurrency: 2 }).execute('q');
    expect(result.votes).toBe(7);
    expect(most).toBe(2);
  });
});
