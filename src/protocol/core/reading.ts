import { foldChain, mayEndThread, type Visit } from './chain-fold.js';
import type { Count } from './count.js';
import { type Counter, makeCounter, type Reach, type Reader } from './counter.js';
import { type Defect, defectOf } from './defect.js';
import { factsOf, toEntry } from './facts.js';
import { Scanner } from './scan.js';
import type { FenceSeen, ScannedEntry, StrayText } from './scanned.js';
import { EMPTY_STATE, type State } from './state.js';
import { type Base, type Doorbell, type Entry, ZERO_HASH } from './words.js';

/** What a doorbell says of the entry that it was rung for. */
export type Rung = Pick<Doorbell, 'seq' | 'thread' | 'turn'>;

/** A part of a mailbox that ends where the mailbox ends. */
export interface Window {
  readonly bytes: Uint8Array;
  /** Byte offset of the window in the file. */
  readonly start: number;
  /** The doorbell's seq, or Infinity where there is none: format 1 needs it (format.md 3c). */
  readonly bell: number;
  /** True when older entries lie in an archive that format 1 does not chain to. */
  readonly archived: boolean;
  /** Number of the mailbox's base line, where the window starts behind it. */
  readonly base?: number;
  /** What the doorbell says, where one can be read. */
  readonly rung?: Rung | undefined;
}

/** An entry that does not count, and why. */
export interface Voided {
  readonly number: number;
  readonly at: number;
  readonly line: number;
  readonly why: 'unmarked' | 'not the next number';
}

/** The end of a record, read far enough back to say where the channel stands. */
export interface Reading {
  readonly state: State;
  /** The entries of the window that count, oldest first: at least the open thread and the thread before it. */
  readonly entries: readonly Entry[];
  /** Defects that stop parties and watch: those after the last unforced close or acceptance. */
  readonly stops: readonly Defect[];
  readonly voided: readonly Voided[];
  readonly strays: readonly StrayText[];
  readonly fence: FenceSeen | undefined;
  /** True where numbers that do not count must not be used again (format.md 3a). */
  readonly publishedNumbers: boolean;
  /** Text after the last complete entry that is not blank: what a dead writer left. */
  readonly tornTail: string;
  /** Byte offset of the oldest entry on which this reading rests; 0 where the whole file was read. */
  readonly neededFrom: number;
  /**
   * False where the doorbell says another thread or turn of its entry than this reading, or of one before it. Closes that
   * break the rules look lawful to a reading that begins at one of them: then the front of the file decides.
   */
  readonly vouched: boolean;
}

/** Everything that a scan of a window found. */
interface Scanned {
  readonly counter: Counter;
  /** The entries by their id in the counter. */
  readonly rows: ReadonlyMap<number, ScannedEntry>;
  readonly unmarked: readonly ScannedEntry[];
  readonly strays: readonly StrayText[];
  readonly conflicts: readonly Defect[];
  readonly fence: FenceSeen | undefined;
  readonly base: Base;
  /** Byte offset behind the last complete entry. */
  readonly completeEnd: number;
}

/**
 * Reads a window by the one counting rule (format.md 2 and 3) and folds it. Returns undefined when the window is too
 * short to judge: it must reach back over the thread before the open one, so that nothing in between is missed.
 */
export function readWindow(window: Window, reader: Reader): Reading | undefined {
  const whole = window.start === 0;
  const scanned = scanWindow(window, reader);
  const count = scanned.counter.finish();
  const { rung } = window;
  let atBell: State | undefined;
  const note: Visit = (_id, _before, after) => {
    if (after.seq === rung?.seq) atBell = after;
  };
  const folded = count && foldBack(scanned, count, reader, whole, note);
  if (!folded) return undefined;
  const { state, point, objections, first } = folded;
  const defects = [...count.defects, ...scanned.conflicts, ...objections].sort((a, b) => a.at - b.at);
  const tailAt = Math.max(scanned.completeEnd, lastCountedEnd(scanned, count)) - window.start;
  return {
    state,
    // Nothing in the window verifies its first entry.
    entries: Array.from(whole ? count.chain : count.chain.slice(1)).flatMap((id) => entryOf(scanned, id)),
    stops: stopsAfter(defects, point),
    voided: voidedOf(scanned, count),
    strays: scanned.strays,
    fence: scanned.fence,
    publishedNumbers: reader.format === 1,
    tornTail: tornTail(new TextDecoder().decode(window.bytes.subarray(Math.max(0, tailAt))), whole && tailAt <= 0),
    // Nothing verifies the first entry of a reading: it needs the one before.
    neededFrom: first > 0 ? (scanned.rows.get(count.chain[first - 1] ?? -1)?.at ?? 0) : 0,
    vouched: whole || rung === undefined || rung.seq > state.seq || isRungFor(atBell, rung),
  };
}

