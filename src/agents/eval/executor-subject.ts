import { createAdversarial } from '../executors/adversarial.js';
import { createConsensus } from '../executors/consensus.js';
import { createDebateExecutor } from '../executors/debate.js';
import { createMultiAgentDebate } from '../executors/multi-agent-debate.js';
import { createPeerReviewExecutor } from '../executors/peer-review.js';
import type { ExecuteOptions } from '../executors/run.js';
import { createVote } from '../executors/vote.js';
import type { Model } from '../model.js';
import { ANSWER_LINE_REMINDER } from '../prompts/notice.js';
import { questionWithSources } from '../prompts/question-with-sources.js';
import { citationsIn } from '../review/citations.js';
import { indexPassages } from '../search/index-passages.js';
import type { Passage, Search } from '../search/passage.js';
import { proseWords } from '../search/words.js';
import { longestSearch } from './longest-search.js';
import type { Answerer, LongestReply, Subject } from './subject.js';

/** The executors that can be evaluated besides the checked review. The order of their models: */
export const executorModels = {
  vote: 'the voters',
  consensus: 'the debaters',
  'optional-judge': 'the debaters, then the judge',
  adversarial: 'the affirmative, the negative, the judge',
  debate: 'the proponent, the opponent, the judge',
  'peer-review': 'the producer, the reviewer',
} as const;

/** One of them. */
export type ExecutorKind = keyof typeof executorModels;

/** How many sections each question comes with. */
const RETRIEVE_K = 4;
/** These executors set no bound on replies, so the evaluation does: room for an argument. */
const REPLY_TOKENS = 600;

type Answered = (input: string, options: ExecuteOptions) => Promise<string>;

/** A model whose replies are bounded also where the executor sets no bound. */
function bounded(model: Model): Model {
  const complete: Model['complete'] = (request, options) =>
    model.complete({ ...request, maxTokens: request.maxTokens ?? REPLY_TOKENS }, options);
  return { name: model.name, complete };
}

/** The answer on its line, then the whole text of a debater that gave it: there stand its citations. */
function settled(
  answer: string | undefined,
  finals: readonly { readonly answer: string | undefined; readonly text: string }[],
  status: string,
): string {
  if (answer === undefined) return `(${status})`;
  const holder = finals.find((final) => final.answer === answer);
  return holder === undefined ? answer : `${answer}\n\n${holder.text}`;
}

/** The executor of a kind over these models, as a function from question to the text that is graded. */
function answererOf(kind: ExecutorKind, models: readonly Model[]): Answered {
  const at = (index: number): Model => {
    const model = models[index];
    if (model === undefined)
      throw new Error(`An evaluation of ${kind} needs its models in this order: ${executorModels[kind]}.`);
    return model;
  };
  const debaters = (given: readonly Model[]) => given.map((model) => ({ model }));
  switch (kind) {
    case 'vote': {
      const executor = createVote({ debaters: debaters([at(0), ...models.slice(1)]) });
      return async (input, options) => {
        const { answer, finalAnswers, status } = await executor.execute(input, options);
        return settled(answer, finalAnswers, status);
      };
    }
    case 'consensus': {
      const executor = createConsensus({ debaters: debaters([at(0), ...models.slice(1)]) });
      return async (input, options) => {
        const { answer, finalAnswers, status } = await executor.execute(input, options);
        return settled(answer, finalAnswers, status);
      };
    }
    case 'optional-judge': {
      const judge = { model: at(Math.max(1, models.length - 1)) };
      const executor = createMultiAgentDebate({ debaters: debaters(models.slice(0, -1)), judge });
      return async (input, options) => {
        const { answer, finalAnswers, status } = await executor.execute(input, options);
        return settled(answer, finalAnswers, status);
      };
    }
    case 'adversarial': {
      const sides = { affirmative: { model: at(0) }, negative: { model: at(1) }, judge: { model: at(2) } };
      const executor = createAdversarial(sides);
      return async (input, options) => {
        const { answer, lastAnswers, status } = await executor.execute(input, options);
        return settled(answer, lastAnswers, status);
      };
    }
    case 'debate': {
      const executor = createDebateExecutor({ proponent: at(0), opponent: at(1), judge: at(2) });
      return async (input, options) => (await executor.execute(input, options)).verdict;
    }
    case 'peer-review': {
      const executor = createPeerReviewExecutor({ producer: at(0), reviewer: at(1) });
      return async (input, options) => (await executor.execute(input, options)).finalOutput;
    }
  }
}

/**
 * Replies that let no executor end early: none agrees with another, no JSON can be read, nothing is approved. Where an
 * executor asks twice, the first reply is one that it cannot use.
 */
function longestReplies(kind: ExecutorKind): LongestReply {
  const asked = new Set<string>();
  return ({ prompt }, call, filler) => {
    if (kind === 'adversarial') {
      // The retry of a side repeats its prompt.
      const again = asked.has(prompt);
      asked.add(prompt);
      return again ? filler : '';
    }
    return prompt.includes(ANSWER_LINE_REMINDER) ? `${filler}\nAnswer: number ${call}` : filler;
  };
}

/**
 * An executor over a corpus, as the subject of an evaluation: each question comes with the sections that a search
 * found for it.
 */
export function executorSubject(kind: ExecutorKind, passages: readonly Passage[]): Subject {
  const over =
    (search: Search) =>
    (models: readonly Model[]): Answerer => {
      const execute = answererOf(kind, models.map(bounded));
      return async (question, signal) => {
        const text = await execute(questionWithSources(question, search(question, RETRIEVE_K)), { signal });
        return { text, citations: citationsIn(text) };
      };
    };
  return {
    kind,
    build: over(indexPassages(passages, proseWords)),
    buildLongest: over(longestSearch(passages, undefined)),
    longestReplies: () => longestReplies(kind),
  };
}
