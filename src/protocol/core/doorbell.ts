import type { State } from './state.js';
import type { Doorbell } from './words.js';

/** The doorbell is a pure fold of the entries that count (DESIGN.md 4.3). */
export function doorbellOf(state: State): Doorbell {
  return {
    seq: state.seq,
    turn: state.turn,
    thread: state.thread,
    lastEntry: state.seq > 0 ? `MSG-${state.seq}` : '',
    updatedAt: state.updatedAt,
  };
}

/** What a doorbell's file says: the five fields, or undefined for a cache miss (field case R7). */
export interface DoorbellFile {
  readonly doorbell: Doorbell | undefined;
  /** Keys that are not ours: they are kept when it is rewritten. */
  readonly unknown: Readonly<Record<string, unknown>>;
}

/** A stamp without a zone is nobody's: neither tool writes one. */
const ZONED = /(?:Z|[+-]\d\d:\d\d)$/;

const OURS = ['seq', 'turn', 'thread', 'last_entry', 'updated_at'];

/** Reads a doorbell's text; whatever is wrong with it is a cache miss, never an error. */
export function parseDoorbell(text: string): DoorbellFile {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return { doorbell: undefined, unknown: {} };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { doorbell: undefined, unknown: {} };
  const fields = value as Record<string, unknown>;
  const unknown = Object.fromEntries(Object.entries(fields).filter(([key]) => !OURS.includes(key)));
  const { seq, turn, thread, last_entry: lastEntry, updated_at: updatedAt } = fields;
  const isWhole =
    typeof seq === 'number' &&
    Number.isSafeInteger(seq) &&
    seq >= 0 &&
    typeof turn === 'string' &&
    typeof thread === 'string' &&
    typeof lastEntry === 'string' &&
    typeof updatedAt === 'string' &&
    (updatedAt === '' || ZONED.test(updatedAt));
  return { doorbell: isWhole ? { seq, turn, thread, lastEntry, updatedAt } : undefined, unknown };
}

/** Writes a doorbell as the published tool does: two spaces, no final newline (decisions.md 18). */
export function renderDoorbell(doorbell: Doorbell, unknown: Readonly<Record<string, unknown>>): string {
  const { seq, turn, thread, lastEntry, updatedAt } = doorbell;
  return JSON.stringify({ seq, turn, thread, last_entry: lastEntry, updated_at: updatedAt, ...unknown }, null, 2);
}

/** True when two doorbells say the same. */
export function sameDoorbell(a: Doorbell | undefined, b: Doorbell): boolean {
  return (
    a !== undefined &&
    a.seq === b.seq &&
    a.turn === b.turn &&
    a.thread === b.thread &&
    a.lastEntry === b.lastEntry &&
    a.updatedAt === b.updatedAt
  );
}
