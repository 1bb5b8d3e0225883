import { hostname } from 'node:os';
import type { Claimant, Clocks, Here } from './claimant.js';
import { identifyProcess, listProcesses } from './list-processes.js';
import { bootId, pidNamespace } from './this-machine.js';

/** This machine and what runs on it now. Read claims before: one that starts in between must not be taken for dead. */
export async function readHere(): Promise<Here> {
  return { host: hostname(), bootId: bootId(), pidNamespace: pidNamespace(), processes: await listProcesses() };
}

/** Both clocks. The monotonic one is the same for all processes of a machine, and stands still while it sleeps. */
export function readClocks(): Clocks {
  return { wall: Date.now(), monotonic: Number(process.hrtime.bigint() / 1_000_000n) };
}

/** What a claim of this process says, for a run that is ended `timeoutSeconds` from now. */
export async function describeClaimant(run: {
  readonly runId: string;
  readonly timeoutSeconds: number;
  readonly graceSeconds: number;
}): Promise<Claimant> {
  const { startTime } = await identifyProcess(process.pid);
  const timeoutMs = run.timeoutSeconds * 1000;
  const now = readClocks();
  return {
    run_id: run.runId,
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
