import { join } from 'node:path';
import { createMasker } from '../../process/mask.js';
import { openLog, type RunLog, removeOldLogs, runLogPath } from '../../process/run-log.js';
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
import { type Ended, judgeRun, type Reply } from './judge-run.js';
import { watchOvertaken } from './overtaken.js';
import { branchTreeFor, type NotPrepared, type Prepared, prepareRun } from './prepare-run.js';
import { type TreeSetUp, treeSetUp } from './set-up-tree.js';
import { adoptedWhere } from './tend-runs.js';

/** Bounds of the logs of runs: a file's size, how many are kept, and their sizes together, in bytes. */
const LOG = { fileBytes: 8 << 20, files: 200, bytes: 256 << 20 };

/** Where the log of a run lies in the state folder: an absolute path. It is there once something of the run was started. */
export function logPathOf(invoking: Invoking, party: string, seq: number, attempt: number): string {
  return runLogPath(logFolder(invoking), { party, seq, attempt });
}

/** Opens the log of a run; values that are secret are masked in it. */
function openLogOf(invoking: Invoking, settings: PartySettings, { log }: Attempt): RunLog {
  return openLog(log, createMasker(secretsOf(invoking, settings)), LOG.fileBytes);
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
}

/** What ends a run, and how: for its setup and its agent alike. */
type Bounds = Required<Pick<ChildSpec, 'timeoutSeconds' | 'graceSeconds' | 'marker' | 'signal'>> &
  Pick<ChildSpec, 'hurry'>;

/**
 * Runs what is claimed, and judges it by the record. Never throws: only what keeps it from starting is `cannot-start`, and a
 * run that happened is one whatever the record says afterwards.
 */
export async function runClaimed(invoking: Invoking, settings: PartySettings, claimed: Claimed): Promise<Ended> {
  const { channel, world, hurry } = invoking;
  const { party, seq, thread, run, attempt } = claimed.attempt;
  invoking.tell({ kind: 'started', party, seq, attempt, log: claimed.attempt.log });
  const overtaken = watchOvertaken(world.disk, channel, { party, seq, thread }, invoking.signal);
  const { timeoutSeconds, graceSeconds } = settings;
  const { signal } = overtaken;
  const bounds = { timeoutSeconds, graceSeconds, marker: runMarker(run), signal, ...(hurry ? { hurry } : {}) };
  try {
    return await runWithin(invoking, settings, claimed, bounds);
  } finally {
    overtaken.stop();
  }
}

/** Makes the worktree with its setup, where there is one, and starts the agent; both share the time of the run. */
async function runWithin(
  invoking: Invoking,
  settings: PartySettings,
  { attempt, name, standing }: Claimed,
  bounds: Bounds,
): Promise<Ended> {
  const begunMs = performance.now();
  // One after the other: of two that are open at once, each would go on writing where the other has moved the file.
  const openedLog = () => openLogOf(invoking, settings, attempt);
  const setUp = treeSetUp(bounds, openedLog, attempt.run);
  const prepared = await prepare(invoking, settings, attempt, standing, setUp);
  if ('cause' in prepared) {
    const outcome = bounds.signal.aborted ? 'aborted' : 'cannot-start';
    return { outcome, detail: prepared.what, lastLines: setUp.lastLines(), notBefore: 0, isLeft: setUp.isLeft() };
  }
  const result = await startChild({
    ...bounds,
    argv: prepared.argv,
    cwd: prepared.cwd,
    env: prepared.env,
    ...(prepared.prompt === undefined ? {} : { prompt: prepared.prompt }),
    timeoutSeconds: Math.max(1, bounds.timeoutSeconds - (performance.now() - begunMs) / 1000),
    claimFile: join(invoking.channel.paths.runs, claimFileName(name)),
    log: openedLog(),
  });
  const nowMs = invoking.world.machine.now().getTime();
  const reply = replyTo(invoking, attempt, nowMs);
  // A tree that cannot be removed is one that is kept, and goes with the older ones.
  await prepared.cleanUp(reply.kind !== 'posted').catch(() => undefined);
  return judgeRun(result, reply, nowMs);
}

/** What is to be started, or why it cannot be; nothing is thrown. A branch's tree is remembered before it is made. */
async function prepare(
  { world, channel, config, environment, memory }: Invoking,
  settings: PartySettings,
  { run, thread, seq }: Attempt,
  { tail, state }: Standing,
  setUp: TreeSetUp,
): Promise<Prepared | NotPrepared> {
  try {
    const runFor = { runId: run, thread, seq, cited: newestCitation(tail.entries, state)?.commit };
    const branchTree = branchTreeFor(world.disk, channel, config, settings, runFor);
    if (branchTree) memory.update((now) => withTree(now, { ...branchTree, thread, kept_at: 0 }));
    return await prepareRun(world.disk, channel, config, settings, runFor, environment, setUp.run);
  } catch (error) {
    return { cause: 'cannot-start', what: messageOf(error) };
  }
}

/** Whether the record has an answer to the run; an agent may have left it as it was before, or unreadable. */
function replyTo({ world, channel }: Invoking, { party, seq }: Attempt, nowMs: number): Reply {
  try {
    const standing = readStanding(world.disk, channel, FIRST_WINDOW.writer);
    return { kind: adoptedWhere(standing, nowMs).hasReplied(party, seq) ? 'posted' : 'nothing' };
  } catch (error) {
    return { kind: 'unknown', why: messageOf(error) };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
