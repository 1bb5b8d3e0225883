import { type Defect, defectOf } from './defect.js';
import { FOLLOWS_BASE, FOLLOWS_NONE, type Ledger } from './ledger.js';

/** Which complete entries count, oldest first, and what is wrong with the record. */
export interface Count {
  /** Rows of the ledger that count, ascending. */
  readonly chain: readonly number[] | Int32Array;
  /** Rows that count although their text or marker was changed: they keep their number and move nothing. */
  readonly altered: ReadonlySet<number>;
  /** Rows before which something is missing or doubled, so that they may not fit the rules. */
  readonly broken: ReadonlySet<number>;
  /** Complete entries that do not count. */
  readonly voided: readonly number[];
  readonly defects: readonly Defect[];
}

/**
 * The counting rule (format.md 2). The anchor is the last entry in file order that a later one links to; from it
 * forward the next number counts, first complete entry first; behind it the chain of hashes names who counted.
 *
 * Returns undefined when the ledger holds only the end of a file (`whole` false) and that is not enough to judge: it
 * must hold the anchor, its link, and one complete entry before the anchor.
 */
export function countRows(ledger: Ledger, whole: boolean): Count | undefined {
  if (!whole && ledger.anchor < 1) return undefined;
  const judge = new Judgement(ledger, whole);
  judge.backward();
  judge.forward();
  return judge.result();
}

class Judgement {
  private readonly altered = new Set<number>();
  private readonly broken = new Set<number>();
  private readonly voided: number[] = [];
  private readonly defects: Defect[] = [];
  private readonly counts: Uint8Array;

  constructor(
    private readonly ledger: Ledger,
    private readonly whole: boolean,
  ) {
    this.counts = new Uint8Array(ledger.length);
  }

  /** From the anchor back to the base or the window's beginning. */
  backward(): void {
    let row = this.ledger.anchor;
    while (row >= 0) {
      this.counts[row] = 1;
      const before = this.predecessor(row);
      this.noteFork(row, before);
      row = before;
    }
  }

  /** From the anchor to the end of the file. */
  forward(): void {
    if (this.countOn(this.ledger.anchor) < 0) this.beginLate();
  }

  /** From the entry at `from` (-1: the base) on: the next number, first come first served. Returns the last that counts. */
  private countOn(from: number): number {
    const { ledger } = this;
    let last = from;
    let head = last >= 0 ? ledger.number(last) : ledger.base.number;
    for (let row = last + 1; row < ledger.length; row++) {
      const number = ledger.number(row);
      if (number !== head + 1) {
        if (number > head + 1) this.noteGap(head + 1, row, last);
        continue;
      }
      const follows = ledger.predecessor(row);
      const isLinked = last >= 0 ? follows === last : follows === FOLLOWS_BASE;
      if (!isLinked) this.noteUnlinked(row, last);
      this.noteFork(row, last);
      this.counts[row] = 1;
      last = row;
      head = number;
    }
    return last;
  }

  /**
   * Nothing follows the base, so the beginning is missing, as the defect says. The first entry that is left counts all the
   * same: its number was given, and none is given twice (field case L5).
   */
  private beginLate(): void {
    const { ledger } = this;
    for (let row = 0; row < ledger.length; row++) {
      if (ledger.number(row) <= ledger.base.number) continue;
      this.broken.add(row);
      this.counts[row] = 1;
      this.countOn(row);
      return;
    }
  }

  result(): Count {
    const { ledger, counts } = this;
    let size = 0;
    for (let row = 0; row < ledger.length; row++) size += counts[row] ?? 0;
    const chain = new Int32Array(size);
    let next = 0;
    for (let row = 0; row < ledger.length; row++) {
      if (counts[row]) chain[next++] = row;
      else this.voided.push(row);
    }
    const defects = this.defects.sort((a, b) => a.at - b.at);
    return { chain, altered: this.altered, broken: this.broken, voided: this.voided, defects };
  }

