import { type Attempt, type Memory, OUTCOMES, type Outcome, turnKey } from '../memory.js';
import type { Claim, RunKey } from '../run/claim.js';
import { TAKEN_OVER } from '../run/take-over.js';

/** A claim that was made and never started anything. */
export const WITHDRAWN = 'withdrawn';

/** What claims are held against. */
export interface AdoptedWhere {
  readonly turn: { readonly seq: number; readonly hash: string; readonly thread: string };
  /** Whether the record has an entry of that party after that seq: success is nothing else (DESIGN.md 7). */
  readonly hasReplied: (party: string, seq: number) => boolean;
  /** When this watcher learns it: it measures a retry from its own stamps only (format.md 6). */
  readonly nowMs: number;
}

/**
 * Takes over into a memory what the channel's claims know of this turn and it does not: runs of another watcher, or of
 * this one before its memory was lost or restored (format.md 6). Attempts are the larger of memory and claims. A run that this
 * memory left as running and that somebody finished meanwhile is judged by the record.
 */
export function adoptClaims(memory: Memory, claims: readonly Claim[], where: AdoptedWhere): Memory {
  const key = turnKey(where.turn.seq, where.turn.hash);
  const known = new Set(memory.attempts.map((run) => run.run));
  const byRun = new Map(claims.map((claim) => [runIdOf(claim), claim]));
  const unknown = claims.filter(
    (claim) =>
      turnKey(claim.name.seq, claim.name.hash) === key && claim.outcome !== WITHDRAWN && !known.has(runIdOf(claim)),
  );
  if (unknown.length === 0 && !memory.attempts.some((run) => run.outcome === 'running')) return memory;
  const adopted = unknown.map((claim) => asRunning(claim, key, where.turn));
  // A claim that was seen before it was withdrawn was no run either.
  const attempts = [...memory.attempts, ...adopted].filter(
    (run) => run.outcome !== 'running' || byRun.get(run.run)?.outcome !== WITHDRAWN,
  );
  return { ...memory, attempts: attempts.map((run) => settle(run, byRun.get(run.run), where)) };
}

/** Whether there is a run for this turn that the memory does not know. */
export function hasUnknown(claims: readonly Claim[], key: RunKey, memory: Memory): boolean {
  const known = new Set(memory.attempts.map((run) => run.run));
  return claims.some(
    (claim) =>
      claim.name.seq === key.seq &&
      claim.name.hash === key.hash &&
      claim.outcome !== WITHDRAWN &&
      !known.has(runIdOf(claim)),
  );
}

/** A run without its claim has long ended: claims are pruned only when they can say nothing any more. */
function settle(run: Attempt, claim: Claim | undefined, where: AdoptedWhere): Attempt {
  if (run.outcome !== 'running' || (claim && claim.outcome === undefined)) return run;
  const told = claim?.outcome ?? TAKEN_OVER;
  const outcome = where.hasReplied(run.party, run.seq) ? 'replied' : outcomeOf(told);
  return { ...run, outcome, detail: `its watcher did not see it end (${told})`, ended_ms: where.nowMs };
}

function asRunning(claim: Claim, key: string, turn: AdoptedWhere['turn']): Attempt {
  return {
    run: runIdOf(claim),
    key,
    attempt: claim.name.attempt,
    party: claim.content?.party ?? '',
    thread: turn.thread,
    seq: turn.seq,
    started_ms: Date.parse(claim.content?.claimed_at ?? '') || claim.modifiedAt,
    ended_ms: null,
    outcome: 'running',
    detail: '',
    last_lines: '',
    log: '',
    not_before_ms: 0,
  };
}

function runIdOf({ name, content }: Claim): string {
  return content?.run_id ?? `claim-${name.seq}-${name.attempt}`;
}

function outcomeOf(text: string): Outcome {
  return OUTCOMES.find((each) => each === text && each !== 'running') ?? 'failed';
}
