import { describe, expect, test } from 'vitest';
import {
  createMultiAgentDebate,
  type MultiAgentDebateOptions,
} from '../../../src/agents/executors/multi-agent-debate.js';
import { countsOf } from '../../../src/agents/trace.js';
import { answersBy, type Line, promptOf, repeats, type ScriptModel, says, seededRng } from '../script-models.js';

const RULING = '{"answer": "maybe", "why": "Because."}';

function seats(models: readonly ScriptModel[]) {
  return { debaters: models.map((model) => ({ model })), rng: seededRng(1) };
}

function total(models: readonly ScriptModel[]): number {
  return models.reduce((sum, { requests }) => sum + requests.length, 0);
}

function debate(scripts: readonly (readonly Line[])[], more: Partial<MultiAgentDebateOptions> = {}) {
  const models = scripts.map((lines, index) => says(`m${index + 1}`, ...lines));
  return { models, executor: createMultiAgentDebate({ ...seats(models), ...more }) };
}

describe('A1-A6: how the debate runs', () => {
  test('A18: yes, no, no and then no, no, no is exactly 6 debater calls, no judge call and the answer no', async () => {
    const judge = repeats('judge', RULING);
    const { models, executor } = debate(
      [
        ['yes', 'no'],
        ['no', 'no'],
        ['no', 'no'],
      ],
      { judge: { model: judge } },
    );
    const result = await executor.execute('Is it so?');
    expect(result).toMatchObject({ status: 'unanimous', answer: 'no', why: undefined, roundsUsed: 1 });
    expect(total(models)).toBe(6);
    expect(judge.requests).toHaveLength(0);
  });

  test('A1: three debaters and two rounds are the defaults, and one model can fill all seats', async () => {
    const model = answersBy('m', (_request, call) => `answer ${call}`);
    const result = await createMultiAgentDebate({ debaters: [{ model }] }).execute('q');
    expect(result.finalAnswers).toHaveLength(3);
    expect(result.roundsUsed).toBe(2);
    expect(result.trace.settings).toEqual({ debaters: 3, maxRounds: 2, alwaysJudge: false });
  });

  test('A1: number of debaters and round cap are parameters', async () => {
    const model = answersBy('m', (_request, call) => `answer ${call}`);
    const result = await createMultiAgentDebate({ debaters: [{ model }], debaterCount: 5, maxRounds: 1 }).execute('q');
    expect(result.finalAnswers).toHaveLength(5);
    expect(model.requests).toHaveLength(10);
  });

  test.each([
    [{ maxRounds: -1 }, '"maxRounds" must be a whole number of at least 0'],
    [{ debaters: [] }, '"debaters" must have at least one debater'],
    [{ debaterCount: 1 }, '"debaterCount" must be at least 2'],
    [{ alwaysJudge: true }, '"alwaysJudge" is set, but no "judge" is given'],
    [{ concurrency: 0 }, '"concurrency" must be at least 1'],
  ])('A1: options that cannot work are refused: %j', (more, message) => {
    const given = { debaters: [{ model: repeats('m', 'yes') }], ...more };
    expect(() => createMultiAgentDebate(given)).toThrow(message);
  });

  test('A1: a count that would leave a given debater out is refused', () => {
    const debaters = ['a', 'b', 'c'].map((name) => ({ model: repeats(name, 'yes') }));
    expect(() => createMultiAgentDebate({ debaters, debaterCount: 2 })).toThrow('"debaterCount" is 2, but 3 debaters');
  });

  test('A2: the first answers start together, before any of them is there, and know nothing of each other', async () => {
    let started = 0;
    let open = (): void => undefined;
    const allStarted = new Promise<void>((resolve) => {
      open = resolve;
    });
    const models = ['a', 'b', 'c', 'd', 'e'].map((name) =>
      answersBy(name, async () => {
        started += 1;
        if (started === 5) open();
        await allStarted;
        return 'yes';
      }),
    );
    const result = await createMultiAgentDebate(seats(models)).execute('Is it so?');
    expect(result.answer).toBe('yes');
    expect(new Set(models.map((model) => promptOf(model, 1))).size).toBe(1);
  });

  test('A3: the first prompt asks for a one-line answer at the end', async () => {
    const { models, executor } = debate([['yes'], ['yes'], ['yes']]);
    await executor.execute('Is it so?');
    expect(promptOf(models[0] as ScriptModel, 1)).toContain('<question>\nIs it so?\n</question>');
    expect(promptOf(models[0] as ScriptModel, 1)).toContain('End with one line that begins with "Answer:"');
  });

  test('A4: a revision has the name, the question, the own previous answer and all others, the own not among them', async () => {
    const { models, executor } = debate(
      [
        ['one\nAnswer: yes', 'no'],
        ['two\nAnswer: no', 'no'],
        ['three\nAnswer: perhaps', 'no'],
      ],
      {},
    );
    await executor.execute('Is it so?');
    const prompt = promptOf(models[1] as ScriptModel, 2);
    expect(prompt).toContain('You are debater 2,');
    expect(prompt).toContain('<question>\nIs it so?\n</question>');
    expect(prompt).toContain('<your_previous_answer>\ntwo\nAnswer: no\n</your_previous_answer>');
    const others = /<other_answers>\n([\s\S]*)\n<\/other_answers>/.exec(prompt)?.[1] ?? '';
    expect(others).toContain('<agent_answer>\none\nAnswer: yes\n</agent_answer>');
    expect(others).toContain('<agent_answer>\nthree\nAnswer: perhaps\n</agent_answer>');
    expect(others).not.toContain('two');
    expect(prompt).toContain('Agreeing is no reason to change an answer.');
  });

  test('A5: a round is asked in parallel and uses only what was said before it', async () => {
    const waiting: (() => void)[] = [];
    const model = (name: string, first: string) =>
      answersBy(name, async (_request, call) => {
        if (call === 1) return first;
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          if (waiting.length === 3) for (const go of waiting) go();
        });
        return `round one of ${name}\nsame`;
      });
    const models = [model('a', 'first of a'), model('b', 'first of b'), model('c', 'first of c')];
    const result = await createMultiAgentDebate(seats(models)).execute('q');
    expect(result).toMatchObject({ answer: 'same', roundsUsed: 1 });
    for (const each of models) expect(promptOf(each, 2)).not.toContain('round one');
  });

  test('A6: the order of the others is shuffled by the given randomness, and the same randomness gives the same order', async () => {
    const orders = async (seed: number) => {
      const models = [1, 2, 3, 4].map((n) => answersBy(`m${n}`, (_request, call) => `answer ${n} of ${call}`));
      await createMultiAgentDebate({ ...seats(models), maxRounds: 1, rng: seededRng(seed) }).execute('q');
      return models.map((model) =>
        [...promptOf(model, 2).matchAll(/answer (\d) of 1\n<\/agent/g)].map(([, n]) => n).join(''),
      );
    };
    expect(await orders(7)).toEqual(await orders(7));
    const seen = new Set((await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(orders))).map(([first]) => first));
    expect(seen.size).toBeGreaterThan(1);
    for (const order of seen) expect([...(order ?? '')].sort().join('')).toBe('234');
  });

  test('A17: debaters vary by model, temperature or persona, and it is noted when they do not', async () => {
    const model = repeats('m', 'yes');
    const varied = await createMultiAgentDebate({
      debaters: [
        { model, persona: 'You doubt.', temperature: 0.2 },
        { model, persona: 'You count.', temperature: 0.9 },
      ],
    }).execute('q');
    expect(model.requests.map(({ system, temperature }) => [system, temperature])).toEqual([
      ['You doubt.', 0.2],
      ['You count.', 0.9],
    ]);
    const titles = (steps: readonly { title: string }[]) => steps.map(({ title }) => title);
    expect(titles(varied.trace.steps)).not.toContain('Debaters are not varied');
    const alike = await createMultiAgentDebate({ debaters: [{ model: repeats('m', 'yes') }] }).execute('q');
    expect(titles(alike.trace.steps)).toContain('Debaters are not varied');
  });
});

