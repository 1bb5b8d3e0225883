import * as z from 'zod/mini';
import { approves } from '../parse/approval.js';
import { sectionsOf } from '../parse/sections.js';
import { produce, reviewDraft, revise } from '../prompts/peer-review.js';
import type { Trace } from '../trace.js';
import type { Executor } from './executor.js';
import { countOption, environmentOptions, modelOption, readOptions, secondsOption } from './options.js';
import { type Answered, type Run, startRun } from './run.js';

const OptionsSchema = z.strictObject({
  producer: modelOption,
  reviewer: modelOption,
  maxIterations: countOption(1, 3),
  timeoutSeconds: secondsOption(600),
  ...environmentOptions,
});

/** Two models (rule P1), `maxIterations` 3 (P2), `timeoutSeconds` 600 (P3). */
export type PeerReviewOptions = z.input<typeof OptionsSchema>;
type Settled = z.output<typeof OptionsSchema>;

/** One draft and what the reviewer said; `duration` in seconds (rule P11). */
export interface PeerReviewIteration {
  /** 1-based. */
  readonly iterationNumber: number;
  readonly output: string;
  readonly feedback: string;
  readonly approved: boolean;
  readonly duration: number;
}

/** What a peer review came to (rule P11). Check `approved` before you use `finalOutput` (rule P16). */
export interface PeerReviewResult {
  /** The approved draft; else the last draft, which was not approved, or an empty text if there is none (rule P12). */
  readonly finalOutput: string;
  readonly approved: boolean;
  readonly iterations: readonly PeerReviewIteration[];
  readonly iterationsUsed: number;
  /** Seconds. */
  readonly duration: number;
  readonly trace: Trace;
}

/** A producer drafts, a reviewer approves or sends it back. */
export type PeerReviewExecutor = Executor<PeerReviewResult>;

function reviewOf(answered: Answered): { approved: boolean; feedback: string } {
  if (!answered.ok) return { approved: false, feedback: `Review unavailable: ${answered.error}` };
  const section = sectionsOf(answered.text, ['APPROVED', 'FEEDBACK', 'STRENGTHS'] as const).get('FEEDBACK');
  return { approved: approves(answered.text), feedback: section ?? answered.text };
}

/** One iteration; undefined if the producer failed, which stops the loop and is not recorded (rule P10). */
async function iterate(options: Settled, run: Run, task: string, before: PeerReviewIteration | undefined) {
  const began = run.elapsedSeconds();
  const round = (before?.iterationNumber ?? 0) + 1;
  const draft = await run.ask(
    options.producer,
    { prompt: before ? revise(before.output, before.feedback) : produce(task) },
    { title: before ? 'Producer revises the draft' : 'Producer drafts', round },
  );
  if (!draft.ok) return undefined;
  const review = reviewOf(
    await run.ask(
      options.reviewer,
      { prompt: reviewDraft(task, draft.text) },
      {
        title: 'Reviewer reviews the draft',
        round,
        judge: (text) => ({ decidedBy: 'model', outcome: approves(text) ? 'approved' : 'not-approved' }),
      },
    ),
  );
  return { iterationNumber: round, output: draft.text, ...review, duration: run.elapsedSeconds() - began };
}

/**
 * Builds a peer review (rules P1-P16): at most two calls an iteration, and the last draft is reviewed too. The timeout
 * is checked before each iteration only. A reviewer that fails does not approve; a producer that fails ends the loop.
 *
 * @throws ExecutorOptionsError when an option is missing or wrong.
 */
export function createPeerReviewExecutor(given: PeerReviewOptions): PeerReviewExecutor {
  const name = 'peer-review';
  const options = readOptions(name, OptionsSchema, given);
  const { producer, reviewer, maxIterations, timeoutSeconds } = options;
  return {
    name,
    execute: async (task, executeOptions = {}) => {
      const run = startRun(
        {
          executor: name,
          models: [producer, reviewer],
          settings: { maxIterations, timeoutSeconds },
          environment: options,
        },
        executeOptions,
      );
      const iterations: PeerReviewIteration[] = [];
      while (iterations.length < maxIterations && !iterations.at(-1)?.approved) {
        if (run.elapsedSeconds() >= timeoutSeconds) {
          run.note('Timeout reached', `no iteration after ${iterations.length} of ${maxIterations}`);
          break;
        }
        const iteration = await iterate(options, run, task, iterations.at(-1));
        if (!iteration) break;
        iterations.push(iteration);
      }
      const last = iterations.at(-1);
      return {
        finalOutput: last?.output ?? '',
        approved: last?.approved ?? false,
        iterations,
        iterationsUsed: iterations.length,
        duration: run.elapsedSeconds(),
        trace: run.trace(),
      };
    },
  };
}
