import { countRows } from './count.js';
import { countPublished } from './count-published.js';
import type { Defect } from './defect.js';
import { type Facts, factsOf, toEntry } from './facts.js';
import { advance } from './fold.js';
import { Ledger } from './ledger.js';
import { type FenceSeen, type ScannedEntry, Scanner, type StrayText } from './scan.js';
import { EMPTY_STATE, type Parties, type State } from './state.js';
import type { Base, Entry, Hashes } from './words.js';

/** How a record is to be read: what `debate.json` says about its format. */
export interface Reader extends Parties {
  readonly format: 1 | 2;
  /** First number that format 2 binds, in a migrated channel; unmarked entries below it stay good (format.md 3). */
  readonly formatSince: number | undefined;
  /** What the first entry follows when the mailbox has no base line. */
  readonly base: Base;
  /** Cap of the channel: how many corrections in a row a reading goes back over. */
  readonly threadCap: number;
  readonly hashes: Hashes;
}

/** A part of a mailbox that ends where the mailbox ends. */
export interface Window {
  readonly bytes: Uint8Array;
  /** Byte offset of the window in the file. */
  readonly start: number;
  /** The doorbell's seq, or Infinity where there is none: format 1 needs it (format.md 3c). */
  readonly bell: number;
  /** True when older entries lie in an archive that format 1 does not chain to. */
  readonly archived: boolean;
}

/** An entry that does not count, and why. */
export interface Voided {
  readonly number: number;
  readonly at: number;
  readonly line: number;
  readonly why: 'unmarked' | 'not the next number' | 'after the fence';
}

/** The end of a record, read far enough back to say where the channel stands. */
export interface Reading {
  readonly state: State;
  /** The entries that count, oldest first: the open thread, the thread before it, and what lies between. */
  readonly entries: readonly Entry[];
  /** Defects that stop parties and watch: those after the last unforced close or acceptance. */
  readonly stops: readonly Defect[];
  readonly voided: readonly Voided[];
  readonly strays: readonly StrayText[];
  readonly fence: FenceSeen | undefined;
  /** Byte offset behind the last entry that counts, in the file. */
  readonly headEnd: number;
  /** Text after the last complete entry that is not blank: what a dead writer left. */
  readonly tornTail: string;
}

interface Row extends ScannedEntry {
  readonly facts: Facts;
}

interface Scanned {
  readonly rows: readonly Row[];
  readonly strays: readonly StrayText[];
  readonly conflicts: readonly Defect[];
  readonly fence: FenceSeen | undefined;
  readonly base: Base;
}

interface Counted {
  readonly chain: readonly number[];
  readonly altered: ReadonlySet<number>;
  readonly broken: ReadonlySet<number>;
  readonly defects: readonly Defect[];
}

/**
 * Reads a window by the one counting rule (format.md 2 and 3) and folds it. Returns undefined when the window is too
 * short to judge: it must reach back over the thread before the open one, so that nothing in between is missed.
 */
export function readWindow(window: Window, reader: Reader): Reading | undefined {
  const whole = window.start === 0;
  const scanned = scanWindow(window, reader);
  const counted = countWindow(scanned, window, reader, whole);
  if (!counted) return undefined;
  const folded = foldBack(scanned, counted, reader, whole);
  if (!folded) return undefined;
  const { state, first, point, objections } = folded;
  const defects = [...counted.defects, ...scanned.conflicts, ...objections].sort((a, b) => a.at - b.at);
  const entries = counted.chain.slice(first).flatMap((row) => rowEntry(scanned.rows[row], reader));
  const last = scanned.rows[counted.chain.at(-1) ?? -1];
  const headEnd = last?.end ?? window.start;
  return {
    state,
    entries,
    stops: defects.filter((defect) => defect.kind === 'missing-beginning' || defect.at > point),
    voided: voidedOf(scanned, counted),
    strays: scanned.strays,
    fence: scanned.fence,
    headEnd,
    tornTail: tornTail(window, scanned, headEnd),
  };
}

