import type { Channel } from '../channel.js';
import { toEntry } from '../core/facts.js';
import type { State } from '../core/state.js';
import type { Entry } from '../core/words.js';
import type { Disk } from '../disk.js';
import { monthFiles } from './archive.js';
import { layOut, type Passing, scanFiles } from './record-files.js';
import { scanWhole, type WholeRecord } from './whole.js';

/** An entry that counts, and the number of the entry that opened its thread (its own for a one-shot entry). */
export interface Streamed {
  readonly entry: Entry;
  readonly opening: number;
}

/**
 * Calls `each` for every entry that counts, archives included, oldest first. Two passes: the first judges, the second
 * tells, so that memory stays bounded whatever the size of the record (field case R9).
 */
export function streamEntries(
  disk: Disk,
  channel: Channel,
  bell: number,
  each: (streamed: Streamed) => void,
  progress?: Passing['progress'],
): void {
  const record = scanWhole(disk, channel, bell, progress ? { progress } : {});
  const { format, formatSince } = channel.reader;
  if (!record.chained && (format === 1 || formatSince !== undefined)) streamArchive(disk, channel, each);
  const openings = openingsOf(record);
  scanWhole(disk, channel, bell, {
    entry: (scanned, id) => {
      const opening = openings.get(id);
      if (opening !== undefined) each({ entry: toEntry(scanned, record.counter.row(id).hash), opening });
    },
  });
}

/** For every row that counts, the number of the entry that opened its thread. */
function openingsOf(record: WholeRecord): ReadonlyMap<number, number> {
  const openings = new Map<number, number>();
  record.fold((id, before, after, row) => {
    openings.set(id, openingOf(row.number, row.facts.thread, before, after));
  });
  return openings;
}

function openingOf(number: number, thread: string, before: State, after: State): number {
  if (after.thread === thread) return after.openedAt;
  return before.thread === thread ? before.openedAt : number;
}

/** The published tool's archive is in no chain: its entries are told as they stand, thread by thread. */
function streamArchive(disk: Disk, channel: Channel, each: (streamed: Streamed) => void): void {
  const reach = { base: channel.reader.base, bell: Number.POSITIVE_INFINITY, whole: true, archived: true };
  for (const path of monthFiles(disk, channel.paths)) {
    const opened = new Map<string, number>();
    scanFiles(disk, channel.reader, layOut(disk, [path]), reach, {
      entry: (scanned) => {
        const entry = toEntry(scanned, scanned.marker?.hash ?? channel.reader.hashes.text(scanned.text));
        const opening = opened.get(entry.thread) ?? entry.seq;
        if (entry.type === 'close') opened.delete(entry.thread);
        else opened.set(entry.thread, opening);
        each({ entry, opening });
      },
    });
  }
}
