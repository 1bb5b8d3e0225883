import { describe, expect, test } from 'vitest';
import { type AdversarialOptions, createAdversarial } from '../../../src/agents/executors/adversarial.js';
import { answersBy, type Line, promptOf, repeats, type ScriptModel, says } from '../script-models.js';

const UNDECIDED = '{"decided": false, "reason": "Not yet."}';
const DECIDED = '{"decided": true, "answer": "three", "reason": "It was shown."}';

function debate(judgeSays: readonly Line[], more: Partial<AdversarialOptions> = {}) {
  const affirmative = answersBy('aff', (_request, call) => `aff-${call}\nAnswer: two`);
  const negative = answersBy('neg', (_request, call) => `neg-${call}\nAnswer: three`);
  const judge = says('judge', ...judgeSays);
  const executor = createAdversarial({
    affirmative: { model: affirmative },
    negative: { model: negative },
    judge: { model: judge },
    ...more,
  });
  const calls = () => [affirmative.requests.length + negative.requests.length, judge.requests.length];
  return { affirmative, negative, judge, executor, calls };
}

describe('J1-J6: the rounds', () => {
  test('J11: undecided and then decided is 4 debater calls, 2 judge calls and the answer of the judge', async () => {
    const { executor, calls } = debate([UNDECIDED, DECIDED]);
    expect(await executor.execute('q')).toMatchObject({
      status: 'decided',
      answer: 'three',
      reason: 'It was shown.',
      roundsUsed: 2,
      forced: false,
    });
    expect(calls()).toEqual([4, 2]);
  });

  test('J5, J13: a decision in round 1 ends the debate and is 2 debater calls and 1 judge call', async () => {
    const { executor, calls } = debate([DECIDED]);
    await executor.execute('q');
    expect(calls()).toEqual([2, 1]);
  });

  test('J1: the cap is 3 by default, a parameter, and at least 1', async () => {
    expect((await debate([DECIDED]).executor.execute('q')).trace.settings).toEqual({ maxRounds: 3 });
    const once = debate([UNDECIDED, DECIDED], { maxRounds: 1 });
    expect(await once.executor.execute('q')).toMatchObject({ roundsUsed: 1, forced: true });
    expect(() => debate([DECIDED], { maxRounds: 0 })).toThrow('"maxRounds" must be a whole number of at least 1');
  });

  test('J2: the affirmative speaks first, to an empty transcript; the negative has it and is told to disagree', async () => {
    const { affirmative, negative, executor } = debate([DECIDED]);
    await executor.execute('Is it so?');
    expect(promptOf(affirmative, 1)).toContain('the affirmative side');
    expect(promptOf(affirmative, 1)).toContain('<question>\nIs it so?\n</question>');
    expect(promptOf(affirmative, 1)).toContain('<transcript>\n(nothing has been said yet)\n</transcript>');
    expect(promptOf(negative, 1)).toContain('<turn>\naff-1\nAnswer: two\n</turn>');
    expect(promptOf(negative, 1)).toContain('You disagree with the affirmative side, even where it sounds plausible.');
  });

  test('J3, J6: the transcript grows in order, and the sides stay fixed to the end', async () => {
    const { affirmative, negative, executor } = debate([UNDECIDED, UNDECIDED, DECIDED]);
    const { transcript } = await executor.execute('q');
    expect(transcript.map(({ round, side, text }) => [round, side, text.split('\n')[0]])).toEqual([
      [1, 'affirmative', 'aff-1'],
      [1, 'negative', 'neg-1'],
      [2, 'affirmative', 'aff-2'],
      [2, 'negative', 'neg-2'],
      [3, 'affirmative', 'aff-3'],
      [3, 'negative', 'neg-3'],
    ]);
    expect(promptOf(affirmative, 2)).toMatch(/aff-1[\s\S]*neg-1/);
    expect(affirmative.requests.every(({ prompt }) => prompt.includes('You are the affirmative side'))).toBe(true);
    expect(negative.requests.every(({ prompt }) => prompt.includes('You are the negative side'))).toBe(true);
  });

  test('J4: the judge is asked after every round, with the whole transcript so far', async () => {
    const { judge, executor } = debate([UNDECIDED, DECIDED]);
    await executor.execute('q');
    expect(promptOf(judge, 1)).toMatch(/Round 1, affirmative side:[\s\S]*Round 1, negative side:/);
    expect(promptOf(judge, 1)).not.toContain('Round 2');
    expect(promptOf(judge, 2)).toMatch(/Round 1[\s\S]*Round 2, affirmative side:[\s\S]*Round 2, negative side:/);
  });

  test('J10: the judge may be another model and is asked at temperature 0 unless told otherwise', async () => {
    const { judge, executor } = debate([DECIDED]);
    await executor.execute('q');
    expect(judge.requests[0]?.temperature).toBe(0);
    const warm = repeats('judge', DECIDED);
    await debate([], { judge: { model: warm, temperature: 0.3 } }).executor.execute('q');
    expect(warm.requests[0]?.temperature).toBe(0.3);
  });
});

