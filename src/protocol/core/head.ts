import type { Reader } from './counter.js';
import { type Defect, defectOf } from './defect.js';
import { scanBytes } from './scan.js';
import type { ScannedEntry } from './scanned.js';

/** What the first bytes of a mailbox say. */
export interface JudgedBeginning {
  /** The number that the base line names, 0 for none. */
  readonly base: number;
  /** The first entry is not the one after the base: what stood before is missing (format.md 2). */
  readonly missing: Defect | undefined;
}

/** Holds the first `bytes` of a mailbox against the number that it should begin with. Format 1 may begin anywhere. */
export function judgeBeginning(
  bytes: Uint8Array,
  reader: Pick<Reader, 'format' | 'formatSince' | 'base'>,
): JudgedBeginning {
  let base: number | undefined;
  let first: { readonly number: number; readonly at: number } | undefined;
  const sink = {
    entry: (entry: ScannedEntry) => {
      // An entry without a marker is void, unless it is only cut off here.
      const isComplete = entry.marker !== undefined || entry.end === bytes.length;
      if (isComplete) first ??= { number: entry.header.number, at: entry.at };
    },
    base: (found: { readonly number: number }) => {
      base = found.number;
    },
  };
  scanBytes(bytes, sink, { start: 0, cutFirstLine: false });
  const expected = (base ?? reader.base.number) + 1;
  // A migrated channel begins as the published tool began it, gaps included.
  const isBound = reader.format === 2 && reader.formatSince === undefined;
  const isMissing = isBound && first !== undefined && first.number !== expected;
  return {
    base: base ?? 0,
    missing: isMissing ? defectOf('missing-beginning', expected, first?.at ?? 0, 0) : undefined,
  };
}
