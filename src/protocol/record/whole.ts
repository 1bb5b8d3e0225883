import type { Channel } from '../channel.js';
import { currentMailbox } from '../compaction/taken.js';
import { type ChainFold, foldChain, type Visit } from '../core/chain-fold.js';
import { startState } from '../core/reading.js';
import type { Disk } from '../disk.js';
import { openMailbox } from '../standing.js';
import { followsArchive, monthFiles } from './archive.js';
import { type FilesScan, layOut, type Passing, type RecordFile, readBeginning, scanFiles } from './record-files.js';

/** The whole record of a channel, archives included, streamed once and judged by the one counting rule. */
export interface WholeRecord extends FilesScan {
  readonly files: readonly RecordFile[];
  /** The file that is the mailbox now: its own, or what a compaction has taken away. */
  readonly mailbox: string;
  /** True when the archive is part of the chain; false when there is none, or one that the published tool wrote. */
  readonly chained: boolean;
  /** Folds the entries that count, from the first. */
  fold(visit?: Visit): ChainFold;
}

/**
 * Streams the record: the archived part that the mailbox's base line names, then the mailbox. A format 1 archive is in no
 * chain and stays out. `bell` is the doorbell's seq, Infinity for none.
 */
export function scanWhole(disk: Disk, channel: Channel, bell: number, passing: Passing = {}): WholeRecord {
  const { reader, paths } = channel;
  const mailbox = currentMailbox(disk, channel);
  const named = openMailbox(() => readBeginning(disk, mailbox), mailbox).base;
  const months = monthFiles(disk, paths);
  const isChained = reader.format === 2 && named !== undefined && months.length > 0;
  const files = layOut(disk, isChained ? [...months, mailbox] : [mailbox]);
  const base = isChained ? reader.base : (named ?? reader.base);
  const reach = { base, bell, whole: true, archived: followsArchive(disk, channel) };
  const scan = scanFiles(disk, reader, files, reach, {
    ...passing,
    // A month file written by a compaction that was interrupted holds entries that are still the mailbox's.
    belongs: (entry, file) => !isChained || file.path === mailbox || entry.header.number <= named.number,
  });
  return {
    ...scan,
    files,
    mailbox,
    chained: isChained,
    fold: (visit) =>
      foldChain(scan.counter, scan.count, reader, { first: 0, state: startState(base, reader) }, () => '', visit),
  };
}

/** The file and the offset in it that an offset in the record means. */
export function placeOf(files: readonly RecordFile[], at: number): { readonly path: string; readonly offset: number } {
  const file = files.findLast((each) => each.start <= at) ?? files[0];
  return { path: file?.path ?? '', offset: at - (file?.start ?? 0) };
}