function scanWindow(window: Window, reader: Reader): Scanned {
  const rows: Row[] = [];
  const strays: StrayText[] = [];
  const conflicts: Defect[] = [];
  let fence: FenceSeen | undefined;
  let base = reader.base;
  const scanner = new Scanner(
    {
      entry: (entry) => {
        const text = entry.text.slice();
        rows.push({ ...entry, text, facts: factsOf({ ...entry, text }) });
      },
      stray: (stray) => strays.push(stray),
      base: (found) => {
        base = found;
      },
      fence: (found) => {
        fence = found;
      },
      conflict: (at, line) => conflicts.push(conflictAt(at, line)),
    },
    { start: window.start, cutFirstLine: window.start > 0 },
  );
  scanner.push(window.bytes);
  scanner.end();
  return { rows, strays, conflicts, fence, base };
}

/** The defect that a merge's conflict markers are. */
export function conflictAt(at: number, line: number): Defect {
  return { kind: 'conflict', seq: 0, at, line, message: 'The mailbox holds the conflict markers of a merge.' };
}

function countWindow(scanned: Scanned, window: Window, reader: Reader, whole: boolean): Counted | undefined {
  const { rows } = scanned;
  const since = reader.formatSince;
  if (reader.format === 2 && since === undefined) return countChained(rows, 0, scanned.base, whole, reader.hashes);
  const first = since === undefined ? -1 : rows.findIndex((row) => row.marker && row.header.number >= since);
  const published = first < 0 ? rows : rows.slice(0, first + 1);
  const before = countPublished(
    published.map((row) => ({
      number: row.header.number,
      marked: row.marker !== undefined,
      hash: chainHashOf(row, reader),
      text: row.text,
      at: row.at,
      line: row.line,
    })),
    reader.hashes,
    { bell: since === undefined ? window.bell : since - 1, whole: whole && !window.archived },
  );
  const old: Counted = { ...before, broken: new Set() };
  if (first < 0 || since === undefined) return old;
  const kept = before.chain.filter((row) => row !== first);
  const head = rows[kept.at(-1) ?? -1];
  const base = { number: since - 1, hash: head ? chainHashOf(head, reader) : undefined };
  const after = countChained(rows, first, base, whole || first > 0, reader.hashes);
  if (!after) return undefined;
  return {
    chain: [...kept, ...after.chain],
    altered: new Set([...[...before.altered].filter((row) => row !== first), ...after.altered]),
    broken: after.broken,
    defects: [...before.defects.filter((defect) => defect.at < (rows[first]?.at ?? 0)), ...after.defects],
  };
}

function countChained(
  rows: readonly Row[],
  from: number,
  base: Base,
  whole: boolean,
  hashes: Hashes,
): Counted | undefined {
  const ledger = new Ledger(hashes, base);
  const rowOf: number[] = [];
  for (let row = from; row < rows.length; row++) {
    const entry = rows[row];
    if (!entry?.marker) continue;
    ledger.add(entry, entry.facts);
    rowOf.push(row);
  }
  const count = countRows(ledger, whole);
  if (!count) return undefined;
  const original = (row: number) => rowOf[row] ?? 0;
  return {
    chain: Array.from(count.chain, original),
    altered: new Set([...count.altered].map(original)),
    broken: new Set([...count.broken].map(original)),
    defects: count.defects,
  };
}

/** What the entry after this one chains to. */
function chainHashOf(row: ScannedEntry, reader: Reader): string {
  return row.marker?.hash ?? reader.hashes.text(row.text);
}

function rowEntry(row: Row | undefined, reader: Reader): readonly Entry[] {
  return row ? [toEntry(row, chainHashOf(row, reader))] : [];
}

