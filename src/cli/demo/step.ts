import { spawn } from 'node:child_process';

/** What a step of the demonstration printed, and how it ended; `status` is null where a signal ended it. */
export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where and with what a step runs. */
export interface Around {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends the step. */
  readonly signal: AbortSignal;
}

/**
 * Runs a program to its end, with nothing on its standard input. When the signal fires it is told to end (TERM), waited for, and the
 * signal's reason is thrown. It has a process group of its own: Ctrl-C in a terminal reaches it through us alone, so that a
 * tick hears of it once and lets its agent end in its own time. Throws what keeps it from starting, too.
 */
export async function runStep(file: string, args: readonly string[], { cwd, env, signal }: Around): Promise<Ran> {
  signal.throwIfAborted();
  const child = spawn(file, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const end = () => child.kill('SIGTERM');
  signal.addEventListener('abort', end, { once: true });
  try {
    const status = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    signal.throwIfAborted();
    return { status, stdout, stderr };
  } finally {
    signal.removeEventListener('abort', end);
  }
}
