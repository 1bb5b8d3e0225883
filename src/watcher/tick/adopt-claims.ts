import { type Attempt, type Memory, OUTCOMES, type Outcome, turnKey } from '../memory.js';
import type { Claim } from '../run/claim.js';

/** A claim that was made and never started anything. */
export const WITHDRAWN = 'withdrawn';

/**
 * Takes over into a memory what the channel's claims know of this turn and it does not: runs of another watcher, or of
 * this one before its memory was lost or restored (format.md 6). Attempts are the larger of memory and claims.
 */
export function adoptClaims(
  memory: Memory,
  claims: readonly Claim[],
  turn: { readonly seq: number; readonly hash: string; readonly thread: string },
): Memory {
  const key = turnKey(turn.seq, turn.hash);
  const known = new Set(memory.attempts.map((run) => run.run));
  const unknown = claims.filter(
    ({ name, content, outcome }) =>
      `${name.seq}@${name.hash}` === key && outcome !== WITHDRAWN && !known.has(content?.run_id ?? runIdOf(name)),
  );
  const open = new Map(claims.map((claim) => [claim.content?.run_id ?? runIdOf(claim.name), claim.outcome]));
  const settled = memory.attempts.map((run) => settle(run, open.get(run.run)));
  const attempts = [...settled, ...unknown.map((claim) => adopted(claim, key, turn))];
  return { ...memory, attempts };
}

/** A run that this memory left as running was ended by somebody else meanwhile. */
function settle(run: Attempt, outcome: string | undefined): Attempt {
  if (run.outcome !== 'running' || outcome === undefined) return run;
  return {
    ...run,
    outcome: outcomeOf(outcome),
    detail: `its watcher died (${outcome})`,
    ended_ms: run.ended_ms ?? run.started_ms,
  };
}

function adopted(claim: Claim, key: string, turn: { readonly seq: number; readonly thread: string }): Attempt {
  const started = Date.parse(claim.content?.claimed_at ?? '') || claim.modifiedAt;
  return {
    run: claim.content?.run_id ?? runIdOf(claim.name),
    key,
    attempt: claim.name.attempt,
    party: claim.content?.party ?? '',
    thread: turn.thread,
    seq: turn.seq,
    started_ms: started,
    ended_ms: started,
    outcome: outcomeOf(claim.outcome ?? ''),
    detail: claim.outcome === undefined ? 'its watcher died' : `another watcher ran it (${claim.outcome})`,
    last_lines: '',
    log: '',
    not_before_ms: 0,
  };
}

function runIdOf(name: Claim['name']): string {
  return `claim-${name.seq}-${name.attempt}`;
}

function outcomeOf(text: string): Outcome {
  return OUTCOMES.find((each) => each === text && each !== 'running') ?? 'failed';
}
