import { appendFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { createMasker } from '../process/mask.js';
import { openLog } from '../process/run-log.js';
import { type RunResult, startChild } from '../process/start-child.js';
import { makeDetachedTree, removeDetachedTree } from '../worktree/detached-tree.js';
import type { RunKey } from './place.js';
import type { RunOutcome } from './record.js';
import { claimPhase, logPath, type Phase, sealLog } from './run-files.js';
import { checkMarker, GRACE_SECONDS } from './take-over-runs.js';

/** One run of a check, by whoever holds its claim. */
export interface CheckRun {
  readonly key: RunKey;
  readonly number: number;
  readonly runId: string;
  readonly project: string;
  /** The environment of the check, without what the tool and git say to their own children. */
  readonly environment: Readonly<Record<string, string>>;
  /** Ends the run, which then is none. */
  readonly signal: AbortSignal;
}

/** A log keeps this many bytes twice. */
const logBytes = 1_000_000;
/** What `timeout` and every shell's users know for a command that was ended at its time. */
const timedOutExit = 124;

/**
 * Runs a check in a detached worktree of its own at the commit, its setup first, each under the check's timeout, and
 * ends everything that it started. What the command returns is its record; a setup that fails, or a command that
 * cannot start, is no run. Never throws what a check can cause.
 */
export async function runCheck(run: CheckRun): Promise<RunOutcome> {
  const { key, number, project } = run;
  const folder = join(key.folder, 'trees');
  const tree = await makeDetachedTree({ project, folder, name: String(number), cited: key.commit, keep: 0 });
  if (tree.kind !== 'ready') return notRun(tree.message.replace(/\.$/, ''));
  try {
    return await runIn(run, tree.path);
  } finally {
    await removeDetachedTree(project, tree.path);
  }
}

async function runIn(run: CheckRun, cwd: string): Promise<RunOutcome> {
  const { check, folder } = run.key;
  if (check.setup !== undefined) {
    const problem = setupProblem(await runPhase(run, 'setup', check.setup, cwd));
    if (problem !== undefined) return notRun(`its setup (${check.setup.join(' ')}) ${problem}`);
  }
  const result = await runPhase(run, 'command', check.command, cwd);
  if (result.logProblem !== undefined) return notRun(`its log could not be kept (${result.logProblem})`);
  const exit = exitOf(result);
  if (typeof exit !== 'number') return notRun(exit.problem);
  const path = logPath(folder, run.number);
  if (result.kind === 'timed-out') appendFileSync(path, `\n[ended at its timeout of ${check.timeoutSeconds} s]\n`);
  return {
    kind: 'ran',
    record: {
      name: run.key.name,
      commit: run.key.commit,
      definition: run.key.definition,
      exit,
      timedOut: result.kind === 'timed-out',
      durationSeconds: Math.round(result.durationSeconds * 10) / 10,
      log: sealLog(path),
      finishedAt: new Date().toISOString(),
    },
  };
}

async function runPhase(run: CheckRun, phase: Phase, argv: readonly string[], cwd: string): Promise<RunResult> {
  const { key, number } = run;
  const marker = checkMarker(run.runId);
  const [name = '', value = ''] = marker.split('=');
  const env = { ...run.environment, [name]: value };
  const log = openLog(logPath(key.folder, number), createMasker(env), logBytes);
  log.write(Buffer.from(`$ ${argv.join(' ')}\n`));
  return startChild({
    argv,
    cwd,
    env,
    timeoutSeconds: key.check.timeoutSeconds,
    graceSeconds: GRACE_SECONDS,
    marker,
    claimFile: claimPhase(key.folder, number, phase),
    log,
    signal: run.signal,
  });
}

function setupProblem(result: RunResult): string | undefined {
  const exit = exitOf(result);
  if (typeof exit !== 'number') return `could not be run: ${exit.problem}`;
  if (result.kind === 'timed-out') return `was ended at its timeout after ${Math.round(result.durationSeconds)} s`;
  return exit === 0 ? undefined : `ended with exit ${exit}`;
}

/** The exit code as a shell would give it, or why there is none. */
function exitOf(result: RunResult): number | { readonly problem: string } {
  switch (result.kind) {
    case 'exited':
      return result.code ?? 128 + (constants.signals[result.signal as NodeJS.Signals] ?? 0);
    case 'timed-out':
      return timedOutExit;
    case 'aborted':
      return { problem: `its runner was ended (${result.reason})` };
    case 'claim-gone':
      return { problem: 'another runner took it over' };
    case 'cannot-start':
    case 'argument-too-long':
      return { problem: result.message.replace(/\.$/, '') };
  }
}

function notRun(reason: string): RunOutcome {
  return { kind: 'not-run', reason, finishedAt: new Date().toISOString() };
}
