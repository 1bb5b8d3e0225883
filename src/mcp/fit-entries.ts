import type { Entry } from '../protocol/core/words.js';

/** An entry, or the part of it that fits. Bodies here are shown ones already; offsets and sizes are bytes of UTF-8. */
export interface Part {
  readonly entry: Entry;
  readonly offset: number;
  readonly text: string;
  /** Bytes of the whole body. */
  readonly size: number;
  /** Where the rest begins, or undefined when this is its end. */
  readonly rest: number | undefined;
}

/** What is told, in the order in which it is told, and what is not. */
export interface Fitted {
  readonly parts: readonly Part[];
  /** Their numbers, newest first. */
  readonly leftOut: readonly number[];
}

/** Bytes that a line about an entry costs beside its body: its head is clipped to less than this. */
export const HEAD_BYTES = 600;

/** The most bytes of one character, which a part always has. */
const CHARACTER = 4;

/**
 * Chooses what of a thread fits into `maxBytes`: the newest entry and the one that opened the thread come first, cut
 * where they must be, then the others from the newest back, each whole or not at all. `entries` are oldest first.
 */
export function fitEntries(entries: readonly Entry[], maxBytes: number): Fitted {
  const [opener] = entries;
  const newest = entries.at(-1);
  if (!opener || !newest) return { parts: [], leftOut: [] };
  const others = entries.slice(1, -1).reverse();
  let room = maxBytes;
  const parts: Part[] = [];
  const leftOut: number[] = [];
  const take = (part: Part | undefined, entry: Entry) => {
    if (part) {
      parts.push(part);
      room -= Buffer.byteLength(part.text) + HEAD_BYTES;
    } else leftOut.push(entry.seq);
  };
  take(partOf(newest, 0, room - HEAD_BYTES), newest);
  // Less than a paragraph of the opener helps nobody.
  if (opener !== newest) take(room > 2 * HEAD_BYTES ? partOf(opener, 0, room - HEAD_BYTES) : undefined, opener);
  for (const entry of others) {
    const part = room >= HEAD_BYTES + CHARACTER ? partOf(entry, 0, room - HEAD_BYTES) : undefined;
    take(part?.rest === undefined ? part : undefined, entry);
  }
  return { parts, leftOut: leftOut.sort((a, b) => b - a) };
}

/** At most `room` bytes of an entry's body from a byte offset on, never half a character. At least one character. */
export function partOf(entry: Entry, offset: number, room: number): Part {
  const bytes = Buffer.from(entry.body);
  const from = boundary(bytes, Math.min(offset, bytes.length), 1);
  const wanted = from + Math.max(room, CHARACTER);
  const to = wanted >= bytes.length ? bytes.length : boundary(bytes, wanted, -1);
  return {
    entry,
    offset: from,
    text: bytes.subarray(from, to).toString('utf8'),
    size: bytes.length,
    rest: to < bytes.length ? to : undefined,
  };
}

/** The nearest beginning of a character at or, in the given direction, beyond an offset. */
function boundary(bytes: Uint8Array, offset: number, step: 1 | -1): number {
  let at = offset;
  while (at > 0 && at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80) at += step;
  return at;
}
