import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evalModel } from '../../../src/agents/eval/eval-model.js';
import { type Evaluation, evaluate } from '../../../src/agents/eval/evaluate.js';
import { figuresOf } from '../../../src/agents/eval/figures.js';
import { gradeByCode, readRubricGrade } from '../../../src/agents/eval/grade.js';
import type { EvalModel } from '../../../src/agents/eval/metered-model.js';
import { projectEvaluation } from '../../../src/agents/eval/project.js';
import { type Question, type QuestionSet, questionSetSchema } from '../../../src/agents/eval/question-set.js';
import { cacheKey, folderCache } from '../../../src/agents/eval/reply-cache.js';
import { evaluationFile, renderEvaluation, renderProjection } from '../../../src/agents/eval/report.js';
import { checkedReviewSubject } from '../../../src/agents/eval/review-subject.js';
import type { Model, ModelRequest } from '../../../src/agents/model.js';
import { endpointModel } from '../../../src/agents/models/endpoint-model.js';
import { chatServer, says } from '../models/chat-server.js';
import { testWorld } from '../models/test-world.js';

const ask = (more: Partial<Question>): Question => ({
  id: 'Q1',
  kind: 'lookup',
  question: 'How deep is the harbour?',
  grading: 'exact',
  accept: ['4 m'],
  require: [],
  reject: [],
  sources: ['manual#1'],
  reference: '4 m',
  ...more,
});
const setOf = (...questions: Partial<Question>[]): QuestionSet =>
  questionSetSchema.parse({
    name: 'small',
    corpus: 'corpus',
    abstain: ['not say'],
    questions: questions.map((question, at) => ask({ id: `Q${at + 1}`, ...question })),
  });
const passages = [
  { cite: 'manual#1', title: 'Depth', text: 'The harbour is 4 m deep.' },
  { cite: 'bulletin#1', title: 'Silt', text: `Since May the harbour is 3 m deep. ${'ü€'.repeat(400)}` },
];

/** A model that answers by a function and keeps what it was asked; it counts as a real one. */
function answering(name: string, reply: (request: ModelRequest, call: number) => string, tokens?: number) {
  const asked: ModelRequest[] = [];
  const model: Model = {
    name,
    complete: async (request, { signal }) => {
      signal?.throwIfAborted();
      asked.push(request);
      const usage = { inputTokens: tokens, outputTokens: tokens };
      return { text: reply(request, asked.length), usage, model: name, durationSeconds: 0, finish: 'stop' };
    },
  };
  const used: EvalModel = { model, identity: name, scripted: false, boundsReplies: true };
  return { asked, used };
}
const evaluation = (set: QuestionSet, models: readonly EvalModel[], more: Partial<Evaluation> = {}): Evaluation => ({
  set,
  subject: checkedReviewSubject(passages),
  models,
  recordedAt: '2026-07-06T12:00:00Z',
  ...more,
});

describe('E2: grading by code', () => {
  it('exact: any accept, all require, no reject, ignoring case', () => {
    const question = ask({ accept: ['four', '4 M'], require: ['deep'], reject: ['3 m'] });
    expect(gradeByCode(question, 'It is 4 m DEEP.', [])).toBe('pass');
    expect(gradeByCode(question, 'It is five deep.', [])).toBe('fail');
    expect(gradeByCode(question, 'It is 4 m.', [])).toBe('fail');
    expect(gradeByCode(question, 'It is 4 m deep, or 3 m.', [])).toBe('fail');
  });
  it('unanswerable: the gate of abstaining is in code, whatever a grader would say', () => {
    const exact = ask({ kind: 'unanswerable', accept: [], reject: ['\\d kg'] });
    expect(gradeByCode(exact, 'The sources do not say.', ['not say'])).toBe('pass');
    expect(gradeByCode(exact, 'It is heavy.', ['not say'])).toBe('fail');
    expect(gradeByCode(exact, 'They do not say, but 5 kg.', ['not say'])).toBe('fail');
    const rubric = ask({ kind: 'unanswerable', grading: 'rubric', rubric: 'r', accept: [] });
    expect(gradeByCode(rubric, 'Heavy.', ['not say'])).toBe('fail');
    expect(gradeByCode(rubric, 'They do not say.', ['not say'])).toBeUndefined();
  });
  it('rubric: left to a model', () => {
    expect(gradeByCode(ask({ grading: 'rubric', rubric: 'r' }), 'x', [])).toBeUndefined();
  });
});

