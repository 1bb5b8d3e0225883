import { type Defect, defectOf } from './defect.js';
import { type Hashes, ZERO_HASH } from './words.js';

/** An entry of a format 1 record, with or without a marker. */
export interface PublishedRow {
  readonly number: number;
  readonly marked: boolean;
  /** The stated hash, or the hash of the text of an unmarked entry. */
  readonly hash: string;
  readonly text: Uint8Array;
  readonly at: number;
  readonly line: number;
}

/** Which rows count, and what is wrong. Indices are those of the rows that were given. */
export interface PublishedCount {
  readonly chain: readonly number[];
  readonly altered: ReadonlySet<number>;
  readonly voided: readonly number[];
  readonly defects: readonly Defect[];
}

/** Where the reading began and how far the published tool's doorbell has come. */
export interface PublishedReach {
  /** Sequence number of the doorbell; Infinity when there is none, so that trailing entries count (format.md 3c). */
  readonly bell: number;
  /** True when the rows begin where the record begins. */
  readonly whole: boolean;
}

/**
 * The counting rule of format 1 (format.md 3): of unmarked claims to one number the last stands; a marked entry names,
 * by its hash, which unmarked ones before it were in force; a marked number at most as high as one before it is void.
 * Gaps are legitimate there.
 */
export function countPublished(rows: readonly PublishedRow[], hash: Hashes, reach: PublishedReach): PublishedCount {
  const chain: number[] = [];
  const altered = new Set<number>();
  const defects: Defect[] = [];
  let pending: number[] = [];
  const numberOf = (index: number | undefined) => (index === undefined ? 0 : (rows[index]?.number ?? 0));
  const take = (count: number) => {
    chain.push(...pending.slice(0, count));
    pending = [];
  };
  for (const [index, row] of rows.entries()) {
    if (row.number < 1) continue;
    if (!row.marked) {
      // A later claim to a number, or below it, puts the earlier unmarked ones out of force.
      pending = pending.filter((before) => numberOf(before) < row.number);
      if (row.number > numberOf(chain.at(-1))) pending.push(index);
      continue;
    }
    if (row.number <= Math.max(numberOf(chain.at(-1)), numberOf(pending.at(-1)))) continue;
    const named = namedPredecessor(rows, chain, pending, row, hash);
    if (named === undefined && (chain.length > 0 || pending.length > 0 || reach.whole)) {
      altered.add(index);
      defects.push(defectOf('altered', row.number, row.at, row.line));
    }
    take(named ?? pending.length);
    chain.push(index);
  }
  take(pending.filter((index) => reach.bell >= numberOf(index)).length);
  const counted = new Set(chain);
  return { chain, altered, voided: [...rows.keys()].filter((index) => !counted.has(index)), defects };
}

/** How many of the pending entries the marked one's hash keeps in force, or undefined when it names none that is seen. */
function namedPredecessor(
  rows: readonly PublishedRow[],
  chain: readonly number[],
  pending: readonly number[],
  row: PublishedRow,
  hash: Hashes,
): number | undefined {
  for (let kept = pending.length; kept >= 0; kept--) {
    const before = kept > 0 ? pending[kept - 1] : chain.at(-1);
    const predecessor = before === undefined ? ZERO_HASH : (rows[before]?.hash ?? ZERO_HASH);
    if (hash.chain(predecessor, row.text) === row.hash) return kept;
  }
  return undefined;
}
