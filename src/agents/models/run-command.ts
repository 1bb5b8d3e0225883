import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { boundedOutput } from '../../process/bounded-output.js';
import { endTree } from '../../process/end-tree.js';
import { identifyProcess } from '../../process/list-processes.js';
import type { Environment } from './world.js';

/** One run of a program. */
export interface CommandRun {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Environment;
  /** What is written to standard input before it is closed; undefined means there is no standard input. */
  readonly stdin: string | undefined;
  readonly timeoutSeconds: number;
  readonly maxOutputBytes: number;
  readonly signal: AbortSignal | undefined;
}

/** How a run ended. `ended` says who ended it; the exit code means something for `itself` only. */
export interface CommandResult {
  readonly ended: 'itself' | 'timeout' | 'aborted' | 'too-much-output';
  readonly exitCode: number | null;
  readonly signalName: NodeJS.Signals | null;
  readonly stdout: string;
  /** The end of standard error. */
  readonly stderr: string;
}

/** Between asking a tree to end and ending it, in seconds. */
const GRACE_SECONDS = 5;
/** Of standard error only the end is kept: that is where the reason stands. */
const STDERR_BYTES = 4096;

/**
 * Runs a program in a process group of its own and ends its whole tree before it returns, whoever ended the program:
 * harnesses run their tools in sessions of their own and may leave them behind. Rejects only when the program cannot
 * be started.
 */
export async function runCommand(run: CommandRun): Promise<CommandResult> {
  const mark = randomUUID();
  const child = spawn(run.file, run.args, {
    cwd: run.cwd,
    env: { ...run.environment, DEBATE_MODEL_CALL: mark },
    detached: true,
    stdio: [run.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit').catch(() => undefined);
  const closed = once(child, 'close').catch(() => undefined);
  const chunks: Buffer[] = [];
  const stderr = boundedOutput(STDERR_BYTES);
  let bytes = 0;
  let ended: CommandResult['ended'] = 'itself';
  const cut = new AbortController();
  const cutShort = once(cut.signal, 'abort');
  const end = (by: CommandResult['ended']) => {
    if (!cut.signal.aborted) ended = by;
    cut.abort();
  };

  child.stdout?.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > run.maxOutputBytes) end('too-much-output');
    else chunks.push(chunk);
  });
  child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk));
  // A program that does not read its prompt closes the pipe; what it printed says why.
  child.stdin?.on('error', () => {});
  await once(child, 'spawn');
  child.stdin?.end(run.stdin ?? '');

  const timer = setTimeout(() => end('timeout'), run.timeoutSeconds * 1000);
  const onAbort = () => end('aborted');
  run.signal?.addEventListener('abort', onAbort, { once: true });
  if (run.signal?.aborted) onAbort();
  const identity = await identifyProcess(child.pid ?? 0);
  await Promise.race([exited, cutShort]);
  clearTimeout(timer);
  run.signal?.removeEventListener('abort', onAbort);

  await endTree([identity], { graceSeconds: GRACE_SECONDS, markers: [`DEBATE_MODEL_CALL=${mark}`] });
  // Whatever could not be ended may still hold the pipes open.
  await Promise.race([closed, wait(1000, undefined, { ref: false })]);
  child.stdout?.destroy();
  child.stderr?.destroy();
  return {
    ended,
    exitCode: child.exitCode,
    signalName: child.signalCode,
    stdout: Buffer.concat(chunks).toString('utf8'),
    stderr: stderr.text(),
  };
}