describe('E2, E3: PASS or FAIL in the first line, everything else is ungraded', () => {
  it.each([
    ['PASS', 'pass'],
    [' **Pass.** ', 'pass'],
    ['"fail"\nbecause', 'fail'],
    ['FAIL!', 'fail'],
    ['PASS, mostly', 'ungraded'],
    ['The answer is a PASS', 'ungraded'],
    ['PASS/FAIL', 'ungraded'],
    ['\n\nPASS', 'pass'],
    ['', 'ungraded'],
  ])('%j', (reply, grade) => {
    expect(readRubricGrade(reply)).toBe(grade);
  });
});

describe('a set of questions', () => {
  it.each([
    ['no questions', { questions: [] }],
    ['two of the same id', { questions: [ask({}), ask({})] }],
    ['a pattern that is none', { questions: [ask({ accept: ['('] })] }],
    ['rubric grading without a rubric', { questions: [ask({ grading: 'rubric' })] }],
    ['exact grading without accept', { questions: [ask({ accept: [] })] }],
  ])('is refused with %s', (_, part) => {
    expect(questionSetSchema.safeParse({ name: 'x', corpus: 'c', abstain: [], ...part }).success).toBe(false);
  });
});

describe('an evaluation', () => {
  const wise = () =>
    [
      answering(
        'author',
        (request) => (request.prompt.includes('weigh') ? 'The sources do not say.' : '4 m [manual#1]'),
        10,
      ),
      answering(
        'reviewer',
        (request, call) =>
          call === 1 ? 'CHECK: harbour depth' : request.prompt.includes('weigh') ? 'ACCEPT' : 'REJECT: 3 m',
        5,
      ),
    ] as const;
  const set = setOf(
    {},
    { kind: 'unanswerable', question: 'What does the crane weigh?', accept: [], sources: [] },
    { kind: 'conflicting', grading: 'rubric', rubric: 'Names both.' },
  );

  it('grades, and reports reject rate, checks per question, forced verdicts, citations, calls and tokens (E5)', async () => {
    const [author, reviewer] = wise();
    const grader = answering('grader', () => 'PASS', 1);
    const run = await evaluate(evaluation(set, [author.used, reviewer.used], { grader: grader.used }));
    expect(run.questions.map((question) => question.grade)).toEqual(['pass', 'pass', 'pass']);
    expect(run.spent).toMatchObject({ calls: 8, cachedCalls: 0, tokensIn: 51, tokensOut: 51, callsWithoutUsage: 0 });
    expect(run.questions.map((question) => question.spent.calls)).toEqual([3, 2, 3]);
    const figures = figuresOf(run, set);
    expect(figures).toMatchObject({
      overall: { n: 3, passed: 3, score: 1, rejectRate: 2 / 3 },
      byKind: { conflicting: { n: 1, rejectRate: 1 }, numeric: { n: 0, score: undefined } },
      citationCoverage: 2 / 3,
      citationHitRate: 1,
      checksPerQuestion: 1 / 3,
      forcedShare: 0,
    });
    expect(renderEvaluation(run, figures)).not.toContain('SCRIPTED');
  });

  it('E3: what nobody could grade, and what failed, is not wrong', async () => {
    const [author, reviewer] = wise();
    const odd = answering('grader', () => 'Well, mostly.');
    const run = await evaluate(evaluation(set, [author.used, reviewer.used], { grader: odd.used }));
    expect(run.questions[2]).toMatchObject({ grade: 'ungraded', note: expect.stringContaining('Well, mostly.') });
    expect(figuresOf(run, set).overall).toMatchObject({ n: 3, ungraded: 1, score: 1 });

    const broken = answering('author', () => {
      throw new Error('quota used up');
    });
    const failed = await evaluate(evaluation(set, [broken.used, reviewer.used]));
    expect(failed.questions.map((question) => question.note)).toEqual(Array(3).fill('quota used up'));
    expect(figuresOf(failed, set).overall).toMatchObject({ n: 3, failed: 3, score: undefined });
  });

  it('without a grader, answers that need one are ungraded', async () => {
    const [author, reviewer] = wise();
    const run = await evaluate(evaluation(set, [author.used, reviewer.used]));
    expect(run.questions[2]).toMatchObject({ grade: 'ungraded', note: 'no model grades by rubric' });
  });

  it('returns what it has when it is stopped, without the question under way', async () => {
    const controller = new AbortController();
    const [author] = wise();
    const reviewer = answering('reviewer', (_, call) => {
      if (call === 2) controller.abort();
      return 'CHECK: harbour';
    });
    const run = await evaluate(evaluation(set, [author.used, reviewer.used], { signal: controller.signal }));
    expect(run).toMatchObject({ endedBy: 'signal', questions: [] });
    const [again, accepting] = [wise()[0], answering('reviewer', () => 'ACCEPT')];
    const later = new AbortController();
    const partial = await evaluate(
      evaluation(set, [again.used, accepting.used], { signal: later.signal, onQuestion: () => later.abort() }),
    );
    expect(partial).toMatchObject({ endedBy: 'signal', questionsTotal: 3 });
    expect(partial.questions).toHaveLength(1);
    expect(JSON.parse(evaluationFile(partial, figuresOf(partial, set)))).toMatchObject({
      partial: true,
      interrupted: true,
      questions_total: 3,
      questions: [{ id: 'Q1', grade: 'pass' }],
    });
  });

  it('begins no question once the token budget is spent; one may overshoot it', async () => {
    const [author, reviewer] = wise();
    const run = await evaluate(evaluation(set, [author.used, reviewer.used], { budgetTokens: 1 }));
    expect(run).toMatchObject({ endedBy: 'budget', questions: [{ id: 'Q1' }] });
    const silent = [answering('author', () => '4 m'), answering('reviewer', () => 'ACCEPT')].map((one) => one.used);
    const unreported = await evaluate(evaluation(set, silent, { budgetTokens: 1 }));
    expect(unreported).toMatchObject({ endedBy: 'budget', spent: { tokensIn: 0, callsWithoutUsage: 2 } });
  });

  it('E6: a run on models that say what was written beforehand is marked first of all', async () => {
    const stub = evalModel(answering('stub', () => 'x').used.model, { kind: 'stub' });
    const run = await evaluate(evaluation(set, [stub, stub]));
    expect(run.scripted).toBe(true);
    expect(renderEvaluation(run, figuresOf(run, set))).toMatch(/^SCRIPTED: .* no result\./);
    expect(JSON.parse(evaluationFile(run, figuresOf(run, set)))).toMatchObject({ scripted: true, partial: false });
  });
});

