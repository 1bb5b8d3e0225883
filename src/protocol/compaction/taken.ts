import { join } from 'node:path';
import type { Channel } from '../channel.js';
import { type Disk, errnoOf } from '../disk.js';
import type { ChannelPaths } from '../layout.js';
import { type FilePart, partOfFile } from '../record/record-files.js';

/**
 * A mailbox under a name of its own in the archive: one that a compaction has taken away (fenced), or the one that it
 * puts in its place (not fenced while it lives).
 */
export interface Taken extends FilePart {
  readonly path: string;
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

/**
 * The taken files, newest first: the highest head by what counts in it, whatever a forged entry claims; of two alike the
 * one without a fence (decisions.md 17).
 */
export function takenByAge(disk: Disk, channel: Channel): readonly Taken[] {
  return takenFiles(disk, channel.paths)
    .flatMap((path) => examine(disk, channel, path))
    .sort((a, b) => b.head - a.head || Number(a.fence !== undefined) - Number(b.fence !== undefined));
}

/** The file that holds the record's end now: the mailbox, or what an interrupted compaction took of it. */
export function currentMailbox(disk: Disk, channel: Channel): string {
  const { mailbox } = channel.paths;
  if (disk.info(mailbox)) return mailbox;
  return takenByAge(disk, channel)[0]?.path ?? mailbox;
}

function examine(disk: Disk, channel: Channel, path: string): readonly Taken[] {
  try {
    return [{ path, ...partOfFile(disk, channel, path) }];
  } catch (error) {
    // Swept by another compaction meanwhile: it was not the newest.
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
}
