import type { Disk, Handle } from '../disk.js';
import { readRange, writeAll } from '../file.js';
import type { FileEntry } from '../record/record-files.js';

const CHUNK = 1 << 20;

/** What a new file of the record is made of. */
export interface Copy {
  /** File that the entries are copied from, byte for byte. */
  readonly from: string;
  readonly entries: readonly Pick<FileEntry, 'at' | 'end'>[];
  /** File to create; it must not exist. */
  readonly to: string;
  /** Text before everything. */
  readonly before?: string;
  /** A file whose first bytes are copied before the entries. */
  readonly after?: { readonly path: string; readonly size: number } | undefined;
}

/** Creates a file with the entries, each after a newline as on its first append, and makes its content durable. */
export function copyEntries(disk: Disk, copy: Copy): void {
  const to = disk.create(copy.to, 0o644);
  try {
    if (copy.before !== undefined) writeAll(disk, to, Buffer.from(copy.before));
    const { after } = copy;
    if (after) withFile(disk, after.path, (from) => copyRange(disk, from, to, 0, after.size));
    withFile(disk, copy.from, (from) => {
      for (const { at, end } of copy.entries) {
        writeAll(disk, to, NEWLINE);
        copyRange(disk, from, to, at, end);
        const [last] = readRange(disk, from, end - 1, end);
        if (last !== 10) writeAll(disk, to, NEWLINE);
      }
    });
    disk.sync(to);
  } finally {
    disk.close(to);
  }
}

const NEWLINE = Buffer.from('\n');

function withFile(disk: Disk, path: string, work: (handle: Handle) => void): void {
  const handle = disk.openRead(path);
  try {
    work(handle);
  } finally {
    disk.close(handle);
  }
}

function copyRange(disk: Disk, from: Handle, to: Handle, start: number, end: number): void {
  for (let at = start; at < end; at += CHUNK) writeAll(disk, to, readRange(disk, from, at, Math.min(end, at + CHUNK)));
}
