import type { RunFiles } from '../../process/run-files.js';
import type { Standing } from '../../protocol/standing.js';
import type { MemoryFile } from '../memory-file.js';
import { type Claim, judgeClaim, liveClaims } from '../run/claim.js';
import { listClaims } from '../run/claim-files.js';
import { findLive, lookAtClaims } from '../run/look-at-claims.js';
import { type AdoptedWhere, adoptClaims } from './adopt-claims.js';

/** What tending needs besides the record. */
export interface Tending {
  readonly files: RunFiles;
  readonly memory: MemoryFile;
  readonly graceSeconds: number;
  readonly now: () => Date;
}

/**
 * Looks after the channel's runs before anything is decided (DESIGN.md 7): ends what a dead claimant left running, takes into
 * the memory what the claims know and it does not, and answers with the sentence of who runs an agent now, or undefined. A
 * channel without unfinished runs costs the listing of one folder. Safe without a claim of one's own: only processes of runs
 * whose claims are finished by then are ended, and no claim starts anything once it is finished.
 */
export async function tendRuns(tending: Tending, standing: Standing): Promise<string | undefined> {
  const { files, memory, graceSeconds } = tending;
  const claims = listClaims(files);
  const left = memory.read().attempts.filter((run) => run.outcome === 'running');
  const isOpen = (claim: Claim) => claim.outcome === undefined || left.some((run) => run.run === claim.content?.run_id);
  let live: readonly Claim[] = [];
  let settled = claims;
  if (claims.some(isOpen)) {
    const seen = await lookAtClaims(files);
    live = liveClaims(seen.claims, seen.here, seen.now);
    const isLeft = (claim: Claim) => isOpen(claim) && judgeClaim(claim, seen.here, seen.now) !== 'live';
    if (seen.claims.some(isLeft)) {
      const { takeOver } = await import('../run/take-over.js');
      await takeOver(files, undefined, graceSeconds);
    }
    settled = listClaims(files);
  }
  const where = adoptedWhere(standing, tending.now().getTime());
  memory.update((each) => adoptClaims(each, settled, where));
  return live[0] && sentenceOf(live[0]);
}

/** The same without touching anything: for those who only look. */
export async function liveRun(files: RunFiles): Promise<string | undefined> {
  const [live] = await findLive(files);
  return live && sentenceOf(live);
}

/** What this standing of the record says of a turn's claims. */
export function adoptedWhere({ state, tail }: Standing, nowMs: number): AdoptedWhere {
  const hasReplied = (party: string, seq: number) =>
    tail.entries.some((entry) => entry.seq > seq && entry.sender === party);
  return { turn: state, hasReplied, nowMs };
}

function sentenceOf({ content, name }: Claim): string {
  const who = content?.party ?? 'a party';
  if (content === undefined) return `${who} is about to run for MSG-${name.seq}`;
  return `${who} runs for MSG-${name.seq} since ${content.claimed_at} (watched by process ${content.pid} on ${content.host})`;
}
