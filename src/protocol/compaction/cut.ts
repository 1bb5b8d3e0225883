import type { Channel } from '../channel.js';
import { QuietPoints, type ThreadSpan, ThreadSpans } from '../core/quiet.js';
import type { Disk } from '../disk.js';
import { entriesOfFile, type FileEntry } from '../record/record-files.js';

/** Where a compaction cuts: the entries of the mailbox up to `number` move to the archive. */
export interface Cut {
  readonly number: number;
  /** The entries that move, oldest first. */
  readonly moves: readonly FileEntry[];
  readonly threads: readonly ThreadSpan[];
}

/** The cut of a compaction that keeps what is not older than `before`, a time as the record writes it; undefined for none. */
export function cutBefore(disk: Disk, channel: Channel, before: string): Cut | undefined {
  const entries = entriesOfFile(disk, channel, channel.paths.mailbox);
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
