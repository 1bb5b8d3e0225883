import { describe, expect, test } from 'vitest';
import { type ConsensusOptions, createConsensus } from '../../../src/agents/executors/consensus.js';
import { answersBy, type Line, promptOf, repeats, type ScriptModel, says, seededRng } from '../script-models.js';

function consensus(scripts: readonly (readonly Line[])[], more: Partial<ConsensusOptions> = {}) {
  const models = scripts.map((lines, index) => says(`m${index + 1}`, ...lines));
  const debaters = models.map((model) => ({ model }));
  const calls = () => models.reduce((sum, { requests }) => sum + requests.length, 0);
  return { models, calls, executor: createConsensus({ debaters, rng: seededRng(1), ...more }) };
}

describe('C1-C10: consensus without a judge', () => {
  test('C8: yes, no, no and then no, no, no is 6 debater calls and the answer no', async () => {
    const { executor, calls } = consensus([
      ['yes', 'no'],
      ['no', 'no'],
      ['no', 'no'],
    ]);
    expect(await executor.execute('q')).toMatchObject({ status: 'consensus', answer: 'no', roundsUsed: 1 });
    expect(calls()).toBe(6);
  });

  test('C1: three debaters and two rounds are the defaults; both are parameters', async () => {
    const model = answersBy('m', (_request, call) => `answer ${call}`);
    const byDefault = await createConsensus({ debaters: [{ model }] }).execute('q');
    expect(byDefault.trace.settings).toEqual({ debaters: 3, maxRounds: 2 });
    expect(model.requests).toHaveLength(9);
    const five = answersBy('m', (_request, call) => `answer ${call}`);
    await createConsensus({ debaters: [{ model: five }], debaterCount: 5, maxRounds: 1 }).execute('q');
    expect(five.requests).toHaveLength(10);
    expect(() => createConsensus({ debaters: [{ model }], debaterCount: 1 })).toThrow(
      '"debaterCount" must be at least 2',
    );
  });

  test('C2: no model decides anything: a judge is no option, and every step is decided by code', async () => {
    const { executor } = consensus([
      ['a', 'b', 'c'],
      ['b', 'c', 'd'],
      ['c', 'd', 'e'],
    ]);
    const { trace } = await executor.execute('q');
    expect(trace.steps.every(({ decidedBy }) => decidedBy === 'code')).toBe(true);
    const withJudge = { debaters: [{ model: repeats('m', 'a') }], judge: { model: repeats('j', '{}') } };
    expect(() => createConsensus(withJudge as ConsensusOptions)).toThrow('there is no option "judge"');
  });

  test('C3, C9: an update has the question and the full answer of each other in a tag of its own, not the own answer', async () => {
    const { models, executor } = consensus([
      ['first reasons\nyes', 'no'],
      ['second reasons\nno', 'no'],
      ['third reasons\nperhaps', 'no'],
    ]);
    await executor.execute('Is it so?');
    const prompt = promptOf(models[0] as ScriptModel, 2);
    expect(prompt).toContain('<question>\nIs it so?\n</question>');
    expect(prompt).toContain('<agent_answer>\nsecond reasons\nno\n</agent_answer>');
    expect(prompt).toContain('<agent_answer>\nthird reasons\nperhaps\n</agent_answer>');
    expect(prompt).not.toContain('first reasons');
  });

  test('C4: agreement is checked after the first answers and after every round', async () => {
    const atOnce = consensus([['No'], ['no.'], ['NO']]);
    expect(await atOnce.executor.execute('q')).toMatchObject({ status: 'consensus', roundsUsed: 0 });
    expect(atOnce.calls()).toBe(3);
    const later = consensus([
      ['a', 'a', 'c'],
      ['b', 'b', 'c'],
      ['c', 'c', 'c'],
    ]);
    expect(await later.executor.execute('q')).toMatchObject({ status: 'consensus', answer: 'c', roundsUsed: 2 });
  });

  test('C5: without an answer line after one retry a debater is out of that round only and may return', async () => {
    const { executor, calls } = consensus([
      ['', '', 'no'],
      ['yes', 'no'],
      ['no', 'no'],
    ]);
    const result = await executor.execute('q');
    expect(result.rounds[0]?.answers[0]).toMatchObject({ answer: undefined, text: '' });
    expect(result).toMatchObject({ status: 'consensus', answer: 'no', roundsUsed: 1 });
    expect(result.rounds[1]?.answers.map(({ answer }) => answer)).toEqual(['no', 'no', 'no']);
    expect(calls()).toBe(7);
  });

  test('C6: at the end the majority with every final answer; without one all answers and no consensus', async () => {
    const majority = await consensus([
      ['a', 'a', 'a'],
      ['a', 'a', 'a'],
      ['b', 'b', 'b'],
    ]).executor.execute('q');
    expect(majority).toMatchObject({ status: 'majority', answer: 'a', roundsUsed: 2 });
    expect(majority.finalAnswers.map(({ answer }) => answer)).toEqual(['a', 'a', 'b']);
    const none = await consensus([
      ['a', 'a', 'a'],
      ['b', 'b', 'b'],
      ['c', 'c', 'c'],
    ]).executor.execute('q');
    expect(none).toMatchObject({ status: 'no-consensus', answer: undefined });
    expect(none.finalAnswers.map(({ answer }) => answer)).toEqual(['a', 'b', 'c']);
  });

  test('C7: every answer of every round is kept, with who changed and when', async () => {
    const { executor } = consensus([
      ['yes', 'no'],
      ['no', 'no'],
      ['no', 'no'],
    ]);
    const result = await executor.execute('q');
    expect(result.rounds.map(({ round, answers }) => [round, answers.map(({ answer }) => answer)])).toEqual([
      [0, ['yes', 'no', 'no']],
      [1, ['no', 'no', 'no']],
    ]);
    expect(result.changes).toEqual([{ debater: 'debater 1', round: 1, from: 'yes', to: 'no' }]);
    expect(result.firstVote).toEqual({ answer: 'no', votes: 2, counted: 3 });
  });

  test('C10: an even number is allowed; one to one and two to two are no majority', async () => {
    const two = await consensus([
      ['a', 'a', 'a'],
      ['b', 'b', 'b'],
    ]).executor.execute('q');
    expect(two).toMatchObject({ status: 'no-consensus', answer: undefined });
    const four = consensus([['a'], ['a'], ['b'], ['b']], { maxRounds: 0 });
    expect(await four.executor.execute('q')).toMatchObject({ status: 'no-consensus', answer: undefined });
  });
});
