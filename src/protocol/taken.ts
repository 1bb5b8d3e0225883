import { join } from 'node:path';
import { Scanner } from './core/scan.js';
import { type Disk, errnoOf, type Handle } from './disk.js';
import { readRange } from './file.js';
import type { ChannelPaths } from './layout.js';

/** A mailbox that a compaction has taken away, and whether it is fenced (decisions.md 17). */
export interface Taken {
  readonly path: string;
  readonly fence: { readonly number: number; readonly hash: string } | undefined;
  /** Highest number of a complete entry in it. */
  readonly head: number;
}

function takenFiles(disk: Disk, paths: ChannelPaths): readonly string[] {
  try {
    return disk
      .list(paths.archive)
      .filter(
        (name) => name.startsWith(paths.takenPrefix) && /^\d+-[0-9a-f]{8}$/.test(name.slice(paths.takenPrefix.length)),
      )
      .map((name) => join(paths.archive, name));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** The taken files, newest first: the highest head by content; of two alike the one without a fence. */
export function takenByAge(disk: Disk, paths: ChannelPaths): readonly Taken[] {
  const found = takenFiles(disk, paths).map((path) => examine(disk, path));
  return found.sort((a, b) => b.head - a.head || Number(a.fence !== undefined) - Number(b.fence !== undefined));
}

/** The file that holds the record's end now: the mailbox, or what an interrupted compaction took of it. */
export function currentMailbox(disk: Disk, paths: ChannelPaths): string {
  if (disk.info(paths.mailbox)) return paths.mailbox;
  return takenByAge(disk, paths)[0]?.path ?? paths.mailbox;
}

function examine(disk: Disk, path: string): Taken {
  const handle: Handle = disk.openRead(path);
  let fence: Taken['fence'];
  let head = 0;
  const scanner = new Scanner(
    {
      entry: (entry) => {
        if (entry.marker) head = Math.max(head, entry.header.number);
      },
      fence: (found) => {
        fence = { number: found.number, hash: found.hash };
      },
    },
    { start: 0, cutFirstLine: false },
  );
  try {
    const size = disk.size(handle);
    for (let at = 0; at < size; at += 1 << 20)
      scanner.push(readRange(disk, handle, at, Math.min(size, at + (1 << 20))));
  } finally {
    disk.close(handle);
  }
  scanner.end();
  return { path, fence, head };
}
