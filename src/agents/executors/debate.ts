import * as z from 'zod/mini';
import { confidenceOf } from '../parse/confidence.js';
import { sectionsOf } from '../parse/sections.js';
import { judgeDebate, opponentOpens, opponentReplies, proponentOpens, proponentReplies } from '../prompts/debate.js';
import type { Trace } from '../trace.js';
import type { Executor } from './executor.js';
import { countOption, environmentOptions, modelOption, readOptions, secondsOption } from './options.js';
import { type Answered, type Run, startRun } from './run.js';

const OptionsSchema = z.strictObject({
  proponent: modelOption,
  opponent: modelOption,
  judge: modelOption,
  maxRounds: countOption(1, 3),
  timeoutSeconds: secondsOption(600),
  format: z._default(z.enum(['STRUCTURED', 'FREE_FORM'], { error: 'must be STRUCTURED or FREE_FORM' }), 'STRUCTURED'),
  ...environmentOptions,
});

/**
 * Three models (rule D1), `maxRounds` 3 (D3), `timeoutSeconds` 600 (D4), `format` STRUCTURED; both formats are stored
 * and give the same prompts (D5).
 */
export type DebateOptions = z.input<typeof OptionsSchema>;
type Settled = z.output<typeof OptionsSchema>;

/** One round; `duration` in seconds (rule D17). */
export interface DebateRound {
  /** 1-based. */
  readonly roundNumber: number;
  readonly proponentArgument: string;
  readonly opponentArgument: string;
  readonly duration: number;
}

/** What a debate came to (rule D17). */
export interface DebateResult {
  /** The judge's VERDICT section, or its whole answer if there is none (rule D18). */
  readonly verdict: string;
  /** 0 to 1; 0.5 if the judge states none (rule D19). */
  readonly confidence: number;
  readonly rounds: readonly DebateRound[];
  /** Fewer than `maxRounds` only after a timeout (rule D23). */
  readonly roundsUsed: number;
  readonly proponentSummary: string;
  readonly opponentSummary: string;
  /** Seconds. */
  readonly duration: number;
  readonly trace: Trace;
}

/** A proponent and an opponent argue a topic, then a judge decides. */
export interface DebateExecutor extends Executor<DebateResult> {
  readonly format: Settled['format'];
}

/** Whether the judge was at least 70 % sure (rule D20). */
export function isHighConfidence(result: DebateResult): boolean {
  return result.confidence >= 0.7;
}

const PROPONENT_FAILED = 'Error: Unable to generate argument.';
const OPPONENT_FAILED = 'Error: Unable to generate counter-argument.';

function textOr(answered: Answered, failed: string): string {
  return answered.ok ? answered.text : failed;
}

async function playRound(options: Settled, run: Run, topic: string, before: DebateRound | undefined) {
  const began = run.elapsedSeconds();
  const round = (before?.roundNumber ?? 0) + 1;
  const opening = before ? proponentReplies(topic, before.opponentArgument) : proponentOpens(topic);
  const proponentArgument = textOr(
    await run.ask(options.proponent, { prompt: opening }, { title: 'Proponent argues', round }),
    PROPONENT_FAILED,
  );
  const reply = before
    ? opponentReplies(topic, before.opponentArgument, proponentArgument)
    : opponentOpens(topic, proponentArgument);
  const opponentArgument = textOr(
    await run.ask(options.opponent, { prompt: reply }, { title: 'Opponent argues', round }),
    OPPONENT_FAILED,
  );
  return { roundNumber: round, proponentArgument, opponentArgument, duration: run.elapsedSeconds() - began };
}

function verdictOf(answered: Answered) {
  if (!answered.ok) {
    return {
      verdict: `Unable to reach verdict due to error: ${answered.error}`,
      confidence: 0,
      proponentSummary: '',
      opponentSummary: '',
    };
  }
  const names = ['VERDICT', 'REASONING', 'PRO SUMMARY', 'CON SUMMARY', 'CONFIDENCE'] as const;
  const sections = sectionsOf(answered.text, names);
  return {
    verdict: sections.get('VERDICT') ?? answered.text,
    confidence: confidenceOf(answered.text),
    proponentSummary: sections.get('PRO SUMMARY') ?? '',
    opponentSummary: sections.get('CON SUMMARY') ?? '',
  };
}

/**
 * Builds a debate (rules D1-D24): two calls a round, always one of the judge, no early end on agreement. The timeout is
 * checked before each round only; a side that fails is a line in the transcript, a judge that fails is in the verdict.
 *
 * @throws ExecutorOptionsError when an option is missing or wrong.
 */
export function createDebateExecutor(given: DebateOptions): DebateExecutor {
  const name = 'debate';
  const options = readOptions(name, OptionsSchema, given);
  const { proponent, opponent, judge, maxRounds, timeoutSeconds, format } = options;
  return {
    name,
    format,
    execute: async (topic, executeOptions = {}) => {
      const run = startRun(
        {
          executor: name,
          models: [proponent, opponent, judge],
          settings: { maxRounds, timeoutSeconds, format },
          environment: options,
        },
        executeOptions,
      );
      const rounds: DebateRound[] = [];
      while (rounds.length < maxRounds) {
        if (run.elapsedSeconds() >= timeoutSeconds) {
          run.note('Timeout reached', `no round after ${rounds.length} of ${maxRounds}; the judge decides`);
          break;
        }
        rounds.push(await playRound(options, run, topic, rounds.at(-1)));
      }
      const prompt = judgeDebate(topic, rounds);
      const judged = verdictOf(await run.ask(judge, { prompt }, { title: 'Judge decides' }));
      return { ...judged, rounds, roundsUsed: rounds.length, duration: run.elapsedSeconds(), trace: run.trace() };
    },
  };
}