describe('the cache', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'eval-cache-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('a second run pays for nothing, and another model or prompt is not mistaken for the first', async () => {
    const set = setOf({});
    const cache = folderCache(folder);
    const author = answering('author', () => '4 m', 9);
    const reviewer = answering('reviewer', () => 'ACCEPT', 9);
    await evaluate(evaluation(set, [author.used, reviewer.used], { cache }));
    const run = await evaluate(evaluation(set, [author.used, reviewer.used], { cache }));
    expect(run.spent).toMatchObject({ calls: 0, cachedCalls: 2, tokensIn: 0 });
    expect(run.questions[0]?.grade).toBe('pass');
    const other = { ...author.used, identity: 'another' };
    expect((await evaluate(evaluation(set, [other, reviewer.used], { cache }))).spent.calls).toBe(1);
    const asked = { prompt: 'p', maxTokens: 5 };
    const keys = [asked, { prompt: 'q', maxTokens: 5 }, { prompt: 'p', maxTokens: 6 }, { ...asked, system: '' }];
    expect(new Set(keys.map((request) => cacheKey('m', request, 0))).size).toBe(4);
  });

  it('equal calls within a question are several samples, the same ones in the next run', async () => {
    const sampler = answering('m', (_, call) => `sample ${call}`);
    const vote = {
      ...checkedReviewSubject(passages),
      build:
        ([model]: readonly Model[]) =>
        async (question: string) => {
          const replies = [1, 2, 3].map(async () => (await model?.complete({ prompt: question }, {}))?.text);
          return { text: (await Promise.all(replies)).join('; '), citations: [] };
        },
    };
    const set = setOf({});
    const cache = folderCache(join(folder, 'vote'));
    const first = await evaluate(evaluation(set, [sampler.used], { subject: vote, cache }));
    // Which of the three asks the model first is not said.
    const samples = first.questions[0]?.answer?.text ?? '';
    expect(samples.split('; ').sort()).toEqual(['sample 1', 'sample 2', 'sample 3']);
    const second = await evaluate(evaluation(set, [sampler.used], { subject: vote, cache }));
    expect(second.questions[0]?.answer?.text).toBe(samples);
    expect(second.spent).toMatchObject({ calls: 0, cachedCalls: 3 });
  });
});

