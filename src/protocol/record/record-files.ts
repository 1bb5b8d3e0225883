import { basename, dirname } from 'node:path';
import type { Channel } from '../channel.js';
import { foldChain } from '../core/chain-fold.js';
import type { Count } from '../core/count.js';
import { type Counter, makeCounter, type Reach, type Reader } from '../core/counter.js';
import { type Defect, defectOf } from '../core/defect.js';
import { type Facts, factsOf } from '../core/facts.js';
import { startState } from '../core/reading.js';
import { Scanner } from '../core/scan.js';
import type { FenceSeen, ScannedEntry, StrayText } from '../core/scanned.js';
import type { State } from '../core/state.js';
import type { Base } from '../core/words.js';
import type { Disk } from '../disk.js';

/** Bytes that are read at a time; the buffer is used again. */
const CHUNK = 1 << 20;

/** One file of the record, and where its bytes begin when all files are laid end to end. */
export interface RecordFile {
  readonly path: string;
  readonly start: number;
  readonly size: number;
}

/** What one pass over files of the record found. */
export interface FilesScan {
  readonly counter: Counter;
  readonly count: Count;
  readonly conflicts: readonly Defect[];
  readonly strays: readonly StrayText[];
  readonly unmarked: readonly { readonly number: number; readonly at: number; readonly line: number }[];
  readonly fence: FenceSeen | undefined;
}

/** What to do with the entries that stream by. */
export interface Passing {
  /** False: the entry is not part of the record here. */
  readonly belongs?: (entry: ScannedEntry, file: RecordFile) => boolean;
  readonly entry?: (entry: ScannedEntry, id: number, file: RecordFile) => void;
  /** Bytes read so far, of all. */
  readonly progress?: (done: number, total: number) => void;
}

/** Lays files end to end, so that one offset names a place in the record. */
export function layOut(disk: Disk, paths: readonly string[]): readonly RecordFile[] {
  let start = 0;
  return paths.map((path) => {
    const size = disk.info(path)?.size ?? 0;
    const file = { path, start, size };
    start += size;
    return file;
  });
}

/** Streams files through the one counting rule. Memory is some 60 bytes an entry (field case R9). */
export function scanFiles(
  disk: Disk,
  reader: Reader,
  files: readonly RecordFile[],
  reach: Reach,
  passing: Passing,
): FilesScan {
  const counter = makeCounter(reader, reach);
  const total = files.reduce((sum, file) => sum + file.size, 0);
  const conflicts: Defect[] = [];
  const strays: StrayText[] = [];
  const unmarked: { number: number; at: number; line: number }[] = [];
  let fence: FenceSeen | undefined;
  for (const file of files) {
    const sink = {
      entry: (entry: ScannedEntry) => {
        if (passing.belongs && !passing.belongs(entry, file)) return;
        const id = counter.add(entry, factsOf(entry));
        if (id < 0) unmarked.push({ number: entry.header.number, at: entry.at, line: entry.line });
        passing.entry?.(entry, id, file);
      },
      stray: (stray: StrayText) => strays.push(stray),
      fence: (found: FenceSeen) => {
        fence = found;
      },
      conflict: (at: number, line: number) => conflicts.push(defectOf('conflict', 0, at, line)),
    };
    const scanner = new Scanner(sink, { start: file.start, cutFirstLine: false });
    stream(disk, file, scanner, (done) => passing.progress?.(file.start + done, total));
  }
  const count = counter.finish();
  if (!count) throw new Error('what is read from its beginning can always be judged');
  return { counter, count, conflicts, strays, unmarked, fence };
}

function stream(disk: Disk, file: RecordFile, scanner: Scanner, progress: (done: number) => void): void {
  const handle = disk.openRead(file.path);
  const buffer = Buffer.allocUnsafe(CHUNK);
  try {
    for (let at = 0; at < file.size; ) {
      const count = disk.read(handle, buffer.subarray(0, Math.min(CHUNK, file.size - at)), at);
      if (count === 0) break;
      scanner.push(buffer.subarray(0, count));
      at += count;
      progress(at);
    }
  } finally {
    disk.close(handle);
  }
  scanner.end();
}

/** What a file's beginning says: its base line, and the number of its first entry (0 for none within 64 KiB). */
export interface Beginning {
  readonly base: { readonly number: number; readonly hash: string } | undefined;
  readonly first: number;
}

/** Reads the beginning of a file of the record. */
export function readBeginning(disk: Disk, path: string): Beginning {
  let base: Beginning['base'];
  let first = 0;
  const handle = disk.openRead(path);
  const bytes = Buffer.allocUnsafe(64 * 1024);
  try {
    const scanner = new Scanner(
      {
        entry: (entry) => {
          first = first === 0 ? entry.header.number : first;
        },
        base: (found) => {
          base = found;
        },
      },
      { start: 0, cutFirstLine: false },
    );
    scanner.push(bytes.subarray(0, disk.read(handle, bytes, 0)));
    scanner.end();
  } finally {
    disk.close(handle);
  }
  return { base, first };
}

/** An entry that counts in one file of the record, and where its bytes are. */
export interface FileEntry {
  readonly number: number;
  readonly timestamp: string;
  readonly facts: Facts;
  /** Byte range, from `## MSG-` to behind its last line. */
  readonly at: number;
  readonly end: number;
  readonly before: State;
  readonly after: State;
}

/** What counts in one file of the record (mailbox, taken or month file), up to its fence. */
export interface FilePart {
  /** Oldest first. */
  readonly entries: readonly FileEntry[];
  /** Highest number that counts in it, or that its base line names. */
  readonly head: number;
  readonly fence: FenceSeen | undefined;
}

/** The entries that count in one file, up to its fence, oldest first. */
export function entriesOfFile(disk: Disk, channel: Channel, path: string): readonly FileEntry[] {
  return partOfFile(disk, channel, path).entries;
}

/** Reads one file of the record as a whole. */
export function partOfFile(disk: Disk, channel: Channel, path: string): FilePart {
  const { reader, paths } = channel;
  const beginning = readBeginning(disk, path);
  // A month file begins in the middle of the record: what its first entry chains to stands in the file before it.
  const isMonth = dirname(path) === paths.archive && !basename(path).startsWith(paths.takenPrefix);
  const unknown: Base = { number: Math.max(0, beginning.first - 1), hash: undefined };
  const base = beginning.base ?? (isMonth ? unknown : reader.base);
  const places: { timestamp: string; at: number; end: number }[] = [];
  const reach = { base, bell: Number.POSITIVE_INFINITY, whole: true, archived: true };
  const scan = scanFiles(disk, reader, layOut(disk, [path]), reach, {
    entry: (entry, id) => {
      if (id >= 0) places[id] = { timestamp: entry.header.timestamp, at: entry.at, end: entry.end };
    },
  });
  const entries: FileEntry[] = [];
  const start = { first: 0, state: startState(base, reader) };
  foldChain(
    scan.counter,
    scan.count,
    reader,
    start,
    () => '',
    (id, before, after) => {
      const { number, facts } = scan.counter.row(id);
      const place = places[id];
      if (place) entries.push({ number, facts, before, after, ...place });
    },
  );
  return { entries, head: entries.at(-1)?.number ?? base.number, fence: scan.fence };
}
