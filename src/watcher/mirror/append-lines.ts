import { closeSync, constants, fdatasyncSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';

/**
 * Appends text and a newline to a file in one write and waits until it is on the disk; answers with the reason where
 * that failed. A line that an earlier failure tore is ended first, so that the text that is sent again stands alone.
 * A pipe without a reader is a failure, never a wait.
 */
export function appendLines(path: string, text: string): string | undefined {
  let file: number | undefined;
  try {
    const { O_APPEND, O_CREAT, O_NONBLOCK, O_WRONLY } = constants;
    file = openSync(path, O_APPEND | O_CREAT | O_NONBLOCK | O_WRONLY, 0o666);
    const regular = fstatSync(file).isFile();
    const bytes = Buffer.from(`${regular && isTorn(path) ? '\n' : ''}${text}\n`);
    const written = writeSync(file, bytes);
    if (written !== bytes.length) return `${path}: only ${written} of ${bytes.length} bytes could be written`;
    if (regular) fdatasyncSync(file);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

// A file that may be written but not read is fine; whether its last line is whole is then not known.
function isTorn(path: string): boolean {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY);
    const { size } = fstatSync(file);
    const last = Buffer.alloc(1);
    return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a;
  } catch {
    return false;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
