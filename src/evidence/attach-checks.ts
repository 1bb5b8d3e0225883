import { type Citation, citedCommit, newestCitation } from '../protocol/core/citation.js';
import { renderEvidence } from '../protocol/core/evidence.js';
import { Refusal } from '../protocol/core/refusal.js';
import type { PostResult } from '../protocol/post.js';
import { rehearseSubmission, type Submission, submit } from '../protocol/prepare.js';
import { readStanding } from '../protocol/standing.js';
import type { World } from '../protocol/world.js';
import { type CheckOutcome, ensureCheck } from './ensure-check.js';
import { findRecord } from './find-records.js';
import { type EvidencePlace, pinnedCheck, runKeyOf } from './place.js';
import type { CheckRecord } from './record.js';

/** How long a post waits for the checks that it attaches, and who is told. */
export interface Waiting {
  readonly waitSeconds: number;
  readonly signal?: AbortSignal | undefined;
  readonly onWaiting?: ((name: string, seconds: number) => void) | undefined;
}

/**
 * Posts a submission with the records of checks at the commit that it cites (issue 4, section 3); each that has no
 * fresh record is made first. A draft that would be refused anyway is refused before any check runs, and one that is
 * recorded already is answered at once; the draft is judged again, with its evidence, under the lock.
 *
 * @throws Refusal - as `submit` and `ensureCheck` do; `check-running` when the time is over, `check-not-run`.
 */
export async function submitWithChecks(
  world: World,
  place: EvidencePlace,
  submission: Submission,
  names: readonly string[],
  waiting: Waiting,
): Promise<PostResult> {
  const { channel } = place;
  const cited = citationOf(world, place, submission.refs ?? '');
  for (const name of names) pinnedCheck(channel, name);
  const placeholders = names.map((name) => placeholder(name, cited.commit));
  const { already } = await rehearseSubmission(world, channel, { ...submission, checks: placeholders });
  if (already) return submit(world, channel, submission);
  const records = await gather(place, names, cited.commit, waiting);
  const result = await submit(world, channel, { ...submission, checks: records.map(renderEvidence) });
  const notices = records.map(
    ({ name, commit, exit }) => `The record of ${name} at ${commit.slice(0, 10)} is attached: exit ${exit}.`,
  );
  return { ...result, notices: [...result.notices, ...notices] };
}

/**
 * The trailer values of checks that have run already at the commit that `refs` cites, for whoever must not run one.
 * Refuses `evidence-missing` for one without a fresh record.
 */
export async function recordedEvidence(
  world: World,
  place: EvidencePlace,
  refs: string,
  names: readonly string[],
): Promise<readonly string[]> {
  const cited = citationOf(world, place, refs);
  const values: string[] = [];
  for (const name of names) {
    const key = await runKeyOf(place, name, cited.commit);
    const found = findRecord(key, world.machine.now(), place.channel.config.evidenceMaxAgeSeconds);
    if (!found?.fresh)
      throw new Refusal({
        code: 'evidence-missing',
        message: `There is no fresh record of the check ${name} at ${cited.name}@${cited.commit}.`,
        hint: `Run it first: \`debate check ${name} --ref ${cited.commit}\`, or run_check with that name and ref.`,
      });
    values.push(renderEvidence(found.record));
  }
  return values;
}

function citationOf(world: World, place: EvidencePlace, refs: string): Citation {
  const cited = citedCommit(refs);
  if (cited !== undefined) return cited;
  const { state, tail } = readStanding(world.disk, place.channel);
  const open = newestCitation(tail.entries, state);
  throw new Refusal({
    code: 'evidence-missing',
    message: 'A check is attached at the commit that the draft cites, and its refs cite none.',
    hint: `Cite it: --refs ${open === undefined ? 'NAME@COMMIT' : `${open.name}@${open.commit}`}.`,
  });
}

/** Starts all of them, so that they run at the same time, and waits for one after the other. */
async function gather(
  place: EvidencePlace,
  names: readonly string[],
  commit: string,
  waiting: Waiting,
): Promise<readonly CheckRecord[]> {
  const begun = performance.now();
  const { signal } = waiting;
  for (const name of names.slice(1)) await ensureCheck(place, { name, ref: commit, waitSeconds: 0, signal });
  const records: CheckRecord[] = [];
  for (const name of names) {
    const waitSeconds = Math.max(0, waiting.waitSeconds - (performance.now() - begun) / 1000);
    const onWaiting = (seconds: number) => waiting.onWaiting?.(name, seconds);
    const outcome = await ensureCheck(place, { name, ref: commit, waitSeconds, signal, onWaiting });
    if (outcome.kind !== 'ran') throw notAttached(outcome);
    records.push(outcome.record);
  }
  return records;
}

function notAttached(outcome: Exclude<CheckOutcome, { kind: 'ran' }>): Refusal {
  const at = outcome.commit.slice(0, 10);
  if (outcome.kind === 'not-run') return checkNotRun(outcome);
  return new Refusal({
    code: 'check-running',
    message: `The check ${outcome.name} is still running at ${at} (${Math.round(outcome.seconds)} s); nothing was posted.`,
    hint: 'Run the same command again: it joins the run.',
  });
}

/** The refusal that a check which did not run comes to: it is no evidence of anything. */
export function checkNotRun(outcome: Extract<CheckOutcome, { kind: 'not-run' }>): Refusal {
  return new Refusal({
    code: 'check-not-run',
    message: `The check ${outcome.name} did not run at ${outcome.commit.slice(0, 10)}: ${outcome.reason}.`,
    hint: `It is no evidence of anything; look at ${outcome.logPath}, mend the commit or the check, and ask again.`,
  });
}

function placeholder(name: string, commit: string): string {
  return renderEvidence({ name, commit, exit: 0, durationSeconds: 0, log: '0'.repeat(64) });
}