describe('A7-A10, A20-A22: what counts as an answer', () => {
  test('A7: answers that differ in case, blanks and punctuation are the same and stop the rounds at once', async () => {
    const { models, executor } = debate([['**No.**'], ['Answer: no'], ['So:\n NO! ']]);
    expect(await executor.execute('q')).toMatchObject({ status: 'unanimous', roundsUsed: 0 });
    expect(total(models)).toBe(3);
  });

  test('A8: a bare majority of two in three does not stop early', async () => {
    const { models, executor } = debate([
      ['yes', 'yes', 'yes'],
      ['no', 'no', 'no'],
      ['no', 'no', 'no'],
    ]);
    expect(await executor.execute('q')).toMatchObject({ status: 'majority', answer: 'no', roundsUsed: 2 });
    expect(total(models)).toBe(9);
  });

  test('A9: a reply without an answer line is retried once with a reminder; the second reply counts', async () => {
    const long = `I think.\n${'word '.repeat(60)}`;
    const { models, executor } = debate([[long, 'no'], ['no'], ['no']]);
    expect(await executor.execute('q')).toMatchObject({ status: 'unanimous', answer: 'no', roundsUsed: 0 });
    expect(total(models)).toBe(4);
    const [retried] = models as [ScriptModel];
    expect(promptOf(retried, 2).startsWith(promptOf(retried, 1))).toBe(true);
    expect(promptOf(retried, 2)).toContain('had no usable answer line');
  });

  test('A9: without an answer line after the retry the debater is out of the vote, and its text stays in the output', async () => {
    const refusal = "I can't fulfill this request.";
    const { models, executor } = debate([[refusal, refusal], ['no'], ['No.']]);
    const result = await executor.execute('q');
    expect(result).toMatchObject({ status: 'unanimous', answer: 'no', firstVote: { votes: 2, counted: 2 } });
    expect(result.finalAnswers[0]).toEqual({ debater: 'debater 1', model: 'm1', answer: undefined, text: refusal });
    expect(total(models)).toBe(4);
  });

  test('A20: with no countable answer there is no vote for an empty text, no judge, and no answer', async () => {
    const judge = repeats('judge', RULING);
    const models = [1, 2, 3].map((n) => repeats(`m${n}`, ''));
    const result = await createMultiAgentDebate({ ...seats(models), judge: { model: judge } }).execute('q');
    expect(result).toMatchObject({ status: 'not-converged', answer: undefined, firstVote: { votes: 0, counted: 0 } });
    expect(judge.requests).toHaveLength(0);
    expect(total(models)).toBe(6);
  });

  test('A7: a single countable answer agrees with nobody, so the rounds go on', async () => {
    const failing = [repeats('m1', new Error('down')), repeats('m2', new Error('down'))];
    const models = [...failing, repeats('m3', 'yes')];
    const result = await createMultiAgentDebate(seats(models)).execute('q');
    expect(result).toMatchObject({ status: 'majority', answer: 'yes', roundsUsed: 2, firstVote: { counted: 1 } });
  });

  test('A21: a debater that throws is retried once with the same prompt, then it is left out; the others go on', async () => {
    const down = repeats('m1', new Error('429'));
    const models = [down, says('m2', 'yes', 'no'), says('m3', 'no', 'no')];
    const result = await createMultiAgentDebate(seats(models)).execute('q');
    expect(result).toMatchObject({ status: 'unanimous', answer: 'no', roundsUsed: 1 });
    expect(down.requests).toHaveLength(4);
    expect(promptOf(down, 2)).toBe(promptOf(down, 1));
    expect(countsOf(result.trace)).toMatchObject({ calls: 8, failedCalls: 4 });
  });

  test('A16: what a debater had said before it failed is not lost', async () => {
    const models = [
      says('m1', 'because\nyes', new Error('x'), new Error('x')),
      says('m2', 'no', 'no'),
      says('m3', 'no', 'no'),
    ];
    const result = await createMultiAgentDebate({ ...seats(models), maxRounds: 1 }).execute('q');
    expect(result.finalAnswers[0]).toMatchObject({ answer: undefined, text: 'because\nyes' });
  });

  test('A22: answers are compared in normal form, and the first original is returned', async () => {
    const { executor } = debate([['Answer: **8,000.**'], ['8000'], ['\\boxed{8000}']]);
    expect(await executor.execute('q')).toMatchObject({ status: 'unanimous', answer: '8,000.' });
  });
});

