import * as z from 'zod/mini';
import type { Environment } from '../executors/environment.js';
import { countOption, environmentOptions, modelOption, readOptions } from '../executors/options.js';
import { type CallStep, type ExecuteOptions, type Run, startRun } from '../executors/run.js';
import type { Model, ModelRequest } from '../model.js';
import { type ReviewDecision, type ReviewVerdict, reviewTurn, reviewVerdict } from '../parse/review-turn.js';
import {
  authorInstructions,
  authorPrompt,
  type ReviewSubject,
  reviewerInstructions,
  reviewerPrompt,
} from '../prompts/checked-review.js';
import type { Search } from '../search/passage.js';
import type { Trace } from '../trace.js';
import { CHECKS_CAP_SETTING, FOUND_NOTHING, REVIEW_TITLES } from '../trace-review.js';
import { citationsIn } from './citations.js';
import { type ConfiguredChecks, type ReviewCheck, runCheck, runNameOf, searchCheck } from './reviewer-check.js';

const CHECKED_REVIEW = 'checked-review';

const isFunction = (value: unknown) => typeof value === 'function';
const searchOption = z.custom<Search>(isFunction, { error: 'must be a search' });

const Options = z.strictObject({
  /** Writes the draft; may be left out when every draft is given. */
  author: z.optional(modelOption),
  /** May be another model than the author, and should be (rule R17). */
  reviewer: modelOption,
  search: searchOption,
  /** The reviewer's own sources; without it, it searches those of the author (rule R17). */
  reviewerSearch: z.optional(searchOption),
  checks: z.optional(
    z.custom<ConfiguredChecks>((value) => typeof value === 'object' && value !== null && 'run' in value, {
      error: 'must be the configured checks',
    }),
  ),
  /** How many checks the reviewer may ask for; 0 asks for a verdict at once (rule R6). */
  maxChecks: countOption(0, 2),
  /** How many sections the author gets (rule R1). */
  retrieveK: countOption(1, 4),
  /** How much of a section a check shows, in characters (rule R5); more for code. */
  checkCharacters: countOption(1, 300),
  authorTokens: countOption(1, 300),
  turnTokens: countOption(1, 120),
  forcedTokens: countOption(1, 60),
  ...environmentOptions,
});

/** The options of a checked review, with the documents' numbers as defaults. */
export type CheckedReviewOptions = z.input<typeof Options>;

/** What is reviewed: a question whose answer the author drafts, or a draft that is given. */
export interface ReviewTask {
  readonly question: string;
  /** A text to review instead of a draft by the author: for `change`, the diff and the thread so far. */
  readonly draft?: string | undefined;
  /** What the draft is; an answer unless it says otherwise. */
  readonly subject?: ReviewSubject | undefined;
}

/** What a review came to. The draft is never revised: a rejection is reported, not acted on (rule R11). */
export interface CheckedReviewResult {
  /** The draft, a blank line, and `Review: <verdict>` (rule R10). */
  readonly text: string;
  /** Of the draft only, sorted. */
  readonly citations: readonly string[];
  /** What author and reviewer found, sorted. */
  readonly retrievedSources: readonly string[];
  readonly draft: string;
  readonly verdict: string;
  readonly decision: ReviewDecision;
  readonly reason: string;
  readonly checks: readonly ReviewCheck[];
  /** The cap on checks forced this verdict: the reviewer had not come to one (rules R6, R20). */
  readonly forced: boolean;
  /** There were checks and nothing came of any of them, so the verdict rests on nothing (rule R18). */
  readonly ungrounded: boolean;
  readonly trace: Trace;
}

/** Reviews drafts with checks of its own. */
export interface CheckedReview {
  /** The name under which its traces are recorded. */
  readonly name: string;
  /**
   * Drafts and reviews (2 to 4 calls), or reviews what is given (1 to 3). A text alone is the question.
   *
   * @throws whatever a model, the search or a check throws (rule R19); the reason of the signal when it fires.
   */
  execute(task: string | ReviewTask, options?: ExecuteOptions): Promise<CheckedReviewResult>;
}

/** A model whose exception is kept, so that it can be thrown on as it was (rule R19). */
function remembering(model: Model): { readonly model: Model; readonly thrown: () => unknown } {
  let thrown: unknown;
  const complete: Model['complete'] = async (request, options) => {
    try {
      return await model.complete(request, options);
    } catch (error) {
      thrown = error;
      throw error;
    }
  };
  return { model: { name: model.name, complete }, thrown: () => thrown };
}

