import * as z from 'zod/mini';
import { rulingOf } from '../parse/ruling.js';
import { judgeAnswers, reviseAnswer } from '../prompts/multi-agent-debate.js';
import type { Trace } from '../trace.js';
import { type AnswerRound, type DebaterAnswer, finalAnswersOf } from './answers.js';
import { countProblem, debatersOf, debatersOptions, judgeOption } from './debaters.js';
import { shuffled } from './environment.js';
import type { Executor } from './executor.js';
import { askJudge } from './judge.js';
import { type Change, changesOf, isUnanimous, type Vote, voteOf } from './majority.js';
import { concurrencyOption, countOption, environmentOptions, readOptions, refuseOptions } from './options.js';
import { answerRounds } from './revision.js';
import { type Run, startRun } from './run.js';

const OptionsSchema = z.strictObject({
  ...debatersOptions,
  maxRounds: countOption(0, 2),
  judge: z.optional(judgeOption),
  alwaysJudge: z._default(z.boolean({ error: 'must be true or false' }), false),
  concurrency: concurrencyOption,
  ...environmentOptions,
});

/**
 * The debaters, 3 unless more are given; `maxRounds` 2 (rule A1); a judge only if one is given, and only without a
 * majority unless `alwaysJudge` (A12).
 */
export type MultiAgentDebateOptions = z.input<typeof OptionsSchema>;

/** What a debate by revision came to, with the vote that it must be held against. */
export interface MultiAgentDebateResult {
  readonly status: 'unanimous' | 'majority' | 'judged' | 'not-converged';
  /** Undefined exactly if the debate did not converge (rules A15, A20). */
  readonly answer: string | undefined;
  /** The judge's reason; undefined if no judge ruled. */
  readonly why: string | undefined;
  /** Every debater's last answer (rule A16). */
  readonly finalAnswers: readonly DebaterAnswer[];
  /** The majority of the first answers: what a vote without any debate would have said. */
  readonly firstVote: Vote;
  readonly changes: readonly Change[];
  /** Round 0 are the first answers. */
  readonly rounds: readonly AnswerRound[];
  /** Rounds after the first answers. */
  readonly roundsUsed: number;
  readonly trace: Trace;
}

/** Several debaters answer, revise after reading each other, and a judge rules if they cannot agree. */
export type MultiAgentDebate = Executor<MultiAgentDebateResult>;

type Settled = z.output<typeof OptionsSchema>;
type Outcome = Pick<MultiAgentDebateResult, 'status' | 'answer' | 'why'>;

async function settle(options: Settled, run: Run, question: string, rounds: readonly AnswerRound[]): Promise<Outcome> {
  const finalAnswers = finalAnswersOf(rounds);
  const vote = voteOf(finalAnswers);
  const { judge, alwaysJudge, rng } = options;
  if (judge && vote.counted > 0 && (vote.answer === undefined || alwaysJudge)) {
    const texts = finalAnswers.map(({ text }) => text).filter((text) => text !== '');
    const prompt = judgeAnswers(question, shuffled(texts, rng), rounds.length - 1);
    const ruling = await askJudge(run, judge, prompt, rulingOf, { title: 'Judge rules' });
    if (ruling) return { status: 'judged', answer: ruling.answer, why: ruling.why };
  }
  if (vote.answer === undefined) return { status: 'not-converged', answer: undefined, why: undefined };
  return { status: isUnanimous(vote) ? 'unanimous' : 'majority', answer: vote.answer, why: undefined };
}

/**
 * Builds a debate with an optional judge (rules A1-A22): parallel first answers, at most `maxRounds` parallel
 * revisions, an end as soon as all answers that count agree, then the majority or the judge.
 *
 * @throws ExecutorOptionsError when an option is missing or wrong.
 */
export function createMultiAgentDebate(given: MultiAgentDebateOptions): MultiAgentDebate {
  const name = 'multi-agent-debate';
  const options = readOptions(name, OptionsSchema, given);
  const { maxRounds, judge, alwaysJudge, rng } = options;
  const debaters = debatersOf(options.debaters, options.debaterCount);
  const problem =
    countProblem(options, 2) ?? (alwaysJudge && !judge ? '"alwaysJudge" is set, but no "judge" is given' : undefined);
  if (problem !== undefined) refuseOptions(name, problem);
  return {
    name,
    execute: async (question, executeOptions = {}) => {
      const run = startRun(
        {
          executor: name,
          models: [...debaters.map(({ model }) => model), ...(judge ? [judge.model] : [])],
          settings: { debaters: debaters.length, maxRounds, alwaysJudge },
          environment: options,
          concurrency: options.concurrency,
        },
        executeOptions,
      );
      const rounds = await answerRounds(run, { debaters, question, maxRounds, rng, promptOf: reviseAnswer });
      const outcome = await settle(options, run, question, rounds);
      return {
        ...outcome,
        finalAnswers: finalAnswersOf(rounds),
        firstVote: voteOf(rounds[0]?.answers ?? []),
        changes: changesOf(rounds),
        rounds,
        roundsUsed: rounds.length - 1,
        trace: run.trace(),
      };
    },
  };
}
