import type { Trace, TraceStep } from './trace.js';

/** The step titles of a checked review, as the document names them (rule R13). */
export const REVIEW_TITLES = {
  retrieve: 'Author retrieves its own sources',
  draft: 'Author drafts an answer',
  turn: 'Reviewer decides what to do next',
  search: "Reviewer's own search runs",
  cap: 'Round cap reached',
  forced: 'Reviewer forced to a verdict',
} as const;

/** The setting of a review's trace that says how many checks it allowed. */
export const CHECKS_CAP_SETTING = 'maxChecks';

/** The outcome word of a search step that found nothing. */
export const FOUND_NOTHING = 'nothing';

/** The outcome words of a reviewer's step that is a verdict; any other outcome of such a step is no verdict. */
export const VERDICT_OUTCOMES = ['accept', 'reject', 'neither'] as const;

/** What one review came to, read from its trace. */
export interface ReviewRecord {
  readonly verdict: (typeof VERDICT_OUTCOMES)[number];
  readonly checks: number;
  /** The cap on checks forced this verdict (rule R6). */
  readonly forced: boolean;
  /** There were checks and every one of them found nothing, so the verdict rests on nothing (rule R18). */
  readonly ungrounded: boolean;
}

function verdictOf(step: TraceStep): ReviewRecord['verdict'] | undefined {
  if (step.title !== REVIEW_TITLES.turn && step.title !== REVIEW_TITLES.forced) return undefined;
  return VERDICT_OUTCOMES.find((word) => word === step.outcome);
}

/** The review that a trace records; undefined if it holds no verdict of a reviewer. */
export function reviewOf(trace: Trace): ReviewRecord | undefined {
  const last = trace.steps.findLast((step) => verdictOf(step) !== undefined);
  const verdict = last && verdictOf(last);
  if (!last || !verdict) return undefined;
  const searches = trace.steps.filter((step) => step.title === REVIEW_TITLES.search);
  return {
    verdict,
    checks: searches.length,
    forced: last.title === REVIEW_TITLES.forced,
    ungrounded: searches.length > 0 && searches.every((step) => step.outcome === FOUND_NOTHING),
  };
}
