import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { lastLinesOf } from '../../process/bounded-output.js';

/** As much of a log's end as a status line can show of it, in bytes. */
const END_BYTES = 1024;

/** The last line that an agent printed, as its log has it; empty while it printed none, or when the log cannot be read. */
export function lastLineOf(log: string): string {
  try {
    const file = openSync(log, 'r');
    try {
      const bytes = Buffer.alloc(END_BYTES);
      const length = readSync(file, bytes, 0, END_BYTES, Math.max(0, fstatSync(file).size - END_BYTES));
      return lastLinesOf(bytes.toString('utf8', 0, length), 1).trim();
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
}