/** The defects that stop parties and watch: those after the last unforced close or acceptance, and a missing beginning. */
export function stopsAfter(defects: readonly Defect[], point: number): readonly Defect[] {
  return defects.filter((defect) => defect.kind === 'missing-beginning' || defect.at > point);
}

function isRungFor(state: State | undefined, rung: Rung): boolean {
  return state?.thread === rung.thread && state.turn === rung.turn;
}

/** What is left behind the last complete entry; a mailbox's first line may say where older entries are. */
function tornTail(text: string, isWholeFile: boolean): string {
  return (isWholeFile ? text.replace(/^\uFEFF?>.*/, '') : text).trim();
}

function scanWindow(window: Window, reader: Reader): Scanned {
  const rows = new Map<number, ScannedEntry>();
  const unmarked: ScannedEntry[] = [];
  const strays: StrayText[] = [];
  const conflicts: Defect[] = [];
  let fence: FenceSeen | undefined;
  let { base } = reader;
  let counter: Counter | undefined;
  let completeEnd = window.start;
  const reach = (): Reach => ({ base, bell: window.bell, whole: window.start === 0, archived: window.archived });
  const scanner = new Scanner(
    {
      entry: (entry) => {
        counter ??= makeCounter(reader, reach());
        const kept = { ...entry, text: entry.text.slice() };
        const id = counter.add(kept, factsOf(kept));
        if (id >= 0) rows.set(id, kept);
        else unmarked.push(kept);
        if (kept.marker) completeEnd = kept.end;
      },
      stray: (stray) => strays.push(stray),
      base: (found) => {
        base = found;
      },
      fence: (found) => {
        fence = found;
      },
      conflict: (at, line) => conflicts.push(defectOf('conflict', 0, at, line)),
    },
    { start: window.start, cutFirstLine: window.start > 0, base: window.base ?? 0 },
  );
  scanner.push(window.bytes);
  scanner.end();
  counter ??= makeCounter(reader, reach());
  return { counter, rows, unmarked, strays, conflicts, fence, base, completeEnd };
}

/**
 * Folds from the first entry, or, where only the end is there, from a close far enough back that the thread before the
 * open one was seen as a whole: a close is only taken for one when the fold from an earlier close admits it
 * (decisions.md 3).
 */
function foldBack(scanned: Scanned, count: Count, reader: Reader, whole: boolean, visit: Visit) {
  const { counter, rows } = scanned;
  const timestampOf = (id: number) => rows.get(id)?.header.timestamp ?? '';
  if (whole) {
    const start = { first: 0, state: startState(scanned.base, reader) };
    return { ...foldChain(counter, count, reader, start, timestampOf, visit), first: 0 };
  }
  let closes = 0;
  for (let first = count.chain.length - 1; first > 0; first--) {
    const id = count.chain[first] ?? -1;
    const { facts } = counter.row(id);
    if (count.altered.has(id) || !mayEndThread(facts, reader)) continue;
    closes += 1;
    if (closes < 2) continue;
    const state: State = { ...EMPTY_STATE, thread: facts.thread, unsure: true };
    const folded = foldChain(counter, count, reader, { first, state }, timestampOf, visit);
    if (folded.sawEnd) return { ...folded, first };
  }
  return undefined;
}

/**
 * The state before the first entry of a mailbox. Where what came before is missing, and was accepted so, the rules cannot
 * be held against what follows until a thread ends; a migrated channel without entries has archived closed threads only.
 */
export function startState(base: Base, reader: Pick<Reader, 'formatSince'>): State {
  const unsure = base.hash === undefined && base.number > 0 && reader.formatSince !== base.number + 1;
  return { ...EMPTY_STATE, seq: base.number, hash: base.hash ?? ZERO_HASH, unsure };
}

function entryOf(scanned: Scanned, id: number): readonly Entry[] {
  const row = scanned.rows.get(id);
  return row ? [toEntry(row, scanned.counter.row(id).hash)] : [];
}

function lastCountedEnd(scanned: Scanned, count: Count): number {
  return scanned.rows.get(count.chain.at(-1) ?? -1)?.end ?? 0;
}

function voidedOf(scanned: Scanned, count: Count): readonly Voided[] {
  const complete = count.voided.flatMap((id) => {
    const row = scanned.rows.get(id);
    return row ? [voided(row)] : [];
  });
  return [...complete, ...scanned.unmarked.map(voided)].sort((a, b) => a.at - b.at);
}

function voided(row: ScannedEntry): Voided {
  const why = row.marker ? 'not the next number' : 'unmarked';
  return { number: row.header.number, at: row.at, line: row.line, why };
}
