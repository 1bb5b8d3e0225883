import * as z from 'zod/mini';
import { isSameProcess, type ProcessIdentity, type ProcessRecord, parseProcStat } from '../../process/process-table.js';

/** What a run is for: one entry of the record, by number and by the first 16 hex of its hash. */
export interface RunKey {
  readonly seq: number;
  readonly hash: string;
}

/** A claim's name (format.md 6): what for, and which of the two attempts. */
export interface ClaimName extends RunKey {
  readonly attempt: 1 | 2;
}

const contentSchema = z.object({
  run_id: z.string().check(z.minLength(1)),
  party: z.string(),
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
export type ClaimContent = z.infer<typeof contentSchema>;

/** A claim as it lies in the folder, with its siblings. */
export interface Claim {
  readonly name: ClaimName;
  /** Undefined when it cannot be read: torn by a crash, or not ours. */
  readonly content: ClaimContent | undefined;
  /** Milliseconds since 1970, as the file system says. */
  readonly modifiedAt: number;
  /** How it ended, once it is finished. */
  readonly outcome: string | undefined;
  /** The agent that was started under it, as the shim wrote it down. */
  readonly agent: ProcessIdentity | undefined;
}

/** The machine on which claims are judged, and what runs on it: looked at after the claims, never before. */
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
 * `live`: its claimant may still run the agent. `overdue`: the claimant lives, and yet is so late that it is taken
 * over. `dead`: the claimant is gone. `done`: finished.
 */
export type ClaimState = 'done' | 'live' | 'overdue' | 'dead';

/** How long a claim that cannot be read is taken for one that is just being written. */
const settlingMs = 60_000;

/**
 * Judges a claim (format.md 6). A claimant of another boot of this host is dead, whatever process has its pid now. One
 * of another host or pid namespace cannot be looked at: it is judged by its deadline and one grace alone. One
 * that can be seen to live is taken over two graces after its deadline. A machine that slept does not age claims: the
 * deadline counts by the same clock that stops the agent's own timeout (rule T11).
 */
export function judgeClaim(claim: Claim, here: Here, now: Clocks): ClaimState {
  const { content } = claim;
  if (claim.outcome !== undefined) return 'done';
  if (content === undefined) return Math.abs(now.wall - claim.modifiedAt) < settlingMs ? 'live' : 'dead';
  const graceMs = content.grace_seconds * 1000;
  if (content.host !== here.host) return isPast(now.wall, Date.parse(content.deadline_at) + graceMs) ? 'dead' : 'live';
  if (!isThisBoot(content, here)) return 'dead';
  const { deadline_monotonic_ms: deadline } = content;
  if ((content.pid_namespace ?? undefined) !== here.pidNamespace) {
    return isPast(now.monotonic, deadline + graceMs) ? 'dead' : 'live';
  }
  const claimant = { pid: content.pid, startTime: content.start_time ?? undefined };
  if (!here.processes.some((record) => record.alive && isSameProcess(record, claimant))) return 'dead';
  return isPast(now.monotonic, deadline + 2 * graceMs) ? 'overdue' : 'live';
}

/** The claims that exclude a new run now, apart from the one that is mine. */
export function liveClaims(claims: readonly Claim[], here: Here, now: Clocks, mine?: ClaimName): readonly Claim[] {
  return claims.filter(
    (claim) =>
      (mine === undefined || claimFileName(claim.name) !== claimFileName(mine)) &&
      judgeClaim(claim, here, now) === 'live',
  );
}

/** Whether the pids that a claim names are pids of this machine as it is now. */
export function isClaimedHere(content: ClaimContent, here: Here): boolean {
  const sameSpace = (content.pid_namespace ?? undefined) === here.pidNamespace;
  return content.host === here.host && isThisBoot(content, here) && sameSpace;
}

/**
 * Which attempt comes next for an entry: one more than the larger of what the folder and this watcher's memory know
 * (format.md 6). Undefined after two: no seq is ever run a third time (DESIGN.md 7).
 */
export function nextAttempt(claims: readonly Claim[], key: RunKey, remembered: number): 1 | 2 | undefined {
  const made = claims.filter(({ name }) => name.seq === key.seq && name.hash === key.hash);
  const used = Math.max(remembered, ...made.map(({ name }) => name.attempt));
  return used < 1 ? 1 : used < 2 ? 2 : undefined;
}

/** The file name of a claim, such as `14@0123456789abcdef-1`. */
export function claimFileName({ seq, hash, attempt }: ClaimName): string {
  return `${seq}@${hash}-${attempt}`;
}

/** Reads a claim's file name; undefined when the file is none, such as a sibling of one. */
export function parseClaimFileName(text: string): ClaimName | undefined {
  const [, seq, hash, attempt] = /^(\d{1,15})@([0-9a-f]{16})-([12])$/.exec(text) ?? [];
  if (seq === undefined || hash === undefined || String(Number(seq)) !== seq) return undefined;
  return { seq: Number(seq), hash, attempt: attempt === '1' ? 1 : 2 };
}

/** Reads a claim's content; undefined when it is torn or something else. */
export function parseClaimContent(text: string): ClaimContent | undefined {
  try {
    return contentSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Reads what the shim wrote beside a claim: the agent's pid, and how the system described it (`/proc` or `ps`). */
export function parseAgent(text: string): ProcessIdentity | undefined {
  const [, pid, described = ''] = /^(\d{1,10}) (.*)$/s.exec(text) ?? [];
  if (pid === undefined) return undefined;
  const startTime = parseProcStat(described)?.startTime ?? described.trim().replace(/\s+/g, ' ');
  return { pid: Number(pid), startTime: startTime === '' ? undefined : startTime };
}

function isThisBoot(content: ClaimContent, here: Here): boolean {
  return content.boot_id === null || here.bootId === undefined || content.boot_id === here.bootId;
}

/** A deadline that cannot be read has passed. */
function isPast(now: number, deadline: number): boolean {
  return !(now <= deadline);
}
