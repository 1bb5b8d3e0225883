import { ensureCheck } from './ensure-check.js';
import type { EvidencePlace } from './place.js';

/** What came of a check that a reviewing executor asked for, in the form in which it takes it. */
type ReviewerRun =
  | { readonly ran: true; readonly exitCode: number; readonly durationSeconds: number; readonly output: string }
  | { readonly ran: false; readonly reason: string };

/** The channel's checks at one commit, as a checked review takes them: by name, never composed by a model. */
export interface ReviewerChecks {
  readonly names: readonly string[];
  readonly run: (name: string, options: { readonly signal?: AbortSignal | undefined }) => Promise<ReviewerRun>;
}

/**
 * The pinned checks of a channel for a review of a commit. `names` are those that the reviewer may run. A check that
 * takes longer than `waitSeconds` has not run for this review, though it goes on.
 */
export function reviewerChecks(
  place: EvidencePlace,
  commit: string,
  names: readonly string[],
  waitSeconds: number,
): ReviewerChecks {
  return {
    names,
    run: async (name, { signal }) => {
      const outcome = await ensureCheck(place, { name, ref: commit, waitSeconds, signal });
      if (outcome.kind === 'not-run') return { ran: false, reason: outcome.reason };
      if (outcome.kind === 'running')
        return { ran: false, reason: `it had not ended after ${Math.round(waitSeconds)} s` };
      const { exit, durationSeconds } = outcome.record;
      return { ran: true, exitCode: exit, durationSeconds, output: outcome.lastLines };
    },
  };
}
