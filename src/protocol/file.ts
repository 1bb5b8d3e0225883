import type { Disk, Handle } from './disk.js';
import { errnoOf } from './disk.js';

/** Reads `[from, to)` of an open file; the file may have become shorter, then less comes back. */
export function readRange(disk: Disk, handle: Handle, from: number, to: number): Uint8Array {
  const bytes = Buffer.allocUnsafe(Math.max(0, to - from));
  let filled = 0;
  while (filled < bytes.length) {
    const count = disk.read(handle, bytes.subarray(filled), from + filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

/** A small file's text, or undefined when there is none. */
export function readText(disk: Disk, path: string): string | undefined {
  let handle: Handle;
  try {
    handle = disk.openRead(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return new TextDecoder().decode(readRange(disk, handle, 0, disk.size(handle)));
  } finally {
    disk.close(handle);
  }
}

/** The whole of `bytes`, or an error that says how far it came: a short write is not continued here. */
export class ShortWrite extends Error {
  override readonly name = 'ShortWrite';
  readonly code = 'ESHORT';
  constructor(
    readonly written: number,
    readonly wanted: number,
  ) {
    super(`only ${written} of ${wanted} bytes were written`);
  }
}

/** Writes all of `bytes` in one call (format.md 1.1); a short count is an error, never continued. */
export function writeOnce(disk: Disk, handle: Handle, bytes: Uint8Array): void {
  const written = disk.write(handle, bytes);
  if (written !== bytes.length) throw new ShortWrite(written, bytes.length);
}

/** Writes all of `bytes` to a file that nobody else knows yet, in as many calls as it takes. */
export function writeAll(disk: Disk, handle: Handle, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) {
    const count = disk.write(handle, bytes.subarray(written));
    if (count === 0) throw new ShortWrite(written, bytes.length);
    written += count;
  }
}

/**
 * Replaces a small file as a whole: exclusive temporary file of a random name, full write, fsync, rename, fsync of the
 * folder. On an error the old file stands and the temporary one is removed.
 */
export function replaceFile(disk: Disk, folder: string, path: string, text: string, suffix: string): void {
  const temporary = `${path}.${suffix}.tmp`;
  try {
    writeNew(disk, temporary, text);
    disk.rename(temporary, path);
  } catch (error) {
    removeQuietly(disk, temporary);
    throw error;
  }
  disk.syncFolder(folder);
}

/** Creates a file that must not exist, with its content made durable. The caller makes the folder durable. */
export function writeNew(disk: Disk, path: string, text: string): void {
  const handle = disk.create(path, 0o644);
  try {
    writeAll(disk, handle, Buffer.from(text));
    disk.sync(handle);
  } finally {
    disk.close(handle);
  }
}

/** Removes a file that may be gone already; a failure leaves it for `repair` to sweep. */
export function removeQuietly(disk: Disk, path: string): void {
  try {
    disk.remove(path);
  } catch {
    // A temporary file that stays is swept by `debate repair`; the error that led here matters more.
  }
}
