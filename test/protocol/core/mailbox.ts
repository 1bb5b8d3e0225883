import { createHash } from 'node:crypto';
import type { Reader } from '../../../src/protocol/core/counter.js';
import { type Reading, type Rung, readWindow } from '../../../src/protocol/core/reading.js';
import { Scanner } from '../../../src/protocol/core/scan.js';
import type { ScannedEntry, ScanSink, StrayText } from '../../../src/protocol/core/scanned.js';
import { type Hashes, ZERO_HASH } from '../../../src/protocol/core/words.js';

/** A record written by hand, byte for byte as format.md says, and not by the code under test. */

export const ANN = 'ann';
export const BOB = 'bob';
export const OWNER = 'owner';

export function sha(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** SHA-256 once more, so that the core is not tested with the hashes it ships with. */
export const hashes: Hashes = {
  chain: (predecessor, text) =>
    createHash('sha256')
      .update(Buffer.concat([Buffer.from(`${predecessor}\n`), text]))
      .digest('hex'),
  text: (text) => createHash('sha256').update(text).digest('hex'),
};

export function readerOf(change: Partial<Reader> = {}): Reader {
  return {
    parties: [ANN, BOB],
    supervisor: OWNER,
    threadCap: 12,
    format: 2,
    formatSince: undefined,
    base: { number: 0, hash: ZERO_HASH },
    hashes,
    ...change,
  };
}

export interface Said {
  readonly from?: string;
  readonly type?: string;
  readonly thread?: string;
  readonly refs?: string;
  readonly body?: string;
  readonly key?: string;
  readonly time?: string;
}

export interface Written {
  readonly number: number;
  /** What the next entry chains to. */
  readonly hash: string;
  /** Header to the last byte of the body. */
  readonly text: string;
  /** As it was appended. */
  readonly raw: string;
}

export function headerLine(number: number, said: Said = {}): string {
  const { from = ANN, type = 'info', thread = 't', refs = '-', time = '2026-11-30T08:00:00+00:00' } = said;
  return `## MSG-${number} | ${time} | from: ${from} | type: ${type} | thread: ${thread} | refs: ${refs}`;
}

export function entryText(number: number, said: Said = {}): string {
  return `${headerLine(number, said)}\n\n${said.body ?? `body ${number}`}`;
}

/** A complete entry over the stated hash of the one before it. */
export function marked(number: number, predecessor: string, said: Said = {}): Written {
  const text = entryText(number, said);
  const hash = sha(`${predecessor}\n${text}`);
  const raw = `\n${text}\n\n<!-- end MSG-${number} sha256:${hash} key:${said.key ?? `k${number}`} -->\n`;
  return { number, hash, text, raw };
}

/** An entry as the published tool writes it. */
export function unmarked(number: number, said: Said = {}): Written {
  const text = entryText(number, said);
  return { number, hash: sha(text), text, raw: `\n${text}\n` };
}

/** Entries one after the other, numbered from `after` + 1. */
export function chain(says: readonly Said[], after = { number: 0, hash: ZERO_HASH }): readonly Written[] {
  const entries: Written[] = [];
  let before = after;
  for (const said of says) {
    const entry = marked(before.number + 1, before.hash, said);
    entries.push(entry);
    before = entry;
  }
  return entries;
}

export function join(...parts: readonly (Written | string | readonly Written[])[]): string {
  return parts
    .flat()
    .map((part) => (typeof part === 'string' ? part : part.raw))
    .join('');
}

/** Reads the end of a mailbox from the byte `start` on. */
export function readFrom(
  file: string | Uint8Array,
  start: number,
  reader = readerOf(),
  bell = Number.POSITIVE_INFINITY,
  archived = false,
  rung?: Rung,
): Reading | undefined {
  const bytes = typeof file === 'string' ? Buffer.from(file) : file;
  return readWindow({ bytes: bytes.subarray(start), start, bell, archived, rung }, reader);
}

/** Reads a whole mailbox; what is read from its beginning can always be judged. */
export function readWhole(
  file: string | Uint8Array,
  reader = readerOf(),
  bell = Number.POSITIVE_INFINITY,
  archived = false,
): Reading {
  const reading = readFrom(file, 0, reader, bell, archived);
  if (!reading) throw new Error('a whole mailbox could not be judged');
  return reading;
}

export type KeptEntry = Omit<ScannedEntry, 'text'> & { readonly text: string };

/** All that a scan tells, in order. */
export interface Told {
  readonly entries: readonly KeptEntry[];
  readonly strays: readonly StrayText[];
  readonly bases: readonly unknown[];
  readonly fences: readonly unknown[];
  readonly conflicts: readonly { readonly at: number; readonly line: number }[];
}

/** Scans a mailbox that arrives in pieces of the given sizes, the rest at once. */
export function scanInPieces(file: string | Uint8Array, sizes: readonly number[] = [], start = 0): Told {
  const bytes = typeof file === 'string' ? Buffer.from(file) : file;
  const told = {
    entries: [] as KeptEntry[],
    strays: [] as StrayText[],
    bases: [] as unknown[],
    fences: [] as unknown[],
    conflicts: [] as { at: number; line: number }[],
  };
  const sink: ScanSink = {
    entry: (entry) => told.entries.push({ ...entry, text: Buffer.from(entry.text).toString('latin1') }),
    stray: (stray) => told.strays.push(stray),
    base: (base) => told.bases.push(base),
    fence: (fence) => told.fences.push(fence),
    conflict: (at, line) => told.conflicts.push({ at, line }),
  };
  const scanner = new Scanner(sink, { start, cutFirstLine: start > 0 });
  let at = start;
  for (const size of [...sizes, bytes.length]) {
    // The scanner may not keep what its caller reuses.
    const piece = Uint8Array.from(bytes.subarray(at, at + size));
    scanner.push(piece);
    piece.fill(0x23);
    at += size;
    if (at >= bytes.length) break;
  }
  scanner.end();
  return told;
}
