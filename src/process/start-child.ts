import { closeSync } from 'node:fs';
import { endTree } from './end-tree.js';
import { identifyProcess } from './list-processes.js';
import { type OutputPipe, openOutputPipe, openPrompt } from './output-pipe.js';
import type { RunLog } from './run-log.js';
import { shimRefusalCode, shimRefused, throughShim } from './shim.js';
import { argumentTooLong, byteLength, findStartable } from './startable.js';

/** What is run, and under which limits. */
export interface ChildSpec {
  /** The pinned command; no shell sees it. */
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The whole environment: nothing of ours is added. */
  readonly env: Readonly<Record<string, string>>;
  /** What the child reads on stdin; without it, it reads end-of-file at once (field case W2). */
  readonly prompt?: string;
  readonly timeoutSeconds: number;
  /** Between TERM and KILL. */
  readonly graceSeconds: number;
  /** `NAME=value` in `env` by which processes that left the tree are found, such as `DEBATE_WAKE=<run id>`. */
  readonly marker?: string;
  /** The claim under which it runs, an absolute path. Without one nothing stands between us and the command. */
  readonly claimFile?: string;
  /** Gets all output; it is closed at the end. */
  readonly log: RunLog;
  /** Ends the run; its reason (`overtaken`, `shutdown`) is reported. */
  readonly signal?: AbortSignal;
  /** Cuts the grace between TERM and KILL short. */
  readonly hurry?: AbortSignal;
}

/** How a run ended. Success is never among these: that is an entry in the record (DESIGN.md 7). */
export type RunEnd =
  | { readonly kind: 'exited'; readonly code: number | undefined; readonly signal: string | undefined }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'aborted'; readonly reason: string }
  /** It was found at the last moment that this claim may start nothing any more. */
  | { readonly kind: 'claim-gone' }
  | { readonly kind: 'cannot-start'; readonly message: string }
  | { readonly kind: 'argument-too-long'; readonly message: string };

/** A finished run. */
export type RunResult = RunEnd & {
  readonly durationSeconds: number;
  /** The end of its output, masked: for an escalation, and all that was kept. */
  readonly lastLines: string;
  readonly tail: string;
  /** Pids of its processes that could not be ended. */
  readonly survivors: readonly number[];
  readonly logProblem: string | undefined;
};

const longestTimer = 2 ** 31 - 1;
const drainSeconds = 1;

/**
 * Runs one command to its end and ends everything that it started: also what it left in the background after a normal
 * exit, so nothing of a run survives it (field case W5). Never throws; whatever goes wrong is a value.
 */
export async function startChild(spec: ChildSpec): Promise<RunResult> {
  const begun = performance.now();
  const { end, survivors } = await run(spec).catch((error: unknown) => failed(cannotStart(error)));
  const { tail, lastLines, problem } = spec.log.close();
  return {
    ...end,
    durationSeconds: (performance.now() - begun) / 1000,
    lastLines,
    tail,
    survivors,
    logProblem: problem,
  };
}

interface Ended {
  readonly end: RunEnd;
  readonly survivors: readonly number[];
}

async function run(spec: ChildSpec): Promise<Ended> {
  if (spec.signal?.aborted) return failed({ kind: 'aborted', reason: String(spec.signal.reason) });
  const found = findStartable(spec.argv, { path: spec.env.PATH, cwd: spec.cwd });
  if (found.kind !== 'found') return failed(found);
  const { args } = found;
  const [file, ...rest] = spec.claimFile ? throughShim(spec.claimFile, found.file, args) : [found.file, ...args];
  const output = openOutputPipe((chunk) => spec.log.write(chunk));
  try {
    return await supervise(spec, await spawnDetached(spec, file ?? found.file, rest, output));
  } finally {
    await output.drained(drainSeconds);
  }
}

interface Started {
  readonly pid: number;
  readonly exit: Promise<RunEnd>;
}

async function spawnDetached(
  spec: ChildSpec,
  file: string,
  args: readonly string[],
  output: OutputPipe,
): Promise<Started | RunEnd> {
  const { execa } = await import('./execa.js');
  const prompt = spec.prompt === undefined ? undefined : openPrompt(spec.prompt);
  try {
    // execa hands any descriptor on as it is; its types know only the three standard ones.
    const stdin = prompt === undefined ? 'ignore' : (prompt as 0);
    const stdout = output.childEnd as 1;
    const child = execa(file, args, {
      cwd: spec.cwd,
      env: spec.env,
      extendEnv: false,
      detached: true,
      cleanup: false,
      reject: false,
      stdio: [stdin, stdout, stdout],
    });
    const { pid } = child;
    if (pid === undefined) return startFailure(await child, spec.argv);
    const exit = new Promise<RunEnd>((resolve) => {
      child.once('exit', (code, signal) => {
        resolve({ kind: 'exited', code: code ?? undefined, signal: signal ?? undefined });
      });
    });
    return { pid, exit };
  } finally {
    if (prompt !== undefined) closeSync(prompt);
    output.handedOver();
  }
}

async function supervise(spec: ChildSpec, started: Started | RunEnd): Promise<Ended> {
  if ('kind' in started) return failed(started);
  const { pid, exit } = started;
  const identity = await identifyProcess(pid);
  const stop = stopper(spec);
  const end = await Promise.race([exit, stop.asked]);
  stop.clear();
  const markers = spec.marker === undefined ? [] : [spec.marker];
  const { graceSeconds, hurry } = spec;
  const report = await endTree([identity], { graceSeconds, markers, ...(hurry ? { hurry } : {}) });
  const survivors = report.survivors.map((record) => record.pid);
  const refused = spec.claimFile !== undefined && end.kind === 'exited' && end.code === shimRefusalCode;
  if (refused && shimRefused(spec.claimFile, pid)) return { end: { kind: 'claim-gone' }, survivors };
  return { end, survivors };
}

/** Resolves when the run must be stopped, by the clock or by the caller. */
function stopper(spec: ChildSpec): { readonly asked: Promise<RunEnd>; clear(): void } {
  let clear = (): void => {};
  const asked = new Promise<RunEnd>((resolve) => {
    const milliseconds = Math.min(spec.timeoutSeconds * 1000, longestTimer);
    const timer = setTimeout(() => resolve({ kind: 'timed-out' }), milliseconds);
    const abort = (): void => resolve({ kind: 'aborted', reason: String(spec.signal?.reason) });
    spec.signal?.addEventListener('abort', abort, { once: true });
    if (spec.signal?.aborted) abort();
    clear = () => {
      clearTimeout(timer);
      spec.signal?.removeEventListener('abort', abort);
    };
  });
  return { asked, clear: () => clear() };
}

function failed(end: RunEnd): Ended {
  return { end, survivors: [] };
}

function startFailure(result: unknown, argv: readonly string[]): RunEnd {
  const total = argv.reduce((sum, argument) => sum + byteLength(argument) + 1, 0);
  const { code } = result as { readonly code?: string };
  if (code !== 'E2BIG') return cannotStart(result);
  const what = `The command has ${total} bytes of arguments, more than this system takes together with the environment`;
  return { kind: 'argument-too-long', message: argumentTooLong(what) };
}

function cannotStart(problem: unknown): RunEnd {
  const { originalMessage, message } = problem as { readonly originalMessage?: string; readonly message?: string };
  return {
    kind: 'cannot-start',
    message: `It could not be started: ${originalMessage ?? message ?? String(problem)}.`,
  };
}
