import type { Channel } from '../channel.js';
import { QuietPoints, type ThreadSpan, ThreadSpans } from '../core/quiet.js';
import type { Disk } from '../disk.js';
import { type FileEntry, partOfFile } from '../record/record-files.js';
import { currentMailbox } from './taken.js';

/** Where a compaction cuts: the entries of the mailbox up to `number` move to the archive. */
export interface Cut {
  readonly number: number;
  /** The entries that move, oldest first. */
  readonly moves: readonly FileEntry[];
  readonly threads: readonly ThreadSpan[];
}

/**
 * The cut of a compaction that keeps what is not older than `before`, a time as the record writes it; undefined for none.
 * Where an interrupted compaction took the mailbox away, of what it leaves to the next.
 */
export function cutBefore(disk: Disk, channel: Channel, before: string): Cut | undefined {
  const part = partOfFile(disk, channel, currentMailbox(disk, channel));
  const moved = part.fence?.number ?? 0;
  const entries = part.entries.filter((entry) => entry.number > moved);
  const quiet = new QuietPoints((index) => (entries[index]?.timestamp ?? '') < before);
  for (const [index, entry] of entries.entries()) quiet.visit(index, entry.before, entry.after);
  const moves = entries.slice(0, quiet.cut + 1);
  const last = moves.at(-1);
  return last && { number: last.number, moves, threads: threadSpans(moves) };
}

/** The spans of threads among entries that follow each other. */
export function threadSpans(entries: readonly FileEntry[]): readonly ThreadSpan[] {
  const spans = new ThreadSpans();
  for (const [index, entry] of entries.entries())
    spans.visit(index, entry.number, entry.facts, entry.before, entry.after);
  return spans.spans;
}
