import { join } from 'node:path';
import { createMasker } from '../../process/mask.js';
import { openRunLog, type RunLog, removeOldLogs } from '../../process/run-log.js';
import { type ChildSpec, startChild } from '../../process/start-child.js';
import { newestCitation } from '../../protocol/core/citation.js';
import { FIRST_WINDOW } from '../../protocol/record/tail.js';
import { readStanding, type Standing } from '../../protocol/standing.js';
import { childEnvironment } from '../config/child-environment.js';
import type { PartySettings } from '../config/watcher-config.js';
import type { Attempt } from '../memory.js';
import { type ClaimName, claimFileName } from '../run/claim.js';
import { runMarker } from '../run/take-over.js';
import { withTree } from './close-trees.js';
import type { Invoking } from './invoking.js';
import { type Ended, judgeRun } from './judge-run.js';
import { watchOvertaken } from './overtaken.js';
import { branchTreeFor, prepareRun } from './prepare-run.js';
import { treeSetUp } from './set-up-tree.js';
import { adoptedWhere } from './tend-runs.js';

/** Bounds of the logs of runs: a file's size, how many are kept, and their sizes together, in bytes. */
const LOG = { fileBytes: 8 << 20, files: 200, bytes: 256 << 20 };

/** Opens the log of a run in the state folder; values that are secret are masked in it. */
export function openLogOf(
  invoking: Invoking,
  settings: PartySettings,
  { seq, attempt }: { readonly seq: number; readonly attempt: number },
): RunLog {
  const masker = createMasker(secretsOf(invoking, settings));
  return openRunLog(logFolder(invoking), { party: settings.party, seq, attempt }, masker, LOG.fileBytes);
}

/** Removes the oldest logs of runs beyond what is kept. */
export function tidyLogs(invoking: Invoking): void {
  removeOldLogs(logFolder(invoking), { files: LOG.files, bytes: LOG.bytes });
}

function logFolder({ config }: Invoking): string {
  return join(config.stateFolder, 'logs');
}

/** Where values that must not be logged come from: all that the watcher has, and what the party is given besides. */
function secretsOf(
  { environment, config }: Invoking,
  settings: PartySettings,
): Readonly<Record<string, string | undefined>> {
  const child = childEnvironment(config, settings, environment, {});
  return { ...environment, ...config.envFile, ...(child.ok ? child.environment : {}) };
}

/** A run that was claimed, and is this process's to start. */
export interface Claimed {
  readonly standing: Standing;
  readonly attempt: Attempt;
  readonly name: ClaimName;
  readonly log: RunLog;
}

/** What ends a run, and how: for its setup and its agent alike. */
type Bounds = Required<Pick<ChildSpec, 'timeoutSeconds' | 'graceSeconds' | 'marker' | 'signal'>> &
  Pick<ChildSpec, 'hurry'>;

/** Runs what is claimed. Never throws: what keeps it from starting is how it ended. */
export async function runClaimed(invoking: Invoking, settings: PartySettings, claimed: Claimed): Promise<Ended> {
  const { channel, world, hurry } = invoking;
  const { party, seq, thread, run, attempt } = claimed.attempt;
  const { log } = claimed;
  invoking.tell({ kind: 'started', party, seq, attempt, log: log.path });
  const overtaken = watchOvertaken(world.disk, channel, { party, seq, thread }, invoking.signal);
  const { timeoutSeconds, graceSeconds } = settings;
  const { signal } = overtaken;
  const bounds = { timeoutSeconds, graceSeconds, marker: runMarker(run), signal, ...(hurry ? { hurry } : {}) };
  try {
    return await runWithin(invoking, settings, claimed, bounds);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { outcome: 'cannot-start', detail, lastLines: log.close().lastLines, notBefore: 0, isLeft: false };
  } finally {
    overtaken.stop();
  }
}

/** Makes the worktree with its setup, where there is one, and starts the agent; both share the time of the run. */
async function runWithin(
  invoking: Invoking,
  settings: PartySettings,
  { attempt, name, log, standing }: Claimed,
  bounds: Bounds,
): Promise<Ended> {
  const { world, channel, config, environment } = invoking;
  const { party, seq, thread, run } = attempt;
  const begunMs = performance.now();
  const setupLog = () => openLogOf(invoking, settings, attempt);
  const setUp = treeSetUp(bounds, setupLog, run);
  const cited = newestCitation(standing.tail.entries, standing.state)?.commit;
  const runFor = { runId: run, thread, seq, cited };
  const branchTree = branchTreeFor(world.disk, channel, config, settings, runFor);
  if (branchTree) invoking.memory.update((now) => withTree(now, { ...branchTree, thread, kept_at: 0 }));
  const prepared = await prepareRun(world.disk, channel, config, settings, runFor, environment, setUp.run);
  if ('cause' in prepared) {
    const outcome = bounds.signal.aborted ? 'aborted' : 'cannot-start';
    log.close();
    return { outcome, detail: prepared.what, lastLines: setUp.lastLines(), notBefore: 0, isLeft: setUp.isLeft() };
  }
  const result = await startChild({
    ...bounds,
    argv: prepared.argv,
    cwd: prepared.cwd,
    env: prepared.env,
    ...(prepared.prompt === undefined ? {} : { prompt: prepared.prompt }),
    timeoutSeconds: Math.max(1, bounds.timeoutSeconds - (performance.now() - begunMs) / 1000),
    claimFile: join(channel.paths.runs, claimFileName(name)),
    log,
  });
  const nowMs = world.machine.now().getTime();
  const replied = adoptedWhere(readStanding(world.disk, channel, FIRST_WINDOW.writer), nowMs).hasReplied(party, seq);
  await prepared.cleanUp(!replied);
  return judgeRun(result, replied, nowMs);
}
