import { dirname, join } from 'node:path';
import { createMasker } from '../../process/mask.js';
import type { RunFiles } from '../../process/run-files.js';
import { openRunLog, type RunLog, removeOldLogs } from '../../process/run-log.js';
import { type ChildSpec, startChild } from '../../process/start-child.js';
import type { Channel } from '../../protocol/channel.js';
import { newestCitation } from '../../protocol/core/citation.js';
import { readStanding, type Standing } from '../../protocol/standing.js';
import type { World } from '../../protocol/world.js';
import { childEnvironment } from '../config/child-environment.js';
import type { PartySettings, WatcherConfig } from '../config/watcher-config.js';
import { currentHold } from '../hold.js';
import { type Attempt, type Memory, type Outcome, turnKey } from '../memory.js';
import type { MemoryFile } from '../memory-file.js';
import { type ClaimName, claimFileName } from '../run/claim.js';
import { createClaim, finishClaim } from '../run/claim-files.js';
import { describeClaim, findLive } from '../run/look-at-claims.js';
import { runMarker, TAKEN_OVER, takeOver } from '../run/take-over.js';
import { WITHDRAWN } from './adopt-claims.js';
import { withTree } from './close-trees.js';
import { type Ended, judgeRun } from './judge-run.js';
import { watchOvertaken } from './overtaken.js';
import { branchTreeFor, prepareRun } from './prepare-run.js';
import { treeSetUp } from './set-up-tree.js';
import { adoptedWhere } from './tend-runs.js';

/** What one invocation needs. */
export interface Invoking {
  readonly world: World;
  readonly channel: Channel;
  readonly config: WatcherConfig;
  readonly memory: MemoryFile;
  readonly files: RunFiles;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Aborts the run, with the reason that is recorded. */
  readonly signal: AbortSignal | undefined;
  /** Cuts the grace of a run that is being ended short. */
  readonly hurry: AbortSignal | undefined;
  /** Told when the agent starts and how it ends. */
  readonly tell: (event: RunEvent) => void;
}

/** What happens to a run, for people who watch. */
export type RunEvent =
  | {
      readonly kind: 'started';
      readonly party: string;
      readonly seq: number;
      readonly attempt: 1 | 2;
      readonly log: string;
    }
  | {
      readonly kind: 'ended';
      readonly party: string;
      readonly seq: number;
      readonly outcome: Outcome;
      readonly detail: string;
    };

/** Bounds of the logs of runs: a file's size, how many are kept, and their sizes together, in bytes. */
const LOG = { fileBytes: 8 << 20, files: 200, bytes: 256 << 20 };

/**
 * Runs a party's command once for this turn (format.md 6): claims it, looks again, takes over what dead claimants left,
 * starts, waits, and judges it by the record. False when somebody else has the turn or the record moved. Whatever goes wrong
 * after the claim was made finishes it: a process that lives on must not keep others from the turn.
 */
export async function invoke(
  invoking: Invoking,
  settings: PartySettings,
  turn: { readonly standing: Standing; readonly attempt: 1 | 2 },
): Promise<boolean> {
  const { world, files, config } = invoking;
  const { state } = turn.standing;
  const { party, timeoutSeconds, graceSeconds } = settings;
  const runId = `w${world.machine.randomHex(8)}`;
  const name: ClaimName = { seq: state.seq, hash: state.hash.slice(0, 16), attempt: turn.attempt };
  if (!createClaim(files, name, await describeClaim({ runId, party, timeoutSeconds, graceSeconds }))) return false;
  let outcome: string = WITHDRAWN;
  try {
    if (!(await stillMine(invoking, name, turn.standing))) return false;
    await takeOver(files, name, graceSeconds);
    const folder = join(config.stateFolder, 'logs');
    const logName = { party, seq: state.seq, attempt: turn.attempt };
    const log = openRunLog(folder, logName, createMasker(secretsOf(invoking, settings)), LOG.fileBytes);
    const attempt = begun(world, runId, party, turn, log.path);
    // Another tick of the same memory may have seen the claim before this one noted its run.
    const others = (now: Memory) => now.attempts.filter((each) => each.run !== runId);
    invoking.memory.update((now) => ({ ...now, attempts: [...others(now), attempt] }));
    const ended = await runClaimed(invoking, settings, { standing: turn.standing, attempt, name, log });
    outcome = ended.isLeft ? TAKEN_OVER : ended.outcome;
    finishClaim(files, name, outcome);
    const endedMs = world.machine.now().getTime();
    invoking.memory.update((now) => withEnd(now, attempt, ended, endedMs));
    invoking.tell({ kind: 'ended', party, seq: state.seq, outcome: ended.outcome, detail: ended.detail });
    removeOldLogs(folder, { files: LOG.files, bytes: LOG.bytes });
    return true;
  } finally {
    finishClaim(files, name, outcome);
  }
}

/** Where values that must not be logged come from: all that the watcher has, and what the party is given besides. */
function secretsOf(
  { environment, config }: Invoking,
  settings: PartySettings,
): Readonly<Record<string, string | undefined>> {
  const child = childEnvironment(config, settings, environment, {});
  return { ...environment, ...config.envFile, ...(child.ok ? child.environment : {}) };
}

function begun(
  world: World,
  run: string,
  party: string,
  { standing, attempt }: { readonly standing: Standing; readonly attempt: 1 | 2 },
  log: string,
): Attempt {
  const { seq, hash, thread } = standing.state;
  return {
    run,
    key: turnKey(seq, hash),
    attempt,
    party,
    thread,
    seq,
    started_ms: world.machine.now().getTime(),
    ended_ms: null,
    outcome: 'running',
    detail: '',
    last_lines: '',
    log,
    not_before_ms: 0,
  };
}

function withEnd(memory: Memory, attempt: Attempt, ended: Ended, endedMs: number): Memory {
  const { outcome, detail, lastLines, notBefore } = ended;
  const now: Attempt = {
    ...attempt,
    ended_ms: endedMs,
    outcome,
    detail,
    last_lines: lastLines,
    not_before_ms: notBefore,
  };
  return { ...memory, attempts: memory.attempts.map((each) => (each.run === attempt.run ? now : each)) };
}

/** The second look (format.md 6): without it two agents run. */
async function stillMine(
  { world, channel, files }: Invoking,
  name: ClaimName,
  { state: decided }: Standing,
): Promise<boolean> {
  const { state, tail } = readStanding(world.disk, channel);
  if (state.seq !== decided.seq || state.hash !== decided.hash || tail.stops.length > 0) return false;
  if (currentHold(files, decided.turn, world.machine.now().getTime())) return false;
  return (await findLive(files, name)).length === 0;
}

interface Claimed {
  readonly standing: Standing;
  readonly attempt: Attempt;
  readonly name: ClaimName;
  readonly log: RunLog;
}

/** What ends a run, and how: for its setup and its agent alike. */
type Bounds = Required<Pick<ChildSpec, 'timeoutSeconds' | 'graceSeconds' | 'marker' | 'signal'>> &
  Pick<ChildSpec, 'hurry'>;

/** Runs what is claimed. Never throws: what keeps it from starting is how it ended. */
async function runClaimed(invoking: Invoking, settings: PartySettings, claimed: Claimed): Promise<Ended> {
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
  const setupLog = () =>
    openRunLog(dirname(log.path), attempt, createMasker(secretsOf(invoking, settings)), LOG.fileBytes);
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
  const replied = adoptedWhere(readStanding(world.disk, channel), nowMs).hasReplied(party, seq);
  await prepared.cleanUp(!replied);
  return judgeRun(result, replied, nowMs);
}
