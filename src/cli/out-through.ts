import { writeSync } from 'node:fs';
import { EXIT } from '../protocol/core/refusal.js';
import { errnoOf } from '../protocol/disk.js';
import { thisMachine } from '../protocol/machine.js';
import { dieOnInterrupt } from './streams.js';

/** How long to wait for a reader whose pipe is full, in milliseconds. */
const PAUSE_MS = 2;

/**
 * Writes a line, and is done when the reader's pipe has taken all of it: a record that is streamed in one go would
 * otherwise pile up in memory before a slow reader (field case R9). For commands that write nothing else: Ctrl-C ends one
 * that waits for its reader, and a reader that has read enough ends it with 0 (field case W4).
 */
export function outThrough(line: string): void {
  const text = `${line}\n`;
  // A terminal takes everything at once, and what is in the stream's own buffer must stay before this.
  if (process.stdout.isTTY || process.stdout.writableLength > 0) process.stdout.write(text);
  else writeAll(Buffer.from(text));
}

function writeAll(bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(process.stdout.fd, bytes, written);
    } catch (error) {
      if (errnoOf(error) !== 'EAGAIN') process.exit(errnoOf(error) === 'EPIPE' ? EXIT.done : EXIT.couldNotCheck);
      dieOnInterrupt();
      thisMachine.sleepMs(PAUSE_MS);
    }
  }
}
