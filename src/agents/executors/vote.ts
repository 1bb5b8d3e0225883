import * as z from 'zod/mini';
import type { Trace } from '../trace.js';
import type { DebaterAnswer } from './answers.js';
import { countProblem, debatersOf, debatersOptions } from './debaters.js';
import type { Executor } from './executor.js';
import { isUnanimous, type Vote, voteOf } from './majority.js';
import { concurrencyOption, environmentOptions, readOptions, refuseOptions } from './options.js';
import { firstAnswers } from './revision.js';
import { startRun } from './run.js';

const OptionsSchema = z.strictObject({ ...debatersOptions, concurrency: concurrencyOption, ...environmentOptions });

/** The debaters, 3 unless more are given; one is allowed, and is a single answer. */
export type VoteOptions = z.input<typeof OptionsSchema>;

/** What a vote came to. */
export interface VoteResult extends Vote {
  readonly status: 'unanimous' | 'majority' | 'no-majority';
  readonly finalAnswers: readonly DebaterAnswer[];
  readonly trace: Trace;
}

/** Several debaters answer independently and the majority wins. */
export type VoteExecutor = Executor<VoteResult>;

/**
 * Builds a vote: parallel independent first answers and their majority (rules A2, A9-A11), one call a debater. It is
 * the baseline of every debate, and in the published comparisons most of what a debate gains.
 *
 * @throws ExecutorOptionsError when an option is missing or wrong.
 */
export function createVote(given: VoteOptions): VoteExecutor {
  const name = 'vote';
  const options = readOptions(name, OptionsSchema, given);
  const debaters = debatersOf(options.debaters, options.debaterCount);
  const problem = countProblem(options, 1);
  if (problem !== undefined) refuseOptions(name, problem);
  return {
    name,
    execute: async (question, executeOptions = {}) => {
      const run = startRun(
        {
          executor: name,
          models: debaters.map(({ model }) => model),
          settings: { debaters: debaters.length },
          environment: options,
          concurrency: options.concurrency,
        },
        executeOptions,
      );
      const { answers: finalAnswers } = await firstAnswers(run, debaters, question);
      const vote = voteOf(finalAnswers);
      const status = isUnanimous(vote) ? 'unanimous' : vote.answer === undefined ? 'no-majority' : 'majority';
      return { ...vote, status, finalAnswers, trace: run.trace() };
    },
  };
}
