import { join } from 'node:path';
import { createMasker } from '../../process/mask.js';
import type { RunFiles } from '../../process/run-files.js';
import { openRunLog, removeOldLogs } from '../../process/run-log.js';
import { type RunResult, startChild } from '../../process/start-child.js';
import type { Channel } from '../../protocol/channel.js';
import { readStanding, type Standing } from '../../protocol/standing.js';
import type { World } from '../../protocol/world.js';
import type { PartySettings, WatcherConfig } from '../config/watcher-config.js';
import { type Attempt, type Outcome, turnKey } from '../memory.js';
import type { MemoryFile } from '../memory-file.js';
import { type ClaimName, claimFileName, liveClaims } from '../run/claim.js';
import { createClaim, finishClaim } from '../run/claim-files.js';
import { describeClaim, lookAtClaims } from '../run/look-at-claims.js';
import { usedUpQuota } from '../run/quota.js';
import { runMarker, takeOver } from '../run/take-over.js';
import { WITHDRAWN } from './adopt-claims.js';
import { watchOvertaken } from './overtaken.js';
import { type Prepared, prepareRun } from './prepare-run.js';

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
 * starts, waits, and judges it by the record: success is an entry of that party, never exit 0. False when somebody else
 * has the turn or the record moved.
 */
export async function invoke(
  invoking: Invoking,
  settings: PartySettings,
  turn: { readonly standing: Standing; readonly attempt: 1 | 2 },
): Promise<boolean> {
  const { world, files, memory, config } = invoking;
  const { state } = turn.standing;
  const runId = `w${world.machine.randomHex(8)}`;
  const name: ClaimName = { seq: state.seq, hash: state.hash.slice(0, 16), attempt: turn.attempt };
  const limits = { timeoutSeconds: settings.timeoutSeconds, graceSeconds: settings.graceSeconds };
  if (!createClaim(files, name, await describeClaim({ runId, party: settings.party, ...limits }))) return false;
  if (!(await stillMine(invoking, name, state.seq, state.hash))) {
    finishClaim(files, name, WITHDRAWN);
    return false;
  }
  await takeOver(files, name, settings.graceSeconds);
  const log = openLog(invoking, settings, state.seq, turn.attempt);
  const attempt: Attempt = {
    run: runId,
    key: turnKey(state.seq, state.hash),
    attempt: turn.attempt,
    party: settings.party,
    thread: state.thread,
    seq: state.seq,
    started_ms: world.machine.now().getTime(),
    ended_ms: null,
    outcome: 'running',
    detail: '',
    last_lines: '',
    log: log.path,
    not_before_ms: 0,
  };
  memory.update((now) => ({ ...now, attempts: [...now.attempts, attempt] }));
  const entries = turn.standing.tail.entries.filter(
    (entry) => entry.thread === state.thread && entry.seq >= state.openedAt,
  );
  const run = { runId, thread: state.thread, seq: state.seq, entries };
  const prepared = await prepareRun(world.disk, invoking.channel, config, settings, run, invoking.environment);
  const ended =
    'cause' in prepared
      ? { outcome: 'cannot-start' as const, detail: prepared.what, lastLines: log.close().lastLines, notBefore: 0 }
      : await runPrepared(
          invoking,
          settings,
          attempt,
          prepared,
          join(invoking.channel.paths.runs, claimFileName(name)),
          log,
        );
  finishClaim(files, name, ended.outcome);
  memory.update((now) => ({
    ...now,
    attempts: now.attempts.map((each) =>
      each.run === runId
        ? {
            ...each,
            ended_ms: world.machine.now().getTime(),
            outcome: ended.outcome,
            detail: ended.detail,
            last_lines: ended.lastLines,
            not_before_ms: ended.notBefore,
          }
        : each,
    ),
  }));
  invoking.tell({ kind: 'ended', party: settings.party, seq: state.seq, outcome: ended.outcome, detail: ended.detail });
  removeOldLogs(join(config.stateFolder, 'logs'), { files: LOG.files, bytes: LOG.bytes });
  return true;
}