describe('E4: a projection without a call', () => {
  const set = setOf(
    {},
    { question: 'How deep is "it"?' },
    { kind: 'conflicting', grading: 'rubric', rubric: 'Names both.' },
  );
  const uncalled = answering('m', () => {
    throw new Error('was called');
  });

  it('a checked review is 4 calls a question, and grading by rubric one more: nothing is called', async () => {
    const { used, asked } = uncalled;
    const projection = await projectEvaluation(set, checkedReviewSubject(passages), [used, used], used);
    expect(projection).toMatchObject({ questions: 3, calls: 13, tokensOut: 3 * (300 + 120 + 120 + 60) + 10 });
    expect(asked).toEqual([]);
    expect(renderProjection(projection)).toMatch(/at most 13 calls, at most \d+ tokens .* Nothing was called\./);
  });

  it('is a true ceiling: a server that counts every byte as a token, and models that say as much as they may, stay under it', async () => {
    const subject = checkedReviewSubject(passages);
    const worst = [
      (n: number) => `CHECK: ${'"harbour" '.repeat(200)}`.slice(0, n),
      (n: number) => 'DRAFT>>> €'.repeat(200).slice(0, n),
      (n: number) => 'harbour silt depth '.repeat(200).slice(0, n),
    ];
    for (const text of worst) {
      const server = await chatServer((response, received) => {
        const { messages, max_tokens: bound } = received.body;
        const bytes = messages.reduce((sum: number, m: { content: string }) => sum + Buffer.byteLength(m.content), 0);
        says(text(bound * 4), { usage: { prompt_tokens: bytes, completion_tokens: bound } })(response, received);
      });
      const settings = server.settings();
      const model = evalModel(endpointModel('m', settings, testWorld()), settings);
      const projection = await projectEvaluation(set, subject, [model, model], model);
      const run = await evaluate(evaluation(set, [model, model], { grader: model }));
      await server.close();
      expect(run.spent.calls).toBe(server.received.length);
      expect(run.spent.calls).toBeLessThanOrEqual(projection.calls);
      expect(run.spent.tokensIn).toBeLessThanOrEqual(projection.tokensIn ?? 0);
      expect(run.spent.tokensOut).toBeLessThanOrEqual(projection.tokensOut ?? 0);
    }
  });

  it('where replies have no bound it says so instead of a number', async () => {
    const harness = { ...uncalled.used, boundsReplies: false };
    const projection = await projectEvaluation(set, checkedReviewSubject(passages), [harness, harness], undefined);
    expect(projection).toMatchObject({ calls: 12, tokensIn: undefined, tokensOut: undefined });
    expect(renderProjection(projection)).toContain('no bound on tokens: m keeps to no bound');
  });
});
