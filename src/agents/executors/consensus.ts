import * as z from 'zod/mini';
import { updateAnswer } from '../prompts/multi-agent-debate.js';
import type { Trace } from '../trace.js';
import { type AnswerRound, type DebaterAnswer, finalAnswersOf } from './answers.js';
import { countProblem, debatersOf, debatersOptions } from './debaters.js';
import type { Executor } from './executor.js';
import { type Change, changesOf, isUnanimous, type Vote, voteOf } from './majority.js';
import { concurrencyOption, countOption, environmentOptions, readOptions, refuseOptions } from './options.js';
import { answerRounds } from './revision.js';
import { startRun } from './run.js';

const OptionsSchema = z.strictObject({
  ...debatersOptions,
  maxRounds: countOption(0, 2),
  concurrency: concurrencyOption,
  ...environmentOptions,
});

/** The debaters, 3 unless more are given; an odd number avoids most ties; `maxRounds` 2 (rule C1). */
export type ConsensusOptions = z.input<typeof OptionsSchema>;

/** What a consensus came to, with the vote that it must be held against. No model decided any of it (rule C2). */
export interface ConsensusResult {
  readonly status: 'consensus' | 'majority' | 'no-consensus';
  /** Undefined exactly if there is no majority after the last round (rule C6). */
  readonly answer: string | undefined;
  readonly finalAnswers: readonly DebaterAnswer[];
  /** The majority of the first answers: what a vote without any debate would have said. */
  readonly firstVote: Vote;
  readonly changes: readonly Change[];
  /** Every debater's answer per round; round 0 are the first answers (rule C7). */
  readonly rounds: readonly AnswerRound[];
  /** Rounds after the first answers. */
  readonly roundsUsed: number;
  readonly trace: Trace;
}

/** Several debaters answer and update until they agree; otherwise the majority wins. */
export type Consensus = Executor<ConsensusResult>;

/**
 * Builds a consensus without a judge (rules C1-C10): parallel first answers, at most `maxRounds` parallel updates, an
 * end as soon as all answers that count agree, then the majority.
 *
 * @throws ExecutorOptionsError when an option is missing or wrong.
 */
export function createConsensus(given: ConsensusOptions): Consensus {
  const name = 'consensus';
  const options = readOptions(name, OptionsSchema, given);
  const { maxRounds, rng } = options;
  const debaters = debatersOf(options.debaters, options.debaterCount);
  const problem = countProblem(options, 2);
  if (problem !== undefined) refuseOptions(name, problem);
  return {
    name,
    execute: async (question, executeOptions = {}) => {
      const run = startRun(
        {
          executor: name,
          models: debaters.map(({ model }) => model),
          settings: { debaters: debaters.length, maxRounds },
          environment: options,
          concurrency: options.concurrency,
        },
        executeOptions,
      );
      const rounds = await answerRounds(run, { debaters, question, maxRounds, rng, promptOf: updateAnswer });
      const finalAnswers = finalAnswersOf(rounds);
      const vote = voteOf(finalAnswers);
      return {
        status: isUnanimous(vote) ? 'consensus' : vote.answer === undefined ? 'no-consensus' : 'majority',
        answer: vote.answer,
        finalAnswers,
        firstVote: voteOf(rounds[0]?.answers ?? []),
        changes: changesOf(rounds),
        rounds,
        roundsUsed: rounds.length - 1,
        trace: run.trace(),
      };
    },
  };
}
