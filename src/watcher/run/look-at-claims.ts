import type { Clocks, Here } from '../../process/claimant.js';
import { describeClaimant, readClocks, readHere } from '../../process/here.js';
import type { RunFiles } from '../../process/run-files.js';
import { type Claim, type ClaimContent, type ClaimName, claimFileName, liveClaims } from './claim.js';
import { listClaims } from './claim-files.js';

/** The claims of a channel together with what they are to be judged by. */
export interface ClaimsSeen {
  readonly claims: readonly Claim[];
  readonly here: Here;
  readonly now: Clocks;
}

/**
 * Looks at the claims first and at this machine after. The other way round, a claimant that started in between would
 * not be among the processes and be taken for dead.
 */
export async function lookAtClaims(files: RunFiles): Promise<ClaimsSeen> {
  const claims = listClaims(files);
  return { claims, here: await readHere(), now: readClocks() };
}

/**
 * The claims that exclude a new run now, apart from the one that is mine. Only unfinished ones can: without any, this machine need
 * not be looked at.
 */
export async function findLive(files: RunFiles, mine?: ClaimName): Promise<readonly Claim[]> {
  const isOther = ({ name }: Claim) => mine === undefined || claimFileName(name) !== claimFileName(mine);
  if (!listClaims(files).some((claim) => claim.outcome === undefined && isOther(claim))) return [];
  const { claims, here, now } = await lookAtClaims(files);
  return liveClaims(claims, here, now, mine);
}

/** What a claim of this process says, for a run that is ended `timeoutSeconds` from now. */
export async function describeClaim(run: {
  readonly runId: string;
  readonly party: string;
  readonly timeoutSeconds: number;
  readonly graceSeconds: number;
}): Promise<ClaimContent> {
  return { ...(await describeClaimant(run)), party: run.party };
}
