import { join } from 'node:path';
import type { Channel } from '../channel.js';
import type { State } from '../core/state.js';
import { type Disk, errnoOf } from '../disk.js';
import type { ChannelPaths } from '../layout.js';
import { readTail } from './tail.js';

/** The month files of a channel's archive, oldest first; none when nothing was archived. */
export function monthFiles(disk: Disk, paths: ChannelPaths): readonly string[] {
  const pattern = new RegExp(`^${paths.monthPrefix.replace(/[^A-Za-z0-9-]/g, '\\$&')}-\\d{4}-\\d{2}\\.md$`);
  try {
    return disk
      .list(paths.archive)
      .filter((name) => pattern.test(name))
      .map((name) => join(paths.archive, name));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/**
 * True where the mailbox goes on after an archive that it does not name: the published compaction leaves no trace in it, also for a
 * channel that was migrated since.
 */
export function followsArchive(disk: Disk, { reader, paths }: Channel): boolean {
  if (reader.format === 2 && reader.formatSince === undefined) return false;
  // By its index too: a month file that is lost does not make the mailbox one that begins here.
  return disk.info(paths.index) !== undefined || monthFiles(disk, paths).length > 0;
}

/** Where the newest archive of a format 1 channel ends: the published compaction can archive the newest entry (decisions.md 6). */
export function archivedHead(disk: Disk, channel: Channel): State | undefined {
  const newest = monthFiles(disk, channel.paths).at(-1);
  if (newest === undefined) return undefined;
  const handle = disk.openRead(newest);
  try {
    return readTail(disk, handle, channel.reader, Number.POSITIVE_INFINITY, true).state;
  } finally {
    disk.close(handle);
  }
}
