import type { Facts } from './facts.js';
import type { ScannedEntry } from './scanned.js';
import type { Base, Hashes } from './words.js';

/** An entry's place in the chain of hashes: it follows the base, or nothing that was seen. */
export const FOLLOWS_BASE = -1;
export const FOLLOWS_NONE = -2;

const SEGMENT = 1 << 14;
/** Rows that a segment begins with: the tail that most readings look at has fewer. */
const FIRST_ROWS = 64;

/**
 * Grows by whole segments without copying, so that a million entries cost their own bytes and no more; a segment itself grows by
 * doubling, so that a reading of three entries does not clear a megabyte.
 */
class Column<T extends Float64Array | Int32Array | Uint8Array> {
  private readonly segments: T[] = [];
  constructor(
    private readonly make: (length: number) => T,
    private readonly width = 1,
  ) {}
  get(row: number): number {
    return this.segments[row >>> 14]?.[row & (SEGMENT - 1)] ?? 0;
  }
  set(row: number, value: number): void {
    this.segment(row)[row & (SEGMENT - 1)] = value;
  }
  bytes(row: number): T {
    const at = (row & (SEGMENT - 1)) * this.width;
    return this.segment(row).subarray(at, at + this.width) as T;
  }
  private segment(row: number): T {
    const index = row >>> 14;
    const needed = ((row & (SEGMENT - 1)) + 1) * this.width;
    const segment = this.segments[index];
    if (segment && segment.length >= needed) return segment;
    const grown = this.make(
      Math.max(FIRST_ROWS * this.width, 2 ** Math.ceil(Math.log2(needed / this.width)) * this.width),
    );
    if (segment) grown.set(segment);
    this.segments[index] = grown;
    return grown;
  }
}

const floats = () => new Column((length) => new Float64Array(length));
const integers = () => new Column((length) => new Int32Array(length));

/**
 * The complete entries of a file in file order, in 60 bytes each, with what each one's hash says about which other
 * it follows. It decides nothing: `countRows` judges.
 */
export class Ledger {
  length = 0;
  /** The last row that a later one follows by its stated hash, or -1. */
  anchor = -1;
  private readonly numbers = floats();
  private readonly places = floats();
  private readonly lines = floats();
  private readonly follows = integers();
  private readonly hashes = new Column((length) => new Uint8Array(length), 32);
  private readonly names = integers();
  private readonly threads = integers();
  private readonly rare = new Map<number, Facts>();
  private readonly strings: string[] = [];
  private readonly stringIds = new Map<string, number>();
  /** Rows that fail, by the hash that their own text has over the entry before. */
  private readonly computed = new Map<number, string>();
  private lastStated = '';
  private readonly followsComputed = new Map<number, number>();
  /** Rows that state the number and hash of one before them that verifies: the first such entry stands for all. */
  private readonly firstAlike = new Map<number, number>();
  private highest = 0;
  /** Stretches of rows whose numbers ascend by one: where to look a number up. */
  private readonly runs: { row: number; number: number; length: number }[] = [];

  constructor(
    private readonly hash: Hashes,
    readonly base: Base,
  ) {}

  /** Adds a complete entry and finds the one that its hash names. Returns its row. */
  add(scanned: ScannedEntry, facts: Facts): number {
    const row = this.length;
    this.length += 1;
    const { number } = scanned.header;
    const stated = scanned.marker?.hash ?? '';
    this.numbers.set(row, number);
    this.places.set(row, scanned.at);
    this.lines.set(row, scanned.line);
    writeHex(this.hashes.bytes(row), stated);
    this.keepFacts(row, facts);
    this.follows.set(row, this.findPredecessor(row, number, stated, scanned.text));
    if (number <= this.highest) this.noteAlike(row, number, stated);
    else this.highest = number;
    this.lastStated = stated;
    const last = this.runs.at(-1);
    if (last && number === last.number + last.length) last.length += 1;
    else this.runs.push({ row, number, length: 1 });
    return row;
  }

