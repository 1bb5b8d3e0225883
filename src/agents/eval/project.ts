import type { Model, ModelRequest } from '../model.js';
import { rubricPrompt } from '../prompts/rubric-grader.js';
import { GRADER_TOKENS } from './evaluate.js';
import type { EvalModel } from './metered-model.js';
import type { QuestionSet } from './question-set.js';
import type { LongestReply, Subject } from './subject.js';

/** What an evaluation can cost at most (rule E4). Nothing was called to find it. */
export interface Projection {
  readonly questions: number;
  /** Retries after 429 and 5xx are not counted; they bring no tokens. */
  readonly calls: number;
  /** Undefined when some reply has no bound: a harness, or an executor that sets none. */
  readonly tokensIn: number | undefined;
  readonly tokensOut: number | undefined;
  /** Why there is no bound on tokens. */
  readonly unbounded: string | undefined;
}

/** What chat templates put around a prompt, in tokens; the longest known ones take a little over a hundred. */
const TEMPLATE_TOKENS = 256;
/**
 * A stand-in's reply is so many bytes for each token that the request allows: more than a reader of it counts again.
 */
const BYTES_PER_REPLY_TOKEN = 8;

/** A model that calls nothing, replies at full length, and counts what the real one could take at most. */
function standIn(evalModel: EvalModel, reply: LongestReply, count: Counter): Model {
  return {
    name: evalModel.model.name,
    complete: async (request) => {
      const call = count.add(evalModel, request);
      const text = reply(request, call, 'x'.repeat((request.maxTokens ?? 0) * BYTES_PER_REPLY_TOKEN));
      const usage = { inputTokens: undefined, outputTokens: undefined };
      return { text, usage, model: evalModel.model.name, durationSeconds: 0, finish: 'length' };
    },
  };
}

interface Counter {
  /** Counts a call; returns its number. */
  add(model: EvalModel, request: ModelRequest): number;
  projection(questions: number): Projection;
}

function startCounter(): Counter {
  let calls = 0;
  let tokensIn = 0;
  let tokensOut = 0;
  let unbounded: string | undefined;
  return {
    add: (model, request) => {
      calls += 1;
      // A tokenizer makes at least one byte of each token, so a text has no more tokens than bytes.
      tokensIn += Buffer.byteLength(`${request.system ?? ''}${request.prompt}`) + TEMPLATE_TOKENS;
      tokensOut += request.maxTokens ?? 0;
      if (!model.boundsReplies) unbounded ??= `${model.model.name} keeps to no bound on its replies`;
      if (request.maxTokens === undefined) unbounded ??= 'this executor sets no bound on replies';
      return calls;
    },
    projection: (questions) => ({
      questions,
      calls,
      tokensIn: unbounded === undefined ? tokensIn : undefined,
      tokensOut: unbounded === undefined ? tokensOut : undefined,
      unbounded,
    }),
  };
}

/**
 * The most that an evaluation of this set can cost, without a call: each question is put to the executor on its
 * longest path, with replies at their full length, and grading by rubric is added.
 */
export async function projectEvaluation(
  set: QuestionSet,
  subject: Subject,
  models: readonly EvalModel[],
  grader: EvalModel | undefined,
): Promise<Projection> {
  const counter = startCounter();
  for (const question of set.questions) {
    const reply = subject.longestReplies();
    const answer = subject.buildLongest(models.map((model) => standIn(model, reply, counter)));
    const { text } = await answer(question.question, undefined);
    if (question.grading !== 'rubric' || grader === undefined) continue;
    counter.add(grader, {
      prompt: rubricPrompt(question.question, question.rubric ?? '', text),
      maxTokens: GRADER_TOKENS,
    });
  }
  return counter.projection(set.questions.length);
}