describe('J7-J9, J12, J14: the judge and the cap', () => {
  const FINAL = 'This was the last round: you must pick';

  test('J12: never decided at cap 3 is 6 debater and 4 judge calls, and not settled', async () => {
    const { executor, calls } = debate([UNDECIDED, UNDECIDED, UNDECIDED, UNDECIDED]);
    expect(await executor.execute('q')).toMatchObject({ status: 'not-settled', answer: undefined, reason: undefined });
    expect(calls()).toEqual([6, 4]);
  });

  test('J7: only the one call after the cap says that the judge must pick, and its answer is marked as forced', async () => {
    const { judge, executor } = debate([UNDECIDED, UNDECIDED, UNDECIDED, DECIDED]);
    const result = await executor.execute('q');
    expect(result).toMatchObject({ status: 'decided', answer: 'three', forced: true, roundsUsed: 3 });
    expect(judge.requests.map(({ prompt }) => prompt.includes(FINAL))).toEqual([false, false, false, true]);
    const last = result.trace.steps.at(-1);
    expect([last?.title, last?.decidedBy]).toEqual(['Judge must pick', 'code']);
    expect(result.trace.steps.map(({ title }) => title)).toContain('Round cap reached');
  });

  test('J8: invalid JSON is retried once; then the round counts as undecided', async () => {
    const { judge, executor, calls } = debate(['Hm.', 'Hm.', DECIDED]);
    expect(await executor.execute('q')).toMatchObject({ answer: 'three', roundsUsed: 2 });
    expect(calls()).toEqual([4, 3]);
    expect(promptOf(judge, 2)).toContain('could not be read as JSON');
  });

  test('J8: a second reply that is valid counts, without another round', async () => {
    const { executor, calls } = debate(['Hm.', `\`\`\`json\n${DECIDED}\n\`\`\``]);
    expect(await executor.execute('q')).toMatchObject({ answer: 'three', roundsUsed: 1 });
    expect(calls()).toEqual([2, 2]);
  });

  test('J8: a judge that fails is like one that says nothing usable', async () => {
    const down = new Error('503');
    const { executor, calls } = debate([down, down, DECIDED]);
    expect(await executor.execute('q')).toMatchObject({ answer: 'three', roundsUsed: 2 });
    expect(calls()).toEqual([4, 3]);
  });

  test('J9: an unusable final reply, also after its retry, gives both last answers as not settled', async () => {
    const { executor, calls } = debate([UNDECIDED, 'Hm.', 'Hm.'], { maxRounds: 1 });
    const result = await executor.execute('q');
    expect(result).toMatchObject({ status: 'not-settled', answer: undefined, forced: false });
    expect(result.lastAnswers).toEqual([
      { debater: 'affirmative', model: 'aff', answer: 'two', text: 'aff-1\nAnswer: two' },
      { debater: 'negative', model: 'neg', answer: 'three', text: 'neg-1\nAnswer: three' },
    ]);
    expect(calls()).toEqual([2, 3]);
  });

  test.each([
    ['without an answer', '{"decided": true, "reason": "x"}'],
    ['with a blank answer', '{"decided": true, "answer": " ", "reason": "x"}'],
    ['in the text "false"', '{"decided": "false", "answer": "three"}'],
  ])('J14: decided %s decides nothing, and is not retried', async (_name, reply) => {
    const { executor, calls } = debate([reply, reply], { maxRounds: 1 });
    expect(await executor.execute('q')).toMatchObject({ status: 'not-settled' });
    expect(calls()).toEqual([2, 2]);
  });

  test('J8: a judge that echoes its prompt has decided nothing', async () => {
    const echo = answersBy('judge', ({ prompt }) => prompt);
    const { executor } = debate([], { judge: { model: echo }, maxRounds: 1 });
    expect(await executor.execute('q')).toMatchObject({ status: 'not-settled' });
  });

  test('R9: a judge that may end the debate decides; a judge that must pick does not', async () => {
    const { executor } = debate([UNDECIDED, DECIDED], { maxRounds: 1 });
    const { trace } = await executor.execute('q');
    const judged = trace.steps.filter(({ title }) => title.startsWith('Judge'));
    expect(judged.map(({ decidedBy, outcome }) => [decidedBy, outcome])).toEqual([
      ['model', 'undecided'],
      ['code', 'decided'],
    ]);
  });
});

describe('J: sides that fail or give in', () => {
  test('A21: a side that fails is asked once more; then it leaves no turn and the debate goes on', async () => {
    const affirmative = repeats('aff', new Error('down'));
    const { negative, executor, calls } = debate([UNDECIDED, DECIDED], {
      affirmative: { model: affirmative },
      maxRounds: 2,
    });
    const result = await executor.execute('q');
    expect(result.status).toBe('decided');
    expect(result.transcript.map(({ side }) => side)).toEqual(['negative', 'negative']);
    expect(result.lastAnswers[0]).toMatchObject({ debater: 'affirmative', answer: undefined, text: '' });
    expect(affirmative.requests).toHaveLength(4);
    expect(negative.requests).toHaveLength(2);
    expect(calls()).toEqual([2, 2]);
  });

  test('J9: when no side ever said anything no judge is asked to make an answer up', async () => {
    const silent = (name: string): { model: ScriptModel } => ({ model: repeats(name, '') });
    const { judge, executor } = debate([DECIDED], { affirmative: silent('a'), negative: silent('n') });
    expect(await executor.execute('q')).toMatchObject({ status: 'not-settled', transcript: [] });
    expect(judge.requests).toHaveLength(0);
  });

  test('J6: a side that concedes is a change that the result names', async () => {
    const affirmative = says('aff', 'Answer: two', 'You are right.\nAnswer: three');
    const { executor } = debate([UNDECIDED, DECIDED], { affirmative: { model: affirmative } });
    const result = await executor.execute('q');
    expect(result.changes).toEqual([{ debater: 'affirmative', round: 2, from: 'two', to: 'three' }]);
    expect(result.firstVote).toEqual({ answer: undefined, votes: 1, counted: 2 });
  });
});