  number(row: number): number {
    return this.numbers.get(row);
  }
  /** Byte offset of the entry in its file. */
  at(row: number): number {
    return this.places.get(row);
  }
  line(row: number): number {
    return this.lines.get(row);
  }
  /** The stated hash, as 64 hex digits. */
  statedHash(row: number): string {
    return readHex(this.hashes.bytes(row) as Uint8Array);
  }
  /** The row whose stated hash this entry's own verifies over, or `FOLLOWS_BASE`, or `FOLLOWS_NONE`. */
  predecessor(row: number): number {
    return this.follows.get(row);
  }
  /** The row that this entry follows only by the hash its text really has: that one's marker was changed. */
  predecessorByText(row: number): number {
    return this.followsComputed.get(row) ?? FOLLOWS_NONE;
  }

  facts(row: number): Facts {
    const rare = this.rare.get(row);
    if (rare) return rare;
    const name = this.names.get(row);
    return {
      sender: this.strings[name >>> 12] ?? '',
      type: this.strings[name & 0xfff] ?? '',
      thread: this.strings[this.threads.get(row)] ?? '',
      forced: false,
      turn: undefined,
      cap: undefined,
      ask: false,
      accepts: [],
      empty: false,
    };
  }

  /** The last row before `row` with this number, or -1. */
  rowOf(number: number, before: number): number {
    for (let i = this.runs.length - 1; i >= 0; i--) {
      const run = this.runs[i];
      if (!run || number < run.number || number >= run.number + run.length) continue;
      const row = run.row + (number - run.number);
      if (row < before) return row;
    }
    return -1;
  }

  private findPredecessor(row: number, number: number, stated: string, text: Uint8Array): number {
    let nearest = -1;
    for (let at = this.rowOf(number - 1, row); at >= 0; at = this.rowOf(number - 1, at)) {
      const over = this.hash.chain(at === row - 1 ? this.lastStated : this.statedHash(at), text);
      if (over === stated) {
        const named = this.firstAlike.get(at) ?? at;
        this.computed.delete(row);
        if (named > this.anchor) this.anchor = named;
        return named;
      }
      if (nearest < 0) {
        nearest = at;
        this.computed.set(row, over);
      }
      const really = this.computed.get(at);
      if (really !== undefined && this.hash.chain(really, text) === stated) {
        this.followsComputed.set(row, at);
        return FOLLOWS_NONE;
      }
    }
    if (number !== this.base.number + 1) return FOLLOWS_NONE;
    if (this.base.hash === undefined || this.hash.chain(this.base.hash, text) === stated) return FOLLOWS_BASE;
    if (nearest < 0) this.computed.set(row, this.hash.chain(this.base.hash, text));
    return FOLLOWS_NONE;
  }

  /**
   * Two writers that say the same in the same second state the same hash: the chain cannot tell them apart, so the first
   * in the file is the one that a later entry names (DESIGN.md 4.2).
   */
  private noteAlike(row: number, number: number, stated: string): void {
    for (let at = this.rowOf(number, row); at >= 0; at = this.rowOf(number, at)) {
      if (this.predecessor(at) !== FOLLOWS_NONE && this.statedHash(at) === stated) this.firstAlike.set(row, at);
    }
  }

  private keepFacts(row: number, facts: Facts): void {
    const sender = this.stringId(facts.sender);
    const type = this.stringId(facts.type);
    const isStated = facts.turn !== undefined || facts.cap !== undefined;
    const isPlain = !(facts.forced || isStated || facts.ask || facts.accepts.length > 0 || facts.empty);
    if (!isPlain || sender >= 1 << 19 || type >= 1 << 12) {
      this.rare.set(row, facts);
      return;
    }
    this.names.set(row, (sender << 12) | type);
    this.threads.set(row, this.stringId(facts.thread));
  }

  private stringId(text: string): number {
    let id = this.stringIds.get(text);
    if (id === undefined) {
      id = this.strings.length;
      // A copy: what was cut out of a line would keep the whole line in memory.
      const own = Array.from(text).join('');
      this.strings.push(own);
      this.stringIds.set(own, id);
    }
    return id;
  }
}

function nibble(code: number): number {
  return code < 58 ? code - 48 : code - 87;
}

function writeHex(into: Float64Array | Int32Array | Uint8Array, hex: string): void {
  for (let i = 0; i < 32; i++) into[i] = (nibble(hex.charCodeAt(2 * i)) << 4) | nibble(hex.charCodeAt(2 * i + 1));
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function readHex(bytes: Uint8Array): string {
  let hex = '';
  for (const byte of bytes) hex += HEX[byte];
  return hex;
}
