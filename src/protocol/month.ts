import { join } from 'node:path';
import { monthFiles } from './archive.js';
import type { Channel } from './channel.js';
import { copyEntries } from './copy-entries.js';
import { threadSpans } from './cut.js';
import { readText, removeQuietly, replaceFile } from './file.js';
import { entriesOfFile, type FileEntry } from './record-files.js';
import type { World } from './world.js';

/**
 * Makes the archive hold these entries exactly once (field case L6): what is not there yet is added to the month file
 * of the last one, then listed in the index. Done before the mailbox changes, and safe to do again.
 */
export function archiveEntries(world: World, channel: Channel, from: string, entries: readonly FileEntry[]): void {
  const { disk } = world;
  const { paths } = channel;
  const last = entries.at(-1);
  if (!last) return;
  disk.makeFolder(paths.archive);
  const newest = monthFiles(disk, paths).at(-1);
  const there = new Set(newest === undefined ? [] : entriesOfFile(disk, channel, newest).map((entry) => entry.number));
  const missing = entries.filter((entry) => !there.has(entry.number));
  const own = join(paths.archive, `${paths.monthPrefix}-${last.timestamp.slice(0, 7)}.md`);
  // A clock that went back must not put later entries into an earlier file: the files stay in the record's order.
  const month = newest !== undefined && newest > own ? newest : own;
  if (missing.length > 0) {
    const temporary = `${month}.${world.machine.randomHex(4)}.tmp`;
    try {
      copyEntries(disk, { from, to: temporary, entries: missing, after: disk.info(month) ? month : undefined });
      disk.rename(temporary, month);
    } catch (error) {
      removeQuietly(disk, temporary);
      throw error;
    }
    disk.syncFolder(paths.archive);
  }
  writeIndex(world, channel, entries, month.slice(paths.archive.length + 1));
}

/** A line a thread, as the published tool writes it. */
function writeIndex(world: World, channel: Channel, moved: readonly FileEntry[], month: string): void {
  const { disk } = world;
  const { paths } = channel;
  const old = readText(disk, paths.index) ?? '';
  const added = threadSpans(moved)
    .map((span) => {
      const closed = moved[span.lastId]?.timestamp ?? '';
      return `- ${span.thread}: MSG-${span.first}..MSG-${span.last} (${span.entries} entries, closed ${closed}) -> ${month}`;
    })
    .filter((line) => !old.includes(line));
  if (added.length === 0) return;
  replaceFile(disk, paths.archive, paths.index, `${old}${added.join('\n')}\n`, world.machine.randomHex(4));
}
