import { randomUUID } from 'node:crypto';
import { describeClaimant } from '../process/here.js';
import { openChannel } from '../protocol/channel.js';
import { nodeDisk } from '../protocol/node-disk.js';
import { checkEnvironment } from './check-environment.js';
import { findRecord } from './find-records.js';
import { definitionOf, pinnedCheck, type RunKey, runKeyAt } from './place.js';
import { pruneRecords } from './prune-records.js';
import { runCheck } from './run-check.js';
import { claimRun, finishRun, pruneRuns } from './run-files.js';
import { parseJob, type RunnerJob } from './runner-job.js';
import { GRACE_SECONDS, newestRun, takeOverRuns } from './take-over-runs.js';

/** Making a worktree of a large project takes its time too (seconds). */
const treeSeconds = 660;
/** Runs of one key that are kept: an entry may cite the log of one that is too old to be cited again. */
const keptRuns = 5;

/**
 * The runner: a process of its own that survives whoever asked, makes one run of a check, and ends. Of several that are
 * started for one key, one makes the run and the others end at once. What it says on stderr is for whoever started it.
 */
async function main(job: RunnerJob): Promise<void> {
  const channel = openChannel(nodeDisk, job.root, job.channel);
  const check = pinnedCheck(channel, job.name);
  if (definitionOf(check) !== job.definition) throw new Error(`The check ${job.name} was pinned anew meanwhile.`);
  const key = runKeyAt(job.folder, job.name, check, job.commit);
  const before = await newestRun(key.folder);
  if (before.state === 'live' || findRecord(key, new Date(), channel.config.evidenceMaxAgeSeconds)?.fresh) return;

  const number = (before.run?.number ?? 0) + 1;
  const runId = randomUUID();
  const timeoutSeconds = treeSeconds + check.timeoutSeconds * (check.setup === undefined ? 1 : 2);
  const claimant = await describeClaimant({ runId, timeoutSeconds, graceSeconds: GRACE_SECONDS });
  if (!claimRun(key.folder, number, claimant)) return;
  await takeOverRuns(key.folder, number);
  await record(job, key, number, runId);
  pruneRuns(key.folder, number - keptRuns + 1);
  await pruneRecords(job.folder, job.project);
}

async function record(job: RunnerJob, key: RunKey, number: number, runId: string): Promise<void> {
  const ended = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => ended.abort(signal));
  const environment = checkEnvironment(process.env);
  const run = { key, number, runId, project: job.project, environment, signal: ended.signal };
  const outcome = await runCheck(run).catch((error: unknown) => ({
    kind: 'not-run' as const,
    reason: `it could not be run: ${error instanceof Error ? error.message : String(error)}`,
    finishedAt: new Date().toISOString(),
  }));
  finishRun(key.folder, number, outcome);
}

await main(parseJob(process.argv[2]));