  /** The row that counted before `row`, naming what is wrong on the way; -1 at the beginning, or where it cannot be told. */
  private predecessor(row: number): number {
    const { ledger } = this;
    const linked = ledger.predecessor(row);
    if (linked >= 0 || linked === FOLLOWS_BASE) return linked;
    const byText = ledger.predecessorByText(row);
    if (byText >= 0) {
      this.noteAltered(byText);
      return byText;
    }
    const number = ledger.number(row);
    const nearest = ledger.rowOf(number - 1, row);
    if (nearest >= 0 && !this.isOvertaken(nearest, row)) {
      if (!this.isInPlace(nearest)) return -1;
      this.noteAltered(row);
      return this.firstClaim(nearest, row);
    }
    if (this.whole && number === ledger.base.number + 1) {
      this.noteAltered(row);
      return -1;
    }
    return this.beyondGap(row, number);
  }

  private beyondGap(row: number, number: number): number {
    const { ledger } = this;
    for (let before = row - 1; before >= 0; before--) {
      if (ledger.number(before) >= number) continue;
      if (!this.isInPlace(before)) return -1;
      this.noteGap(ledger.number(before) + 1, row, before);
      this.broken.add(row);
      return before;
    }
    if (this.whole && number > ledger.base.number + 1) {
      this.defects.push(defectOf('missing-beginning', ledger.base.number + 1, ledger.at(row), ledger.line(row)));
      this.broken.add(row);
    }
    return -1;
  }

  /**
   * True for a claim that follows nothing, behind which lower numbers went on before `row` came: it was not in force then, so
   * that the entry before `row` is missing rather than that one.
   */
  private isOvertaken(claim: number, row: number): boolean {
    const { ledger } = this;
    if (ledger.predecessor(claim) !== FOLLOWS_NONE) return false;
    for (let later = claim + 1; later < row; later++)
      if (ledger.number(later) < ledger.number(claim) && ledger.predecessor(later) > claim) return true;
    return false;
  }

  /**
   * The first claim to the number of `claim` behind the entry that it follows: a late one between an entry and its altered
   * successor is void there too (DESIGN.md 4.2). Behind another entry with the successor's number begins another side of a
   * fork, whose claims are its own.
   */
  private firstClaim(claim: number, successor: number): number {
    const { ledger } = this;
    let follows = ledger.predecessor(claim);
    let first = claim;
    for (let row = claim - 1; row > follows && ledger.number(row) < ledger.number(successor); row--) {
      if (ledger.number(row) !== ledger.number(claim)) continue;
      first = row;
      follows = Math.max(follows, ledger.predecessor(row));
    }
    return first;
  }

  /**
   * At a window's beginning a late, void claim may stand alone, and the entry that counted before the window. Where the
   * claim's own predecessor is in the window, so is whatever came between.
   */
  private isInPlace(row: number): boolean {
    return this.whole || this.ledger.predecessor(row) >= 0;
  }

  /** `row` has the next number and its hash does not fit. Only one of the two neighbours is named. */
  private noteUnlinked(row: number, last: number): void {
    if (last >= 0 && this.ledger.predecessorByText(row) === last) this.noteAltered(last);
    else this.noteAltered(row);
  }

  private noteAltered(row: number): void {
    if (this.altered.has(row)) return;
    this.altered.add(row);
    this.defects.push(defectOf('altered', this.ledger.number(row), this.ledger.at(row), this.ledger.line(row)));
  }

  private noteGap(missing: number, row: number, last: number): void {
    if (this.defects.some((defect) => defect.seq === missing && defect.kind !== 'altered')) return;
    const kind = last < 0 && this.whole ? 'missing-beginning' : 'gap';
    this.defects.push(defectOf(kind, missing, this.ledger.at(row), this.ledger.line(row)));
  }

  /** A complete entry directly before, with a number at least as high: two whole sides, one after the other. */
  private noteFork(row: number, before: number): void {
    const { ledger } = this;
    if (row < 1 || row - 1 === before || ledger.number(row - 1) < ledger.number(row)) return;
    this.defects.push(defectOf('fork', ledger.number(row), ledger.at(row), ledger.line(row)));
    this.broken.add(row);
  }
}
