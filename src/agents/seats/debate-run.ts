import { createAdversarial } from '../executors/adversarial.js';
import type { AnswerRound, DebaterAnswer } from '../executors/answers.js';
import { createConsensus } from '../executors/consensus.js';
import { createDebateExecutor } from '../executors/debate.js';
import type { Change, Vote } from '../executors/majority.js';
import { createMultiAgentDebate } from '../executors/multi-agent-debate.js';
import type { ExecuteOptions } from '../executors/run.js';
import { createVote } from '../executors/vote.js';
import type { Model } from '../model.js';
import { FAILED, type Trace } from '../trace.js';
import { counted } from './quote.js';
import type { DebateVariant } from './schema.js';
import { speaker } from './speaker.js';

/** Who takes part, with the models opened. */
export interface Debating {
  readonly debaters: readonly {
    readonly model: Model;
    readonly name?: string;
    readonly persona?: string;
    readonly temperature?: number;
  }[];
  readonly judge: { readonly model: Model; readonly temperature?: number } | undefined;
  readonly debaterCount: number | undefined;
  readonly alwaysJudge: boolean;
  readonly maxRounds: number | undefined;
  readonly concurrency: number | undefined;
  readonly clock: () => number;
}

/** What a debate came to, in one form for all variants. */
export interface DebateOutcome {
  /** The status in the words of the documents; plain where there is no answer (issue 4, section 4). */
  readonly status: string;
  /** Undefined where the debate came to none. */
  readonly answer: string | undefined;
  readonly why: string | undefined;
  /** Everybody's last word. */
  readonly positions: readonly { readonly who: string; readonly answer: string | undefined; readonly text: string }[];
  readonly changes: readonly (Change & { /** What the debater said when it changed. */ readonly said: string })[];
  /** The vote of independent first answers. */
  readonly vote: Vote;
  /** The calls that the vote took on top; 0 where the first answers of the debate are the vote. */
  readonly voteTrace: Trace | undefined;
  readonly remarks: readonly string[];
  readonly trace: Trace;
}

/** What is asked with which executor: the models that it needs, checked before the first call. */
export type DebateRun = (question: string, options: ExecuteOptions) => Promise<DebateOutcome>;

const PLAIN: Readonly<Record<string, string>> = {
  'not-converged': 'not converged',
  'not-settled': 'not settled',
  'no-consensus': 'no consensus',
  'no-majority': 'no majority',
};

const plain = (status: string) => PLAIN[status] ?? status;

function defined<T extends object>(given: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}

const positionsOf = (answers: readonly DebaterAnswer[]) =>
  answers.map(({ debater, answer, text }) => ({ who: debater, answer, text }));

function withReasons(changes: readonly Change[], rounds: readonly AnswerRound[]) {
  return changes.map((change) => {
    const round = rounds.find((each) => each.round === change.round);
    return { ...change, said: round?.answers.find((each) => each.debater === change.debater)?.text ?? '' };
  });
}

/** Nobody that was to argue could be reached: that is a failure of the executor, no outcome of a debate. */
function refuseSilence(trace: Trace, texts: readonly string[]): void {
  if (texts.some((text) => text.trim() !== '')) return;
  const failed = trace.steps.find((step) => step.outcome === FAILED);
  throw new Error(`No debater said anything${failed === undefined ? '' : ` (${failed.detail})`}.`);
}

/**
 * The executor of a variant over these models (issue 4, section 4).
 *
 * @throws ExecutorOptionsError when the variant needs what is not there.
 */
export function debateRun(variant: DebateVariant, given: Debating): DebateRun {
  switch (variant) {
    case 'vote':
      return runVote(given);
    case 'consensus':
      return runConsensus(given);
    case 'optional-judge':
      return runOptionalJudge(given);
    case 'adversarial':
      return runAdversarial(given);
    case 'executor':
      return runExecutor(given);
  }
}

function runVote({ debaters, debaterCount, concurrency, clock }: Debating): DebateRun {
  const executor = createVote(defined({ debaters: [...debaters], debaterCount, concurrency, clock }));
  return async (question, options) => {
    const { status, answer, votes, counted: counting, finalAnswers, trace } = await executor.execute(question, options);
    refuseSilence(
      trace,
      finalAnswers.map(({ text }) => text),
    );
    const vote = { answer, votes, counted: counting };
    const base = { status: plain(status), answer, why: undefined, positions: positionsOf(finalAnswers) };
    return { ...base, changes: [], vote, voteTrace: undefined, remarks: [], trace };
  };
}

function runConsensus({ debaters, debaterCount, maxRounds, concurrency, clock }: Debating): DebateRun {
  const executor = createConsensus(defined({ debaters: [...debaters], debaterCount, maxRounds, concurrency, clock }));
  return async (question, options) => {
    const result = await executor.execute(question, options);
    refuseSilence(
      result.trace,
      result.finalAnswers.map(({ text }) => text),
    );
    return {
      status: plain(result.status),
      answer: result.answer,
      why: undefined,
      positions: positionsOf(result.finalAnswers),
      changes: withReasons(result.changes, result.rounds),
      vote: result.firstVote,
      voteTrace: undefined,
      remarks: [`${counted(result.roundsUsed, 'round')} after the first answers; no model decided anything.`],
      trace: result.trace,
    };
  };
}

