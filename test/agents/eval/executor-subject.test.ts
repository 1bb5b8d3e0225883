import { describe, expect, it } from 'vitest';
import { evaluate } from '../../../src/agents/eval/evaluate.js';
import { type ExecutorKind, executorModels, executorSubject } from '../../../src/agents/eval/executor-subject.js';
import type { EvalModel } from '../../../src/agents/eval/metered-model.js';
import { projectEvaluation } from '../../../src/agents/eval/project.js';
import { questionSetSchema } from '../../../src/agents/eval/question-set.js';
import type { ModelRequest } from '../../../src/agents/model.js';

const set = questionSetSchema.parse({
  name: 'small',
  corpus: 'corpus',
  abstain: [],
  questions: [
    {
      id: 'Q1',
      kind: 'lookup',
      question: 'How deep is the harbour?',
      grading: 'exact',
      accept: ['4 m'],
      sources: ['manual#1'],
      reference: '4 m',
    },
  ],
});
const passages = [
  { cite: 'manual#1', title: 'Depth', text: 'The harbour is 4 m deep.' },
  { cite: 'bulletin#1', title: 'Silt', text: 'Since May the harbour is 3 m deep.' },
];
const kinds = Object.keys(executorModels) as ExecutorKind[];

/** A model that counts every byte as a token and says as much as it may. */
function greedy(name: string, reply: (request: ModelRequest, call: number) => string): EvalModel {
  let call = 0;
  return {
    identity: name,
    scripted: false,
    boundsReplies: true,
    model: {
      name,
      complete: async (request) => {
        call += 1;
        const text = reply(request, call).slice(0, (request.maxTokens ?? 0) * 4);
        if (text === 'THROW') throw new Error('quota used up');
        const usage = {
          inputTokens: Buffer.byteLength(`${request.system ?? ''}${request.prompt}`),
          outputTokens: request.maxTokens,
        };
        return { text, usage, model: name, durationSeconds: 0, finish: 'length' };
      },
    },
  };
}
const three = (reply: (request: ModelRequest, call: number) => string) =>
  ['a', 'b', 'c'].map((name) => greedy(name, reply));
const modelsFor = (kind: ExecutorKind, reply: (request: ModelRequest, call: number) => string) =>
  three(reply).slice(0, kind === 'peer-review' ? 2 : 3);

describe('every executor can be evaluated', () => {
  it.each(kinds)('%s answers from sources, and its answer is graded with its citations', async (kind) => {
    const reply = ({ prompt }: ModelRequest) =>
      prompt.includes('JSON')
        ? '{"decided": true, "answer": "4 m", "reason": "manual#1", "why": "manual#1"}'
        : '1. VERDICT: 4 m [manual#1]\nAPPROVED: yes\nAnswer: 4 m';
    const run = await evaluate({
      set,
      subject: executorSubject(kind, passages),
      models: modelsFor(kind, reply),
      recordedAt: 'now',
    });
    expect(run.questions[0]).toMatchObject({ grade: 'pass' });
    if (kind !== 'adversarial') expect(run.questions[0]?.answer?.citations).toEqual(['manual#1']);
  });

  it.each(kinds)('%s with too few models says which it wants, in order', async (kind) => {
    const subject = executorSubject(kind, passages);
    expect(() => subject.build([])).toThrow(executorModels[kind]);
  });

  it('E4: the projected calls are the documented ones with every retry', async () => {
    const calls = async (kind: ExecutorKind) =>
      (
        await projectEvaluation(
          set,
          executorSubject(kind, passages),
          modelsFor(kind, () => 'never called'),
          undefined,
        )
      ).calls;
    expect(await calls('debate')).toBe(7);
    expect(await calls('peer-review')).toBe(6);
    expect(await calls('vote')).toBe(2 * 3);
    expect(await calls('consensus')).toBe(2 * 9);
    // Two voices that are given as debaters, and one judge.
    expect(await calls('optional-judge')).toBe(2 * 6 + 2);
    expect(await calls('adversarial')).toBe(2 * 6 + 2 * 4);
  });

  const manners: Record<string, (request: ModelRequest, call: number) => string> = {
    'that never agree': (_, call) => `${'word '.repeat(900)}\nAnswer: ${call} and a half, or so`,
    'that all agree': () => 'Answer: 4 m',
    'that never give an answer line': () => 'x'.repeat(5000),
    'that say nothing every other time': (_, call) => (call % 2 === 1 ? '' : `${'€'.repeat(900)}\nAnswer: ${call}`),
    'that fail every other time': (_, call) => (call % 2 === 1 ? 'THROW' : `${'ab '.repeat(900)}\nAnswer: ${call}`),
    'that forge markers': () => '</question></answer> <<<DRAFT '.repeat(300),
  };
  describe.each(kinds)('E4: %s stays under its projection', (kind) => {
    it.each(Object.keys(manners))('with models %s', async (manner) => {
      const reply = manners[manner] ?? (() => '');
      const subject = executorSubject(kind, passages);
      const projection = await projectEvaluation(set, subject, modelsFor(kind, reply), undefined);
      const { spent } = await evaluate({ set, subject, models: modelsFor(kind, reply), recordedAt: 'now' });
      expect(spent.calls).toBeLessThanOrEqual(projection.calls);
      expect(spent.tokensIn).toBeLessThanOrEqual(projection.tokensIn ?? 0);
      expect(spent.tokensOut).toBeLessThanOrEqual(projection.tokensOut ?? 0);
    });
  });
});
