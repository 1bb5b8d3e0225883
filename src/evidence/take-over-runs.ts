import { identityOf, isClaimedHere, judgeClaimant, parseAgent } from '../process/claimant.js';
import { endTree } from '../process/end-tree.js';
import { readClocks, readHere } from '../process/here.js';
import { endPhases, finishRun, listRuns, type SeenRun } from './run-files.js';

/** Between TERM and KILL, when what a check started is ended (seconds). */
export const GRACE_SECONDS = 10;

/** The variable by which every process of a run is found. Its name is none of the tool's own: checks run without those. */
export function checkMarker(runId: string): string {
  return `CHECK_RUN=${runId}`;
}

/** How the newest run of a key stands: none, ended, going on, or left by a runner that is gone or far too late. */
export type RunState = 'none' | 'ended' | 'live' | 'left';

/** The newest run of a key, and how it stands. */
export async function newestRun(
  folder: string,
): Promise<{ readonly state: RunState; readonly run: SeenRun | undefined }> {
  // Claims before the machine: a runner that starts in between must not be taken for dead.
  const run = listRuns(folder).at(-1);
  if (run === undefined) return { state: 'none', run };
  if (run.outcome !== undefined) return { state: 'ended', run };
  const state = judgeClaimant(run.claimant, run.claimedAt, await readHere(), readClocks());
  return { state: state === 'live' ? 'live' : 'left', run };
}

/**
 * Ends the runs before `mine` that their runners left: each gets its outcome first, so that a runner that was only
 * paused can neither start nor record anything any more, and then what is left of it is ended, the runner too.
 */
export async function takeOverRuns(folder: string, mine: number): Promise<void> {
  const left = listRuns(folder).filter((run) => run.number < mine && run.outcome === undefined);
  if (left.length === 0) return;
  const finishedAt = new Date().toISOString();
  for (const { number } of left) finishRun(folder, number, { kind: 'lost', finishedAt });
  const here = await readHere();
  const local = left.flatMap((run) => {
    const agents = endPhases(folder, run.number).flatMap((text) => parseAgent(text) ?? []);
    if (run.claimant === undefined || !isClaimedHere(run.claimant, here)) return [];
    return [{ roots: [identityOf(run.claimant), ...agents], marker: checkMarker(run.claimant.run_id) }];
  });
  // Without a start time a pid of an earlier run could be anybody's by now.
  const roots = local.flatMap((each) => each.roots).filter((root) => root.startTime !== undefined);
  await endTree(roots, { graceSeconds: GRACE_SECONDS, markers: local.map((each) => each.marker) });
}