async function ask(run: Run, model: Model, request: ModelRequest, step: CallStep): Promise<string> {
  const kept = remembering(model);
  const reply = await run.ask(kept.model, request, step);
  if (!reply.ok) throw kept.thrown();
  return reply.text.trim();
}

/**
 * Builds the executor of review-and-debate.md: an author drafts from its own sources, a reviewer that has not seen
 * them asks for real checks, one a turn, and gives a verdict; at the cap code forces one.
 *
 * @throws ExecutorOptionsError when an option is missing, wrong or unknown.
 */
export function createCheckedReview(given: CheckedReviewOptions): CheckedReview {
  const options = readOptions(CHECKED_REVIEW, Options, given);
  const { reviewer, search, checks: configured, maxChecks, retrieveK, checkCharacters } = options;
  const reviewerSearch = options.reviewerSearch ?? search;
  const environment: Environment = { clock: options.clock, rng: options.rng };

  async function draftOf(run: Run, task: ReviewTask): Promise<{ draft: string; cites: readonly string[] }> {
    if (task.draft !== undefined) return { draft: task.draft, cites: [] };
    if (options.author === undefined)
      throw new Error('A checked review without an author needs a draft; give one, or build it with an author.');
    const sources = search(task.question, retrieveK);
    const cites = sources.map((source) => source.cite);
    run.note(REVIEW_TITLES.retrieve, cites.join(', ') || 'none');
    const request = {
      system: authorInstructions,
      prompt: authorPrompt(task.question, sources),
      maxTokens: options.authorTokens,
    };
    return { draft: await ask(run, options.author, request, { title: REVIEW_TITLES.draft }), cites };
  }

  async function check(run: Run, query: string, round: number, signal: AbortSignal | undefined): Promise<ReviewCheck> {
    const name = runNameOf(query, configured);
    const done =
      name !== undefined && configured !== undefined
        ? runCheck(query, name, await configured.run(name, { signal }))
        : searchCheck(query, reviewerSearch, checkCharacters);
    run.note(REVIEW_TITLES.search, done.found, { round, outcome: done.empty ? FOUND_NOTHING : 'found' });
    return done;
  }

  async function review(run: Run, task: ReviewTask, draft: string, signal: AbortSignal | undefined) {
    const subject = task.subject ?? 'answer';
    const system = reviewerInstructions(subject, configured?.names ?? []);
    const checks: ReviewCheck[] = [];
    const request = (forced: boolean): ModelRequest => ({
      system,
      prompt: reviewerPrompt(subject, task.question, draft, checks, forced),
      maxTokens: forced ? options.forcedTokens : options.turnTokens,
    });
    while (checks.length < maxChecks) {
      const round = checks.length + 1;
      const reply = await ask(run, reviewer, request(false), {
        title: REVIEW_TITLES.turn,
        round,
        judge: (text) => {
          const turn = reviewTurn(text);
          return { decidedBy: 'model', outcome: turn.kind === 'check' ? 'check' : turn.decision };
        },
      });
      const turn = reviewTurn(reply);
      if (turn.kind === 'verdict') return { checks, forced: false, ...turn };
      checks.push(await check(run, turn.query, round, signal));
    }
    run.note(REVIEW_TITLES.cap, `${checks.length} checks >= ${maxChecks}; forcing a verdict`);
    const reply = await ask(run, reviewer, request(true), {
      title: REVIEW_TITLES.forced,
      judge: (text) => ({ decidedBy: 'code', outcome: reviewVerdict(text).decision }),
    });
    return { checks, forced: true, ...reviewVerdict(reply) };
  }

  return {
    name: CHECKED_REVIEW,
    execute: async (asked, { signal } = {}) => {
      const task = typeof asked === 'string' ? { question: asked } : asked;
      const models = options.author === undefined || task.draft !== undefined ? [reviewer] : [options.author, reviewer];
      const settings = { [CHECKS_CAP_SETTING]: maxChecks, retrieveK, checkCharacters };
      const run = startRun({ executor: CHECKED_REVIEW, models, settings, environment }, { signal });
      const { draft, cites } = await draftOf(run, task);
      const outcome = await review(run, task, draft, signal);
      const { verdict, decision, reason }: ReviewVerdict = outcome;
      const found = outcome.checks.flatMap((done) => done.cite ?? []);
      return {
        text: `${draft}\n\nReview: ${verdict}`,
        citations: citationsIn(draft),
        retrievedSources: [...new Set([...cites, ...found])].sort(),
        draft,
        verdict,
        decision,
        reason,
        checks: outcome.checks,
        forced: outcome.forced,
        ungrounded: outcome.checks.length > 0 && outcome.checks.every((done) => done.empty),
        trace: run.trace(),
      };
    },
  };
}
