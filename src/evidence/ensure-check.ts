import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from '../protocol/core/refusal.js';
import { type FoundRecord, findRecord } from './find-records.js';
import { type EvidencePlace, type RunKey, runKeyOf } from './place.js';
import { ageSeconds } from './record.js';
import { listRuns, logPath, type SeenRun } from './run-files.js';
import { startRunner } from './start-runner.js';
import { newestRun, type RunState } from './take-over-runs.js';

/** Which check, where, and how long the caller waits. */
export interface CheckRequest {
  readonly name: string;
  /** 7 to 40 hex of the commit; without one, the project's HEAD. */
  readonly ref: string | undefined;
  /** 0: start it, do not wait. Infinity: wait until it has ended. */
  readonly waitSeconds: number;
  /** Ends the waiting, never the run. */
  readonly signal?: AbortSignal | undefined;
  /** Called while it waits, with the seconds since the run began. */
  readonly onWaiting?: ((seconds: number) => void) | undefined;
}

/** What a check came to. */
export type CheckOutcome =
  /** There is a fresh record: evidence, whatever the exit code. */
  | ({ readonly kind: 'ran' } & FoundRecord)
  /** It still runs, and goes on: ask again. */
  | { readonly kind: 'running'; readonly name: string; readonly commit: string; readonly seconds: number }
  /** It did not run, so there is no evidence: its setup failed, or it could not start. */
  | {
      readonly kind: 'not-run';
      readonly name: string;
      readonly commit: string;
      readonly reason: string;
      readonly logPath: string;
    };

/** For how long a run that came to nothing is told to whoever asks next, before it is tried again (seconds). */
const toldSeconds = 120;
/** After this long without a sign of it a runner has not started (seconds). */
const startSeconds = 30;
/** A runner that is killed again and again is not started for ever. */
const mostStarts = 3;
/** How often it is looked whether the runner still lives (seconds). */
const lookSeconds = 2;

/**
 * The record of a pinned check at a commit: the fresh one if there is one, else that of the one run of this name,
 * commit and definition that is going on, else of a run that this starts (issue 4, section 3). The run is made by a
 * process of its own, in a detached worktree, and outlives this caller; however many ask at once, one run is made. A
 * runner that was killed is noticed, and its run is made again.
 *
 * @throws Refusal - `unknown-check`, `no-such-commit`, `could-not-check`, `not-written`; the reason of the signal.
 */
export async function ensureCheck(place: EvidencePlace, request: CheckRequest): Promise<CheckOutcome> {
  const key = await runKeyOf(place, request.name, request.ref);
  const { evidenceMaxAgeSeconds } = place.channel.config;
  const look = watchNewest(key);
  const begin = starter(place, key);
  const begun = performance.now();
  const first = listRuns(key.folder).at(-1)?.number ?? 0;
  for (let pause = 20; ; pause = Math.min(pause * 1.5, 500)) {
    request.signal?.throwIfAborted();
    const { state, run } = await look();
    const found = findRecord(key, new Date(), evidenceMaxAgeSeconds);
    if (found?.fresh) return { kind: 'ran', ...found };
    if (run?.outcome?.kind === 'not-run' && isTold(run, first)) return notRun(key, run.number, run.outcome.reason);
    if (state !== 'live') begin(run?.number ?? 0);

    const waited = (performance.now() - begun) / 1000;
    const seconds = state === 'live' && run ? Math.max(0, (Date.now() - run.claimedAt) / 1000) : waited;
    if (waited >= request.waitSeconds) return { kind: 'running', name: key.name, commit: key.commit, seconds };
    request.onWaiting?.(seconds);
    await sleep(Math.min(pause, Math.max(1, (request.waitSeconds - waited) * 1000)));
  }
}

/** A run that came to nothing is told to whoever waited for it, and for a while to whoever asks again. */
function isTold(run: SeenRun, first: number): boolean {
  const ended = run.outcome?.kind === 'not-run' ? run.outcome.finishedAt : '';
  return run.number > first || ageSeconds(ended, new Date()) < toldSeconds;
}

/** Looks at the newest run each time, and only now and then at whether the one that goes on has a live runner. */
function watchNewest(key: RunKey): () => Promise<{ readonly state: RunState; readonly run: SeenRun | undefined }> {
  let known: { readonly number: number; readonly at: number } | undefined;
  return async () => {
    const run = listRuns(key.folder).at(-1);
    const isKnown = known?.number === run?.number && performance.now() - (known?.at ?? 0) < lookSeconds * 1000;
    if (run !== undefined && run.outcome === undefined && isKnown) return { state: 'live', run };
    const seen = await newestRun(key.folder);
    known = seen.state === 'live' && seen.run ? { number: seen.run.number, at: performance.now() } : undefined;
    return seen;
  };
}

/** Starts a runner, and another when the last one was killed or shows no sign of life. `newest` is the run seen now. */
function starter(place: EvidencePlace, key: RunKey): (newest: number) => void {
  let starts = 0;
  let last: { readonly newest: number; readonly at: number; readonly complaint: () => string } | undefined;
  return (newest) => {
    const said = last?.complaint() ?? '';
    const isAwaited = last?.newest === newest && performance.now() - last.at < startSeconds * 1000;
    if (said === '' && isAwaited) return;
    if (said !== '' || starts >= mostStarts)
      throw new Refusal({
        code: 'could-not-check',
        message: `The check ${key.name} could not be started: ${said || 'its runner was killed again and again'}.`,
        hint: `Look at ${key.folder}, and at what ends processes on this machine.`,
      });
    starts += 1;
    last = { newest, at: performance.now(), complaint: startRunner(place, key) };
  };
}

function notRun(key: RunKey, number: number, reason: string): CheckOutcome {
  return { kind: 'not-run', name: key.name, commit: key.commit, reason, logPath: logPath(key.folder, number) };
}