interface Folded {
  readonly state: State;
  /** Index in the chain of the first entry that was folded. */
  readonly first: number;
  /** Byte offset of the last unforced close or acceptance; -1 for none. */
  readonly point: number;
  readonly objections: readonly Defect[];
}

/**
 * Folds from a close far enough back that the thread before the open one was seen as a whole: a close is only taken
 * for one when the fold from an earlier close admits it (decisions.md 3).
 */
function foldBack(scanned: Scanned, counted: Counted, reader: Reader, whole: boolean): Folded | undefined {
  let closes = 0;
  for (let i = counted.chain.length - 1; i >= 0; i--) {
    const facts = scanned.rows[counted.chain[i] ?? -1]?.facts;
    if (!facts || !mayEndThread(facts, reader)) continue;
    closes += 1;
    if (closes < 2) continue;
    const folded = foldFrom(scanned, counted, reader, i, { ...EMPTY_STATE, thread: facts.thread, unsure: true });
    if (folded.isEnough) return folded;
  }
  return whole ? foldFrom(scanned, counted, reader, 0, startState(scanned)) : undefined;
}

/** True for an entry that ends a thread or accepts defects, if the rules admit it. */
export function mayEndThread(facts: Facts, names: Parties): boolean {
  if (facts.accepts.length > 0 && facts.sender === names.supervisor) return true;
  return facts.type === 'close' && !facts.forced;
}

function startState(scanned: Scanned): State {
  return scanned.base.hash === undefined ? EMPTY_STATE : { ...EMPTY_STATE, seq: scanned.base.number, hash: scanned.base.hash };
}

function foldFrom(
  scanned: Scanned,
  counted: Counted,
  reader: Reader,
  first: number,
  start: State,
): Folded & { readonly isEnough: boolean } {
  let state = start;
  let point = -1;
  let isEnough = false;
  const objections: Defect[] = [];
  for (let i = first; i < counted.chain.length; i++) {
    const index = counted.chain[i] ?? -1;
    const row = scanned.rows[index];
    if (!row) continue;
    const before = state;
    const step = advance(before, reader, row.facts, {
      seq: row.header.number,
      hash: chainHashOf(row, reader),
      timestamp: row.header.timestamp,
      published: !row.marker,
      altered: counted.altered.has(index),
      broken: counted.broken.has(index),
    });
    state = step.state;
    if (step.objection) objections.push(againstRules(row, step.objection.message));
    const ended = mayEndThread(row.facts, reader) && state.thread !== before.thread;
    const corrected = row.facts.type === 'close' && state.corrections > before.corrections;
    if (step.objection || counted.altered.has(index) || !(ended || corrected || row.facts.accepts.length > 0)) continue;
    point = row.at;
    if (i > first && (ended || row.facts.accepts.length > 0 || state.corrections >= reader.threadCap)) isEnough = true;
  }
  return { state, first, point, objections, isEnough };
}

/** The defect that an entry against the rules of the record is. */
export function againstRules(row: Pick<ScannedEntry, 'header' | 'at' | 'line'>, why: string): Defect {
  const { number } = row.header;
  return {
    kind: 'against-rules',
    seq: number,
    at: row.at,
    line: row.line,
    message: `MSG-${number} counts and breaks a rule: ${why}`,
  };
}

function voidedOf(scanned: Scanned, counted: Counted): readonly Voided[] {
  const counts = new Set(counted.chain);
  return scanned.rows.flatMap((row, index) =>
    counts.has(index)
      ? []
      : [
          {
            number: row.header.number,
            at: row.at,
            line: row.line,
            why: row.marker ? ('not the next number' as const) : ('unmarked' as const),
          },
        ],
  );
}

function tornTail(window: Window, scanned: Scanned, headEnd: number): string {
  const lastComplete = scanned.rows.reduce((end, row) => (row.marker ? Math.max(end, row.end) : end), headEnd);
  return new TextDecoder().decode(window.bytes.subarray(Math.max(0, lastComplete - window.start))).trim();
}
