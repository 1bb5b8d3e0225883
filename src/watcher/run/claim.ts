import * as z from 'zod/mini';
import { type ClaimantState, type Clocks, claimantSchema, type Here, judgeClaimant } from '../../process/claimant.js';
import type { ProcessIdentity } from '../../process/process-table.js';

/** What a run is for: one entry of the record, by number and by the first 16 hex of its hash. */
export interface RunKey {
  readonly seq: number;
  readonly hash: string;
}

/** A claim's name (format.md 6): what for, and which of the two attempts. */
export interface ClaimName extends RunKey {
  readonly attempt: 1 | 2;
}

const contentSchema = z.extend(claimantSchema, { party: z.string() });

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

/** How its claimant stands, or `done`: finished. */
export type ClaimState = 'done' | ClaimantState;

/** Judges a claim (format.md 6): by its outcome, else by its claimant. */
export function judgeClaim(claim: Claim, here: Here, now: Clocks): ClaimState {
  return claim.outcome === undefined ? judgeClaimant(claim.content, claim.modifiedAt, here, now) : 'done';
}

/** The claims that exclude a new run now, apart from the one that is mine. */
export function liveClaims(claims: readonly Claim[], here: Here, now: Clocks, mine?: ClaimName): readonly Claim[] {
  return claims.filter(
    (claim) =>
      (mine === undefined || claimFileName(claim.name) !== claimFileName(mine)) &&
      judgeClaim(claim, here, now) === 'live',
  );
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
