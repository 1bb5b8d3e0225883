import { isClaimedHere } from '../../process/claimant.js';
import { type EndTreeReport, endTree } from '../../process/end-tree.js';
import type { RunFiles } from '../../process/run-files.js';
import { type Claim, type ClaimName, claimFileName, judgeClaim } from './claim.js';
import { finishClaim, listClaims } from './claim-files.js';
import { lookAtClaims } from './look-at-claims.js';

/** The variable by which every process of a run is found, as `endTree` and `startChild` take it. */
export function runMarker(runId: string): string {
  return `DEBATE_WAKE=${runId}`;
}

/** How a claim ends of whose run something may be left: it was taken over, or its claimant could not end all of it. */
export const TAKEN_OVER = 'taken over';

/**
 * Takes over whatever no live claimant stands for: finishes those claims, then ends what is left of their runs. Called by
 * whoever holds the claim `mine`, after it looked again and before it starts anything; and, with none, by a tick that
 * found an agent whose watcher has died. Two things in it were found by exhaustive search (`test/model/claims.test.ts`):
 * finishing comes first, or the shim of a claimant that died can still start its agent unseen; and claims that others took
 * over are swept too, or a tick that dies between the two leaves an agent that nobody looks for any more. A claim that its
 * own claimant finished otherwise has nothing left: it had ended the tree before.
 */
export async function takeOver(
  files: RunFiles,
  mine: ClaimName | undefined,
  graceSeconds: number,
): Promise<EndTreeReport> {
  const isOther = (claim: Claim) => mine === undefined || claimFileName(claim.name) !== claimFileName(mine);
  const mayBeLeft = (claim: Claim) => isOther(claim) && (claim.outcome === undefined || claim.outcome === TAKEN_OVER);
  if (!listClaims(files).some(mayBeLeft)) return { found: 0, survivors: [] };
  const { claims, here, now } = await lookAtClaims(files);
  const left = claims.filter((claim) => mayBeLeft(claim) && judgeClaim(claim, here, now) !== 'live');
  for (const { name, outcome } of left) if (outcome === undefined) finishClaim(files, name, TAKEN_OVER);
  // Read again: a shim may have written its pid between the first look and the end of its claim.
  const names = new Set(left.map((claim) => claimFileName(claim.name)));
  const finished = listClaims(files).filter((claim) => names.has(claimFileName(claim.name)));
  const local = finished.flatMap(({ content, agent }) =>
    content !== undefined && isClaimedHere(content, here) ? [{ content, agent }] : [],
  );
  if (local.length === 0) return { found: 0, survivors: [] };
  // Without a start time a pid of an earlier run could be anybody's by now.
  const roots = local.flatMap(({ agent }) => (agent?.startTime === undefined ? [] : [agent]));
  return endTree(roots, { graceSeconds, markers: local.map(({ content }) => runMarker(content.run_id)) });
}
