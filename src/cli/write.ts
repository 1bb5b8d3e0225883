import { fstatSync, writeSync } from 'node:fs';

/** The two streams that a command writes, by their descriptors. */
export type Output = 1 | 2;

const RETRY_MS = 5;

/**
 * Writes all of a text at once: nothing waits in memory, nothing is lost at the end, and Node's stream classes, which cost a
 * start six milliseconds, are not loaded. `debate log | head -1` ends quietly with 0: whoever reads has read enough (field
 * case W4); an output that cannot be written ends the command with 3.
 */
export function writeOutput(output: Output, text: string): void {
  const problem = tryWrite(output, text);
  if (problem !== undefined) process.exit(problem === 'EPIPE' ? 0 : 3);
}

/** The same for who has something to save before it ends, or goes on without: answers with the error's code, such as `EPIPE`. */
export function tryWrite(output: Output, text: string): string | undefined {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(output, bytes, written);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EAGAIN') return code ?? 'unknown error';
      // A terminal or pipe that somebody made non-blocking, and that is full.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
  return undefined;
}

/** Whether a person looks at it. What is no character device is no terminal, and asking Node loads its streams. */
export function isTerminal(output: Output): boolean {
  try {
    if (!fstatSync(output).isCharacterDevice()) return false;
  } catch {
    return false;
  }
  return (output === 1 ? process.stdout : process.stderr).isTTY === true;
}
