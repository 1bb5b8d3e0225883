import type { Reader } from '../core/counter.js';
import { judgeBeginning } from '../core/head.js';
import { type Reading, type Rung, readWindow } from '../core/reading.js';
import type { Disk, Handle } from '../disk.js';
import { readRange } from '../file.js';

/**
 * The first window, in bytes. A writer looks for its key at least that far back (format.md 4); for whoever only reads, the open
 * thread decides how far, and reading less costs a start less.
 */
export const FIRST_WINDOW = { writer: 64 * 1024, reader: 16 * 1024 };
/** What is read of a mailbox's beginning, in bytes (format.md 2). */
const BEGINNING = 4096;

/** What the end of a mailbox says. */
export interface Tail extends Reading {
  /** Bytes of the mailbox when it was read. */
  readonly size: number;
}

/**
 * Reads an open mailbox from its end, widening the window until it can be judged: the cost follows the open thread,
 * not the record (DESIGN.md 6). `bell` is the doorbell's seq, Infinity for none; `archived` says that older entries
 * lie in an archive; `rung` is what the doorbell says, where it has to agree.
 */
export function readTail(
  disk: Disk,
  handle: Handle,
  reader: Reader,
  bell: number,
  archived: boolean,
  rung?: Rung,
  firstWindow = FIRST_WINDOW.writer,
): Tail {
  const size = disk.size(handle);
  for (let length = firstWindow; ; length *= 4) {
    const start = size <= length ? 0 : size - length;
    const bytes = readRange(disk, handle, start, size);
    const beginning = start === 0 ? undefined : judgeBeginning(readRange(disk, handle, 0, BEGINNING), reader);
    const reading = readWindow({ bytes, start, bell, archived, base: beginning?.base ?? 0, rung }, reader);
    if (!reading) continue;
    const { stops } = reading;
    return { ...reading, stops: beginning?.missing ? [beginning.missing, ...stops] : stops, size };
  }
}
