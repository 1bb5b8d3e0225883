import { parseAgent } from '../../process/claimant.js';
import { isTemporary, type RunFiles } from '../../process/run-files.js';
import {
  type Claim,
  type ClaimContent,
  type ClaimName,
  claimFileName,
  judgeClaim,
  parseClaimContent,
  parseClaimFileName,
} from './claim.js';
import type { ClaimsSeen } from './look-at-claims.js';

/** A file that is still being written after an hour belongs to a process that was killed. */
const abandonedMs = 3_600_000;

/**
 * Claims one run. True when the claim is mine; false when somebody made the same one before. To hold it is not yet
 * the right to start: look again, at the record and at `liveClaims`, and withdraw with `finishClaim` if
 * either has changed (format.md 6: without the second look two agents run).
 */
export function createClaim(files: RunFiles, name: ClaimName, content: ClaimContent): boolean {
  return files.create(claimFileName(name), `${JSON.stringify(content, null, 2)}\n`);
}

/** All claims in the folder, oldest entry first. */
export function listClaims(files: RunFiles): readonly Claim[] {
  return files
    .list()
    .flatMap((file) => readClaim(files, file) ?? [])
    .sort((a, b) => a.name.seq - b.name.seq || a.name.attempt - b.name.attempt);
}

/**
 * Finishes a claim, by whoever holds it or takes it over. True when this call did it: of a claimant that was paused
 * and the one that took over, one is told that it came second. Must come *before* what is left of the run is
 * looked for and ended: the shim writes its pid and then looks for this, so one of the two always sees the other.
 */
export function finishClaim(files: RunFiles, name: ClaimName, outcome: string): boolean {
  return files.create(doneFile(claimFileName(name)), `${outcome}\n`);
}

/**
 * Removes the claims of entries below `before`, a close after which another thread has closed: they can say nothing
 * any more, since no run for their entries will ever be due. Files that a killed process left half-written go too. What
 * may still run stays, and so does everything else.
 */
export function pruneClaims(files: RunFiles, before: number, seen: ClaimsSeen): void {
  const { claims, here, now } = seen;
  const removable = claims.filter(
    (claim) => claim.name.seq < before && ['done', 'dead'].includes(judgeClaim(claim, here, now)),
  );
  for (const { name } of removable) {
    const file = claimFileName(name);
    // The claim goes first: its siblings alone mean nothing, while a claim without `.done` would be judged again.
    for (const part of [file, agentFile(file), doneFile(file)]) files.remove(part);
  }
  for (const file of files.list().filter(isTemporary)) {
    const age = now.wall - (files.read(file)?.modifiedAt ?? now.wall);
    if (age > abandonedMs) files.remove(file);
  }
}

function readClaim(files: RunFiles, file: string): Claim | undefined {
  const name = parseClaimFileName(file);
  const found = name === undefined ? undefined : files.read(file);
  if (name === undefined || found === undefined) return undefined;
  const agent = files.read(agentFile(file));
  return {
    name,
    content: parseClaimContent(found.text),
    modifiedAt: found.modifiedAt,
    outcome: files.read(doneFile(file))?.text.trim(),
    agent: agent === undefined ? undefined : parseAgent(agent.text),
  };
}

function doneFile(file: string): string {
  return `${file}.done`;
}

function agentFile(file: string): string {
  return `${file}.pid`;
}
