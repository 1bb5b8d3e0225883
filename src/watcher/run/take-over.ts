import { hostname } from 'node:os';
import { type EndTreeReport, endTree } from '../../process/end-tree.js';
import { identifyProcess, listProcesses } from '../../process/list-processes.js';
import { bootId, pidNamespace } from '../../process/this-machine.js';
import {
  type ClaimContent,
  type ClaimName,
  type Clocks,
  claimFileName,
  type Here,
  isClaimedHere,
  judgeClaim,
} from './claim.js';
import { finishClaim, listClaims } from './claim-files.js';
import type { RunFiles } from './run-files.js';

/** This machine as it is now, to judge claims by. */
export async function readHere(): Promise<Here> {
  return { host: hostname(), bootId: bootId(), pidNamespace: pidNamespace(), processes: await listProcesses() };
}

/** Both clocks now. The monotonic one is the same for all processes of a machine, and stands still while it sleeps. */
export function readClocks(): Clocks {
  return { wall: Date.now(), monotonic: Number(process.hrtime.bigint() / 1_000_000n) };
}

/** What a claim of this process says, for a run that is ended `timeoutSeconds` from now. */
export async function describeClaim(
  run: {
    readonly runId: string;
    readonly party: string;
    readonly timeoutSeconds: number;
    readonly graceSeconds: number;
  },
  here: Here,
  now: Clocks,
): Promise<ClaimContent> {
  const { startTime } = await identifyProcess(process.pid);
  const timeoutMs = run.timeoutSeconds * 1000;
  return {
    run_id: run.runId,
    party: run.party,
    host: here.host,
    boot_id: here.bootId ?? null,
    pid_namespace: here.pidNamespace ?? null,
    pid: process.pid,
    start_time: startTime ?? null,
    claimed_at: new Date(now.wall).toISOString(),
    deadline_at: new Date(now.wall + timeoutMs).toISOString(),
    deadline_monotonic_ms: now.monotonic + timeoutMs,
    grace_seconds: run.graceSeconds,
  };
}

/** The variable by which every process of a run is found, as `endTree` and `startChild` take it. */
export function runMarker(runId: string): string {
  return `DEBATE_WAKE=${runId}`;
}

/**
 * Takes over whatever no live claimant stands for: finishes those claims, then ends what is left of their runs. To be
 * called by whoever holds the claim `mine`, after it looked again and before it starts anything. Two things in
 * it were found by exhaustive search (`test/model/claims.test.ts`): finishing comes first, or the shim of a
 * claimant that died can still start its agent unseen; and claims that others finished are swept too, or a tick that
 * dies between the two leaves an agent that nobody looks for any more.
 */
export async function takeOver(
  files: RunFiles,
  mine: ClaimName,
  here: Here,
  now: Clocks,
  graceSeconds: number,
): Promise<EndTreeReport> {
  const left = listClaims(files).filter(
    (claim) => claimFileName(claim.name) !== claimFileName(mine) && judgeClaim(claim, here, now) !== 'live',
  );
  for (const { name, outcome } of left) if (outcome === undefined) finishClaim(files, name, 'taken over');
  // Read again: a shim may have written its pid between the first look and the end of its claim.
  const names = new Set(left.map((claim) => claimFileName(claim.name)));
  const finished = listClaims(files).filter((claim) => names.has(claimFileName(claim.name)));
  const local = finished.flatMap(({ content, agent }) =>
    content !== undefined && isClaimedHere(content, here) ? [{ content, agent }] : [],
  );
  // Without a start time a pid of an earlier run could be anybody's by now.
  const roots = local.flatMap(({ agent }) => (agent?.startTime === undefined ? [] : [agent]));
  return endTree(roots, { graceSeconds, markers: local.map(({ content }) => runMarker(content.run_id)) });
}
