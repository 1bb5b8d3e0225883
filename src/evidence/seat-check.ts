import { renderEvidence } from '../protocol/core/evidence.js';
import { ensureCheck } from './ensure-check.js';
import type { EvidencePlace } from './place.js';

/** What a check came to, in the form in which a seat and its executor take it. */
export interface RanCheck {
  readonly run:
    | { readonly ran: true; readonly exitCode: number; readonly durationSeconds: number; readonly output: string }
    | { readonly ran: false; readonly reason: string };
  /** The value of the trailer `Debate-Check`; undefined where the check did not run. */
  readonly record: string | undefined;
}

/**
 * Runs a pinned check at a commit for a bundled agent, or joins its run, and waits until it has ended: the agent's own
 * time is bounded by whoever woke it, and the run goes on when `signal` ends the waiting.
 *
 * @throws Refusal - as `ensureCheck` does; the reason of the signal.
 */
export async function seatCheck(
  place: EvidencePlace,
  name: string,
  commit: string,
  signal: AbortSignal,
): Promise<RanCheck> {
  const waitSeconds = Number.POSITIVE_INFINITY;
  const outcome = await ensureCheck(place, { name, ref: commit, waitSeconds, signal });
  if (outcome.kind !== 'ran') {
    const reason = outcome.kind === 'not-run' ? outcome.reason : 'it still runs';
    return { run: { ran: false, reason }, record: undefined };
  }
  const { exit, durationSeconds } = outcome.record;
  const run = { ran: true, exitCode: exit, durationSeconds, output: outcome.lastLines } as const;
  return { run, record: renderEvidence(outcome.record) };
}
