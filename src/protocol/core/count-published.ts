import type { Count } from './count.js';
import { type Defect, defectOf } from './defect.js';
import type { Facts } from './facts.js';
import type { ScannedEntry } from './scanned.js';
import { type Hashes, ZERO_HASH } from './words.js';

interface Row {
  readonly number: number;
  readonly marked: boolean;
  readonly hash: string;
  readonly at: number;
  readonly line: number;
  readonly facts: Facts;
}

/**
 * The counting rule of format 1 (format.md 3), an entry at a time: of unmarked claims to one number the last stands; a
 * marked entry names, by its hash, which unmarked ones before it were in force; a marked number at most as high as one
 * before it is void. Gaps are legitimate there.
 */
export class PublishedRows {
  private readonly rows: Row[] = [];
  private readonly chain: number[] = [];
  private readonly altered = new Set<number>();
  private readonly defects: Defect[] = [];
  /** Unmarked entries, ascending, that the next marked one may put out of force. */
  private pending: number[] = [];
  private highest = 0;

  /** `beginsHere`: the rows begin where the record does, so that the first one's predecessor is known. */
  constructor(
    private readonly hash: Hashes,
    private readonly beginsHere: boolean,
  ) {}

  get length(): number {
    return this.rows.length;
  }

  row(id: number): Row | undefined {
    return this.rows[id];
  }

  /** Adds an entry, marked or not. Returns its id. */
  add(scanned: ScannedEntry, facts: Facts): number {
    const { marker, header, at, line } = scanned;
    const hash = marker?.hash ?? this.hash.text(scanned.text);
    const id = this.rows.push({ number: header.number, marked: marker !== undefined, hash, at, line, facts }) - 1;
    if (header.number < 1) return id;
    if (marker) this.addMarked(id, header.number, scanned);
    else this.addUnmarked(id, header.number);
    this.highest = Math.max(this.highest, header.number);
    return id;
  }

  /** The entry that would be in force before one that is added now. */
  head(): Row | undefined {
    return this.rows[this.pending.at(-1) ?? this.chain.at(-1) ?? -1];
  }

  /** Judges: trailing unmarked entries count only as far as the published tool's doorbell has come (format.md 3c). */
  finish(bell: number): Count {
    const chain = [...this.chain, ...this.pending.filter((id) => this.numberOf(id) <= bell)];
    const counted = new Set(chain);
    const voided = [...this.rows.keys()].filter((id) => !counted.has(id));
    return { chain, altered: this.altered, broken: new Set(), voided, defects: this.defects };
  }

  private addUnmarked(id: number, number: number): void {
    // A later claim to a number, or below it, puts the earlier unmarked ones out of force.
    while (this.pending.length > 0 && this.numberOf(this.pending.at(-1)) >= number) this.pending.pop();
    if (number > this.numberOf(this.chain.at(-1))) this.pending.push(id);
  }

  private addMarked(id: number, number: number, scanned: ScannedEntry): void {
    if (number <= Math.max(this.numberOf(this.chain.at(-1)), this.numberOf(this.pending.at(-1)))) return;
    const named = this.namedPredecessor(scanned);
    // A number that was seen before and put out of force: a late claim, unless its hash vouches for what is in force. Who
    // read less of the file cannot have seen the higher number, and was told that this one is recorded.
    if (named === undefined && number <= this.highest) return;
    if (named === undefined && (this.chain.length > 0 || this.pending.length > 0 || this.beginsHere)) {
      this.altered.add(id);
      this.defects.push(defectOf('altered', number, scanned.at, scanned.line));
    }
    this.chain.push(...this.pending.slice(0, named ?? this.pending.length), id);
    this.pending = [];
  }

  /** How many of the pending entries the marked one's hash keeps in force, or undefined when it names none that is seen. */
  private namedPredecessor(scanned: ScannedEntry): number | undefined {
    for (let kept = this.pending.length; kept >= 0; kept--) {
      const before = kept > 0 ? this.pending[kept - 1] : this.chain.at(-1);
      const predecessor = this.rows[before ?? -1]?.hash ?? ZERO_HASH;
      if (this.hash.chain(predecessor, scanned.text) === scanned.marker?.hash) return kept;
    }
    return undefined;
  }

  private numberOf(id: number | undefined): number {
    return this.rows[id ?? -1]?.number ?? 0;
  }
}
