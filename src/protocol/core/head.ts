import type { Reader } from './counter.js';
import { type Defect, defectOf } from './defect.js';
import { Scanner, scanBytes } from './scan.js';

/** The number that the base line in a mailbox's first bytes names, 0 for none. */
export function baseNumberOf(bytes: Uint8Array): number {
  let number = 0;
  const sink = {
    entry: () => undefined,
    base: (base: { readonly number: number }) => {
      number = base.number;
    },
  };
  scanBytes(bytes, sink, { start: 0, cutFirstLine: false });
  return number;
}

/**
 * Holds the beginning of a mailbox against the number it should begin with (format.md 2): the first entry must be the
 * one after the base. `bytes` are the first of the file. Format 1 may begin anywhere.
 */
export function judgeBeginning(bytes: Uint8Array, reader: Reader): Defect | undefined {
  if (reader.format === 1) return undefined;
  let expected = reader.base.number + 1;
  let first: { readonly number: number; readonly at: number } | undefined;
  const scanner = new Scanner(
    {
      entry: (entry) => {
        // An entry without a marker is void, unless it is only cut off here.
        const isComplete = entry.marker !== undefined || entry.end === bytes.length;
        if (isComplete) first ??= { number: entry.header.number, at: entry.at };
      },
      base: (base) => {
        expected = base.number + 1;
      },
    },
    { start: 0, cutFirstLine: false },
  );
  scanner.push(bytes);
  scanner.end();
  // A migrated channel begins as the published tool began it, gaps included.
  if (!first || reader.formatSince !== undefined || first.number === expected) return undefined;
  return defectOf('missing-beginning', expected, first.at, 0);
}
