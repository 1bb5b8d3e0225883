import { hostname } from 'node:os';
import { identifyProcess, listProcesses } from '../../process/list-processes.js';
import { bootId, pidNamespace } from '../../process/this-machine.js';
import {
  type Claim,
  type ClaimContent,
  type ClaimName,
  type ClaimState,
  type Clocks,
  claimFileName,
  type Here,
  judgeClaim,
} from './claim.js';
import { listClaims } from './claim-files.js';
import type { RunFiles } from './run-files.js';

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

/** How one claim stands now; undefined when there is none of that name. */
export async function claimState(files: RunFiles, name: ClaimName): Promise<ClaimState | undefined> {
  const { claims, here, now } = await lookAtClaims(files);
  const claim = claims.find((one) => claimFileName(one.name) === claimFileName(name));
  return claim === undefined ? undefined : judgeClaim(claim, here, now);
}

/** What a claim of this process says, for a run that is ended `timeoutSeconds` from now. */
export async function describeClaim(run: {
  readonly runId: string;
  readonly party: string;
  readonly timeoutSeconds: number;
  readonly graceSeconds: number;
}): Promise<ClaimContent> {
  const { startTime } = await identifyProcess(process.pid);
  const timeoutMs = run.timeoutSeconds * 1000;
  const now = readClocks();
  return {
    run_id: run.runId,
    party: run.party,
    host: hostname(),
    boot_id: bootId() ?? null,
    pid_namespace: pidNamespace() ?? null,
    pid: process.pid,
    start_time: startTime ?? null,
    claimed_at: new Date(now.wall).toISOString(),
    deadline_at: new Date(now.wall + timeoutMs).toISOString(),
    deadline_monotonic_ms: now.monotonic + timeoutMs,
    grace_seconds: run.graceSeconds,
  };
}

async function readHere(): Promise<Here> {
  return { host: hostname(), bootId: bootId(), pidNamespace: pidNamespace(), processes: await listProcesses() };
}

/** The monotonic clock is the same for all processes of a machine, and stands still while it sleeps. */
function readClocks(): Clocks {
  return { wall: Date.now(), monotonic: Number(process.hrtime.bigint() / 1_000_000n) };
}
