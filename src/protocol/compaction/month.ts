import { join } from 'node:path';
import type { Channel } from '../channel.js';
import { renderIndexLine } from '../core/archive-index.js';
import { readText, removeQuietly, replaceFile } from '../file.js';
import { monthFiles } from '../record/archive.js';
import { type FileEntry, layOut, readBeginning, scanFiles } from '../record/record-files.js';
import type { World } from '../world.js';
import { copyEntries } from './copy-entries.js';
import { threadSpans } from './cut.js';
import { takenByAge } from './taken.js';

/**
 * Makes the archive hold what every taken mailbox moves, exactly once (field case L6), and looks again until it does: a
 * process that was paused may have put an older month file in the place of a newer one.
 */
export function archiveMoves(world: World, channel: Channel): void {
  for (;;) {
    let added = false;
    for (const { path, entries, fence } of takenByAge(world.disk, channel).toReversed()) {
      if (!fence) continue;
      const moves = entries.filter((entry) => entry.number <= fence.number);
      added = archiveEntries(world, channel, path, moves) || added;
    }
    if (!added) return;
  }
}

/**
 * Adds those of the entries to the archive that are not there yet, to the month file of the last one, then lists them in
 * the index. Safe to do again. Returns whether anything was missing. `from` must not change before the entries' end.
 */
export function archiveEntries(world: World, channel: Channel, from: string, entries: readonly FileEntry[]): boolean {
  const { disk } = world;
  const { paths } = channel;
  const [first] = entries;
  const last = entries.at(-1);
  if (!first || !last) return false;
  disk.makeFolder(paths.archive);
  disk.syncFolder(paths.root);
  const { there, sizes, before, behind } = monthsAround(world, channel, first.number);
  const missing = entries.filter((entry) => !there.has(identityOf(entry.number, entry.after.hash)));
  const own = join(paths.archive, `${paths.monthPrefix}-${last.timestamp.slice(0, 7)}.md`);
  // A clock that went back must not put later entries into an earlier file: the files stay in the record's order.
  const isOutOfOrder = before !== undefined && (before > own || (behind !== undefined && behind <= own));
  const month = isOutOfOrder ? before : own;
  if (missing.length > 0) {
    const temporary = `${month}.${world.machine.randomHex(4)}.tmp`;
    try {
      // Of the old file only what was looked through: what is missing is certainly not in that part.
      const size = sizes.get(month);
      const after = size === undefined ? undefined : { path: month, size };
      copyEntries(disk, { from, entries: missing, to: temporary, after });
      disk.rename(temporary, month);
    } catch (error) {
      removeQuietly(disk, temporary);
      throw error;
    }
    disk.syncFolder(paths.archive);
  }
  writeIndex(world, channel, entries, month.slice(paths.archive.length + 1));
  return missing.length > 0;
}

/** Where the record went back and was accepted so, the archive may hold another entry of the same number. */
function identityOf(number: number, hash: string): string {
  return `${number} ${hash}`;
}

/** Every entry that stands in a file of the archive, whether it still counts or not. */
function identitiesIn({ disk, hashes }: World, channel: Channel, path: string): readonly string[] {
  const found: string[] = [];
  const reach = { base: channel.reader.base, bell: Number.POSITIVE_INFINITY, whole: true, archived: true };
  scanFiles(disk, channel.reader, layOut(disk, [path]), reach, {
    entry: ({ header, marker, text }) => found.push(identityOf(header.number, marker?.hash ?? hashes.text(text))),
  });
  return found;
}

/**
 * The entries in the month files from the last one that begins at or before `first` on, how many bytes of each were
 * looked through, that file, and the one behind it.
 */
function monthsAround(world: World, channel: Channel, first: number) {
  const { disk } = world;
  const there = new Set<string>();
  const sizes = new Map<string, number>();
  let behind: string | undefined;
  for (const path of monthFiles(disk, channel.paths).toReversed()) {
    sizes.set(path, disk.info(path)?.size ?? 0);
    for (const identity of identitiesIn(world, channel, path)) there.add(identity);
    if (readBeginning(disk, path).first <= first) return { there, sizes, before: path, behind };
    behind = path;
  }
  return { there, sizes, before: undefined, behind };
}

/** A line a thread, as the published tool writes it. */
function writeIndex(world: World, channel: Channel, moved: readonly FileEntry[], month: string): void {
  const { disk } = world;
  const { paths } = channel;
  const old = readText(disk, paths.index) ?? '';
  const added = threadSpans(moved)
    .map((span) => ({ ...span, closed: moved[span.lastId]?.timestamp ?? '', file: month }))
    // Listed already, by a run that was interrupted, perhaps in another month.
    .filter((line) => !old.includes(renderIndexLine({ ...line, file: '' })))
    .map(renderIndexLine);
  if (added.length === 0) return;
  replaceFile(disk, paths.archive, paths.index, `${old}${added.join('\n')}\n`, world.machine.randomHex(4));
}