/** The second look (format.md 6): without it two agents run. */
async function stillMine(invoking: Invoking, name: ClaimName, seq: number, hash: string): Promise<boolean> {
  const { state, tail } = readStanding(invoking.world.disk, invoking.channel);
  if (state.seq !== seq || state.hash !== hash || tail.stops.length > 0) return false;
  const { claims, here, now } = await lookAtClaims(invoking.files);
  return liveClaims(claims, here, now, name).length === 0;
}

function openLog(invoking: Invoking, settings: PartySettings, seq: number, attempt: 1 | 2) {
  const secrets = { ...invoking.environment, ...invoking.config.envFile };
  const folder = join(invoking.config.stateFolder, 'logs');
  return openRunLog(folder, { party: settings.party, seq, attempt }, createMasker(secrets), LOG.fileBytes);
}

interface Ended {
  readonly outcome: Outcome;
  readonly detail: string;
  readonly lastLines: string;
  readonly notBefore: number;
}

async function runPrepared(
  invoking: Invoking,
  settings: PartySettings,
  attempt: Attempt,
  prepared: Prepared,
  claimFile: string,
  log: ReturnType<typeof openRunLog>,
): Promise<Ended> {
  const { party, seq } = attempt;
  invoking.tell({ kind: 'started', party, seq, attempt: attempt.attempt, log: log.path });
  const overtaken = watchOvertaken(invoking.world.disk, invoking.channel, { party, seq, thread: attempt.thread });
  const signal = AbortSignal.any([overtaken.signal, ...(invoking.signal ? [invoking.signal] : [])]);
  try {
    const result = await startChild({
      argv: prepared.argv,
      cwd: prepared.cwd,
      env: prepared.env,
      ...(prepared.prompt === undefined ? {} : { prompt: prepared.prompt }),
      timeoutSeconds: settings.timeoutSeconds,
      graceSeconds: settings.graceSeconds,
      marker: runMarker(attempt.run),
      claimFile,
      log,
      signal,
    });
    const replied = hasReplied(invoking, party, seq);
    await prepared.cleanUp(!replied);
    return judgeRun(result, replied, invoking.world.machine.now().getTime());
  } finally {
    overtaken.stop();
  }
}

/** Success is an entry of that party in the record (DESIGN.md 7). */
function hasReplied(invoking: Invoking, party: string, seq: number): boolean {
  const { tail } = readStanding(invoking.world.disk, invoking.channel);
  return tail.entries.some((entry) => entry.seq > seq && entry.sender === party);
}

/** What a finished run comes to. After a signal of ours its exit code means nothing. */
export function judgeRun(result: RunResult, replied: boolean, nowMs: number): Ended {
  const { lastLines } = result;
  const ended = (outcome: Outcome, detail: string, notBefore = 0): Ended => ({ outcome, detail, lastLines, notBefore });
  if (replied) return ended('replied', 'it posted');
  switch (result.kind) {
    case 'timed-out':
      return ended('timed-out', `it was ended after ${Math.round(result.durationSeconds)} s`);
    case 'aborted':
      return ended('aborted', result.reason);
    case 'claim-gone':
      return ended('aborted', 'its claim was taken over before it started');
    case 'cannot-start':
    case 'argument-too-long':
      return ended('cannot-start', result.message);
    case 'exited': {
      const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
      const quota = usedUpQuota(result.tail, { now: nowMs, timeZone });
      if (quota) return ended('quota', `${quota.said} (until ${new Date(quota.until).toISOString()})`, quota.until);
      if (result.code === 0) return ended('no-reply', 'exit 0, and nothing posted');
      return ended(
        'failed',
        result.code === undefined ? `ended by ${result.signal ?? 'a signal'}` : `exit ${result.code}`,
      );
    }
  }
}
