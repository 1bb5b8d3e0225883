import * as z from 'zod/mini';
import { isSameProcess, type ProcessIdentity, type ProcessRecord, parseProcStat } from './process-table.js';

/** Who runs something that must run only once at a time, and until when. The part that every kind of claim has. */
export const claimantSchema = z.object({
  run_id: z.string().check(z.minLength(1)),
  host: z.string(),
  boot_id: z.nullable(z.string()),
  pid_namespace: z.nullable(z.string()),
  pid: z.int(),
  start_time: z.nullable(z.string()),
  claimed_at: z.string(),
  /** When the claimant ends the run: by the clock of the wall, for other hosts, and in milliseconds since boot. */
  deadline_at: z.string(),
  deadline_monotonic_ms: z.number(),
  grace_seconds: z.number(),
});

/** Who claims, and until when. */
export type Claimant = z.infer<typeof claimantSchema>;

/** The machine on which claims are judged, and what runs on it. */
export interface Here {
  readonly host: string;
  readonly bootId: string | undefined;
  readonly pidNamespace: string | undefined;
  readonly processes: readonly ProcessRecord[];
}

/** Two clocks, in milliseconds: the one on the wall, and one that counts from the boot of this machine. */
export interface Clocks {
  readonly wall: number;
  readonly monotonic: number;
}

/**
 * `live`: the claimant may still run what it claimed. `overdue`: it lives, and yet is so late that it is taken over.
 * `dead`: it is gone.
 */
export type ClaimantState = 'live' | 'overdue' | 'dead';

/** How long a claim that cannot be read is taken for one that is just being written. */
const settlingMs = 60_000;

/**
 * Judges who holds an unfinished claim (format.md 6). A claimant of another boot of this host is dead, whatever process
 * has its pid now. One of another host or pid namespace cannot be looked at: it is judged by its deadline and one grace
 * alone. One that can be seen to live is taken over two graces after its deadline. A machine that slept does not
 * age claims: the deadline counts by the same clock that stops the run's own timeout (rule T11). `claimant` is undefined
 * when it cannot be read, `modifiedAt` is in milliseconds since 1970.
 */
export function judgeClaimant(
  claimant: Claimant | undefined,
  modifiedAt: number,
  here: Here,
  now: Clocks,
): ClaimantState {
  if (claimant === undefined) return Math.abs(now.wall - modifiedAt) < settlingMs ? 'live' : 'dead';
  const graceMs = claimant.grace_seconds * 1000;
  if (claimant.host !== here.host)
    return isPast(now.wall, Date.parse(claimant.deadline_at) + graceMs) ? 'dead' : 'live';
  if (!isThisBoot(claimant, here)) return 'dead';
  const { deadline_monotonic_ms: deadline } = claimant;
  if ((claimant.pid_namespace ?? undefined) !== here.pidNamespace) {
    return isPast(now.monotonic, deadline + graceMs) ? 'dead' : 'live';
  }
  const identity = identityOf(claimant);
  if (!here.processes.some((record) => record.alive && isSameProcess(record, identity))) return 'dead';
  return isPast(now.monotonic, deadline + 2 * graceMs) ? 'overdue' : 'live';
}

/** Whether the pids that a claimant names are pids of this machine as it is now. */
export function isClaimedHere(claimant: Claimant, here: Here): boolean {
  const sameSpace = (claimant.pid_namespace ?? undefined) === here.pidNamespace;
  return claimant.host === here.host && isThisBoot(claimant, here) && sameSpace;
}

/** The claimant as a process of its machine. */
export function identityOf(claimant: Claimant): ProcessIdentity {
  return { pid: claimant.pid, startTime: claimant.start_time ?? undefined };
}

/** Reads what the shim wrote beside a claim: the pid of what it started, and how the system described it (`/proc` or `ps`). */
export function parseAgent(text: string): ProcessIdentity | undefined {
  const [, pid, described = ''] = /^(\d{1,10}) (.*)$/s.exec(text) ?? [];
  if (pid === undefined) return undefined;
  const startTime = parseProcStat(described)?.startTime ?? described.trim().replace(/\s+/g, ' ');
  return { pid: Number(pid), startTime: startTime === '' ? undefined : startTime };
}

function isThisBoot(claimant: Claimant, here: Here): boolean {
  return claimant.boot_id === null || here.bootId === undefined || claimant.boot_id === here.bootId;
}

/** A deadline that cannot be read has passed. */
function isPast(now: number, deadline: number): boolean {
  return !(now <= deadline);
}