describe('A11-A16, A19: how it is settled', () => {
  const split = [
    ['a', 'a', 'a'],
    ['b', 'b', 'b'],
    ['c', 'c', 'c'],
  ] as const;

  test('A11: the majority is more than half of the counted answers', async () => {
    const { executor } = debate([['a'], ['a'], ['b'], ['c']], { maxRounds: 0 });
    expect(await executor.execute('q')).toMatchObject({ status: 'not-converged', answer: undefined });
  });

  test('A12: no judge call with a majority, one without', async () => {
    const judge = repeats('judge', RULING);
    const decided = debate([['a'], ['a'], ['b']], { maxRounds: 0, judge: { model: judge } });
    expect(await decided.executor.execute('q')).toMatchObject({ status: 'majority', answer: 'a' });
    expect(judge.requests).toHaveLength(0);
    const undecided = debate(split, { judge: { model: judge } });
    expect(await undecided.executor.execute('q')).toMatchObject({ status: 'judged', answer: 'maybe', why: 'Because.' });
    expect(judge.requests).toHaveLength(1);
  });

  test('A12: with alwaysJudge the judge rules even over unanimous answers', async () => {
    const judge = repeats('judge', RULING);
    const { executor } = debate([['a'], ['a'], ['a']], { judge: { model: judge }, alwaysJudge: true });
    expect(await executor.execute('q')).toMatchObject({
      status: 'judged',
      answer: 'maybe',
      firstVote: { answer: 'a' },
    });
  });

  test('A13: the judge has the number, the rounds that ran, the question and the final answers, at temperature 0', async () => {
    const judge = repeats('judge', RULING);
    await debate(split, { judge: { model: judge } }).executor.execute('Is it so?');
    const prompt = promptOf(judge, 1);
    expect(prompt).toContain('3 debaters have answered the question, over 2 rounds');
    expect(prompt).toContain('<question>\nIs it so?\n</question>');
    const answers = /<final_answers>\n([\s\S]*)\n<\/final_answers>/.exec(prompt)?.[1] ?? '';
    for (const answer of ['a', 'b', 'c']) expect(answers).toContain(`<agent_answer>\n${answer}\n</agent_answer>`);
    expect(judge.requests[0]?.temperature).toBe(0);
  });

  test('A14: an invalid ruling is retried once with a reminder, and the second ruling counts', async () => {
    const judge = says('judge', "I'd say a.", RULING);
    const { executor } = debate(split, { judge: { model: judge } });
    expect(await executor.execute('q')).toMatchObject({ status: 'judged', answer: 'maybe' });
    expect(promptOf(judge, 2)).toContain('JSON object alone: no code fence');
  });

  test('A14: a judge that echoes its prompt has not ruled', async () => {
    const judge = answersBy('judge', ({ prompt }) => prompt);
    const { executor } = debate(split, { judge: { model: judge } });
    expect(await executor.execute('q')).toMatchObject({ status: 'not-converged' });
  });

  test.each([
    ['prose', "I'd say a."],
    ['a failure', new Error('503')],
  ])(
    'A14: after two unusable replies (%s) the majority stands if there is one, else all answers come back',
    async (_name, line) => {
      const judge = repeats('judge', line);
      const without = await debate(split, { judge: { model: judge } }).executor.execute('q');
      expect(without).toMatchObject({ status: 'not-converged', answer: undefined });
      expect(without.finalAnswers.map(({ answer }) => answer)).toEqual(['a', 'b', 'c']);
      expect(judge.requests).toHaveLength(2);
      const more = { judge: { model: judge }, alwaysJudge: true, maxRounds: 0 };
      const withMajority = await debate([['a'], ['a'], ['b']], more).executor.execute('q');
      expect(withMajority).toMatchObject({ status: 'majority', answer: 'a', why: undefined });
    },
  );

  test('A15: without majority and judge all final answers come back as not converged', async () => {
    const result = await debate(split).executor.execute('q');
    expect(result).toMatchObject({ status: 'not-converged', answer: undefined, why: undefined });
    expect(result.finalAnswers.map(({ debater, text }) => [debater, text])).toEqual([
      ['debater 1', 'a'],
      ['debater 2', 'b'],
      ['debater 3', 'c'],
    ]);
  });

  test('A16: the result has the vote of the first answers beside it, and who changed from what to what', async () => {
    const { executor } = debate([
      ['yes', 'yes', 'no'],
      ['no', 'yes', 'no'],
      ['no', 'no', 'no'],
    ]);
    const result = await executor.execute('q');
    expect(result.firstVote).toEqual({ answer: 'no', votes: 2, counted: 3 });
    expect(result.changes).toEqual([
      { debater: 'debater 2', round: 1, from: 'no', to: 'yes' },
      { debater: 'debater 1', round: 2, from: 'yes', to: 'no' },
      { debater: 'debater 2', round: 2, from: 'yes', to: 'no' },
    ]);
    expect(result.rounds.map(({ round }) => round)).toEqual([0, 1, 2]);
  });

  test('A19: three to nine debater calls and at most two of the judge', async () => {
    const judge = repeats('judge', 'no JSON');
    const least = debate([['a'], ['a'], ['a']], { judge: { model: judge } });
    await least.executor.execute('q');
    expect([total(least.models), judge.requests.length]).toEqual([3, 0]);
    const most = debate(split, { judge: { model: judge } });
    await most.executor.execute('q');
    expect([total(most.models), judge.requests.length]).toEqual([9, 2]);
  });
});