function runOptionalJudge(given: Debating): DebateRun {
  const { debaters, debaterCount, judge, alwaysJudge, maxRounds, concurrency, clock } = given;
  const options = { debaters: [...debaters], debaterCount, judge, alwaysJudge, maxRounds, concurrency, clock };
  const executor = createMultiAgentDebate(defined(options));
  return async (question, executeOptions) => {
    const result = await executor.execute(question, executeOptions);
    refuseSilence(
      result.trace,
      result.finalAnswers.map(({ text }) => text),
    );
    return {
      status: plain(result.status),
      answer: result.answer,
      why: result.why,
      positions: positionsOf(result.finalAnswers),
      changes: withReasons(result.changes, result.rounds),
      vote: result.firstVote,
      voteTrace: undefined,
      remarks: [`${counted(result.roundsUsed, 'round')} after the first answers.`],
      trace: result.trace,
    };
  };
}

/** Two sides do not answer independently: the vote beside them is asked for, one call each of both sides and the judge. */
function voteBeside({ debaters, judge, concurrency, clock }: Debating) {
  const voters = [...debaters.slice(0, 2), ...(judge === undefined ? [] : [{ ...judge, name: 'judge' }])];
  return createVote(defined({ debaters: voters, concurrency, clock }));
}

function sidesOf({ debaters }: Debating, variant: DebateVariant) {
  const [one, two, ...more] = debaters;
  if (one !== undefined && two !== undefined && more.length === 0) return [one, two] as const;
  throw new Error(`The variant "${variant}" has two debaters, the side in favour and the side against; give two.`);
}

function runAdversarial(given: Debating): DebateRun {
  const [affirmative, negative] = sidesOf(given, 'adversarial');
  const { judge, maxRounds, clock } = given;
  const { name: _one, ...first } = affirmative;
  const { name: _two, ...second } = negative;
  const sides = { affirmative: first, negative: second, judge: judge as NonNullable<typeof judge> };
  const executor = createAdversarial(defined({ ...sides, maxRounds, clock }));
  const baseline = voteBeside(given);
  return async (question, options) => {
    const vote = await baseline.execute(question, options);
    const result = await executor.execute(question, options);
    refuseSilence(
      result.trace,
      result.lastAnswers.map(({ text }) => text),
    );
    return {
      status: plain(result.status),
      answer: result.answer,
      why: result.reason,
      positions: positionsOf(result.lastAnswers),
      changes: result.changes.map((change) => ({
        ...change,
        said: result.transcript.find((turn) => turn.side === change.debater && turn.round === change.round)?.text ?? '',
      })),
      vote: { answer: vote.answer, votes: vote.votes, counted: vote.counted },
      voteTrace: vote.trace,
      remarks: [
        `${counted(result.roundsUsed, 'round')} between two sides that were assigned.`,
        ...(result.forced ? ['The cap made the judge pick: no side had convinced it.'] : []),
      ],
      trace: result.trace,
    };
  };
}

function runExecutor(given: Debating): DebateRun {
  const [one, two] = sidesOf(given, 'executor');
  const { judge, maxRounds, clock } = given;
  const models = {
    proponent: speaker(one.model, one),
    opponent: speaker(two.model, two),
    judge: judge?.model as Model,
  };
  const executor = createDebateExecutor(defined({ ...models, maxRounds, clock }));
  const baseline = voteBeside(given);
  return async (question, options) => {
    const vote = await baseline.execute(question, options);
    const result = await executor.execute(question, options);
    const argued = result.trace.steps.filter((step) => step.round !== undefined && step.outcome !== FAILED);
    refuseSilence(
      result.trace,
      argued.map((step) => step.detail),
    );
    const judged = result.trace.steps.findLast((step) => step.kind === 'model');
    if (judged?.outcome === FAILED) throw new Error(`The judge came to no verdict (${judged.detail}).`);
    const last = result.rounds.at(-1);
    return {
      status: 'judged',
      answer: result.verdict.trim() === '' ? undefined : result.verdict,
      why: undefined,
      positions: [
        { who: 'proponent', answer: undefined, text: result.proponentSummary || (last?.proponentArgument ?? '') },
        { who: 'opponent', answer: undefined, text: result.opponentSummary || (last?.opponentArgument ?? '') },
      ],
      changes: [],
      vote: { answer: vote.answer, votes: vote.votes, counted: vote.counted },
      voteTrace: vote.trace,
      remarks: [
        `${counted(result.roundsUsed, 'round')} between two sides that were assigned and cannot change; the judge says of itself that it is ${Math.round(result.confidence * 100)} % sure.`,
      ],
      trace: result.trace,
    };
  };
}
