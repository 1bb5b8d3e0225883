import * as z from 'zod/mini';
import { answerLineOf } from '../parse/answer-line.js';
import { type Decision, decisionOf } from '../parse/ruling.js';
import { argueSide, judgeSides, type Side, type Turn } from '../prompts/adversarial.js';
import type { Trace } from '../trace.js';
import type { AnswerRound, DebaterAnswer } from './answers.js';
import { debaterOption, judgeOption, requestOf } from './debaters.js';
import type { Executor } from './executor.js';
import { askJudge } from './judge.js';
import { type Change, changesOf, type Vote, voteOf } from './majority.js';
import { countOption, environmentOptions, readOptions } from './options.js';
import { type Run, startRun } from './run.js';

const OptionsSchema = z.strictObject({
  affirmative: debaterOption,
  negative: debaterOption,
  judge: judgeOption,
  maxRounds: countOption(1, 3),
  ...environmentOptions,
});

/** Two debaters and a judge of any model (rule J10), `maxRounds` 3 (J1). */
export type AdversarialOptions = z.input<typeof OptionsSchema>;
type Settled = z.output<typeof OptionsSchema>;

/** What an adversarial debate came to. */
export interface AdversarialResult {
  readonly status: 'decided' | 'not-settled';
  /** The judge's answer; undefined exactly if the debate was not settled (rule J9). */
  readonly answer: string | undefined;
  readonly reason: string | undefined;
  /** The cap made the judge pick: no side had convinced it (rule J7). */
  readonly forced: boolean;
  /** Both sides' last answers: the affirmative's, then the negative's (rule J9). */
  readonly lastAnswers: readonly DebaterAnswer[];
  /** Whether the sides already agreed in round 1; they did not answer independently. */
  readonly firstVote: Vote;
  /** Which side came to another answer, for example by conceding. */
  readonly changes: readonly Change[];
  readonly transcript: readonly Turn[];
  readonly roundsUsed: number;
  readonly trace: Trace;
}

/** Two debaters argue fixed opposite sides; a judge ends the debate when one is right. */
export type Adversarial = Executor<AdversarialResult>;

/** Asks a side, and once more if the call fails or says nothing; a side that cannot answer leaves no turn. */
async function speak(options: Settled, run: Run, side: Side, prompt: string, round: number): Promise<string> {
  const debater = options[side];
  const request = requestOf({ ...debater, name: side }, prompt);
  const title = side === 'affirmative' ? 'Affirmative argues' : 'Negative argues';
  const first = await run.ask(debater.model, request, { title, round });
  if (first.ok && first.text.trim() !== '') return first.text;
  const second = await run.ask(debater.model, request, { title: `${title}, retried`, round });
  return second.ok ? second.text : '';
}

function answersIn(options: Settled, transcript: readonly Turn[], round: number): AnswerRound {
  const answers = (['affirmative', 'negative'] as const).map((side) => {
    const text = transcript.find((turn) => turn.side === side && turn.round === round)?.text ?? '';
    return { debater: side, model: options[side].model.name, answer: answerLineOf(text), text };
  });
  return { round, answers };
}

function lastAnswersOf(rounds: readonly AnswerRound[]): readonly DebaterAnswer[] {
  return [0, 1].flatMap((side) => {
    const said = rounds.findLast((round) => round.answers[side]?.text !== '') ?? rounds.at(-1);
    return said?.answers[side] ?? [];
  });
}

async function decide(
  options: Settled,
  run: Run,
  prompt: string,
  step: { readonly title: string; readonly round: number; readonly final: boolean },
): Promise<Decision | undefined> {
  const decision = await askJudge(run, options.judge, prompt, decisionOf, {
    title: step.title,
    round: step.round,
    judge: (text) => ({
      decidedBy: step.final ? 'code' : 'model',
      outcome: usable(decisionOf(text)) ? 'decided' : 'undecided',
    }),
  });
  return usable(decision) ? decision : undefined;
}

// "Decided" without an answer decides nothing (rule J14).
function usable(decision: Decision | undefined): boolean {
  return decision?.decided === true && decision.answer !== '';
}

/** Plays the rounds up to a decision or the cap, and forces the judge to pick at the cap. */
async function play(options: Settled, run: Run, question: string) {
  const transcript: Turn[] = [];
  for (let round = 1; round <= options.maxRounds; round += 1) {
    for (const side of ['affirmative', 'negative'] as const) {
      const text = await speak(options, run, side, argueSide(side, question, transcript), round);
      if (text.trim() !== '') transcript.push({ round, side, text });
    }
    // A judge with nothing to read could only make an answer up.
    if (transcript.length === 0) continue;
    const step = { title: 'Judge decides whether to go on', round, final: false };
    const decision = await decide(options, run, judgeSides(question, transcript, false), step);
    if (decision) return { transcript, decision, roundsUsed: round, forced: false };
  }
  const roundsUsed = options.maxRounds;
  if (transcript.length === 0) return { transcript, decision: undefined, roundsUsed, forced: false };
  run.note('Round cap reached', `${roundsUsed} rounds without a decision; the judge must pick`, { round: roundsUsed });
  const step = { title: 'Judge must pick', round: roundsUsed, final: true };
  const decision = await decide(options, run, judgeSides(question, transcript, true), step);
  return { transcript, decision, roundsUsed, forced: decision !== undefined };
}

/**
 * Builds an adversarial debate (rules J1-J14): two debater calls a round, affirmative first, and one of the judge after
 * every round, and one more at the cap, in which it must pick.
 *
 * @throws ExecutorOptionsError when an option is missing or wrong.
 */
export function createAdversarial(given: AdversarialOptions): Adversarial {
  const name = 'adversarial';
  const options = readOptions(name, OptionsSchema, given);
  const { affirmative, negative, judge, maxRounds } = options;
  return {
    name,
    execute: async (question, executeOptions = {}) => {
      const run = startRun(
        {
          executor: name,
          models: [affirmative.model, negative.model, judge.model],
          settings: { maxRounds },
          environment: options,
        },
        executeOptions,
      );
      const { transcript, decision, roundsUsed, forced } = await play(options, run, question);
      const rounds = Array.from({ length: roundsUsed }, (_each, index) => answersIn(options, transcript, index + 1));
      return {
        status: decision ? 'decided' : 'not-settled',
        answer: decision?.answer,
        reason: decision?.reason,
        forced,
        lastAnswers: lastAnswersOf(rounds),
        firstVote: voteOf(rounds[0]?.answers ?? []),
        changes: changesOf(rounds),
        transcript,
        roundsUsed,
        trace: run.trace(),
      };
    },
  };
}
