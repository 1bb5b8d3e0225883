/** The words of the protocol as types (DESIGN.md 2). Nothing here decides anything. */

/** The six entry types (DESIGN.md 4.1). */
export const ENTRY_TYPES = ['review-request', 'verdict', 'fix-report', 'question', 'info', 'close'] as const;
export type EntryType = (typeof ENTRY_TYPES)[number];

/** A type of entry as a sentence has it: `a verdict`, `an info`; with `A` as it begins one. */
export function withArticle(type: string, article: 'a' | 'A' = 'a'): string {
  return `${article}${/^[aeiou]/.test(type) ? 'n' : ''} ${type}`;
}

/** Types that may open a thread (DESIGN.md 5, rule 3). */
export const OPENING_TYPES: readonly EntryType[] = ['review-request', 'question', 'info'];

/** What a reviewer may decide; rides in the trailer `Decision`. */
export const DECISIONS = ['approve', 'request-changes'] as const;
export type Decision = (typeof DECISIONS)[number];

/** One `Key: value` line of a body's last paragraph. */
export interface Trailer {
  readonly key: string;
  readonly value: string;
}

/** The header line of an entry, taken apart. `number` is 0 when the digits are not plain ASCII or too large. */
export interface Header {
  readonly number: number;
  readonly timestamp: string;
  readonly sender: string;
  readonly type: string;
  readonly thread: string;
  /** Empty where the header says `-`. */
  readonly refs: string;
}

/** The last line of an entry: its number again, its chained hash, and the key by which a writer knows its own. */
export interface Marker {
  readonly number: number;
  readonly hash: string;
  readonly key: string;
}

/** An entry that counts, as every reader returns it. Line endings are LF whatever the file has. */
export interface Entry {
  readonly seq: number;
  readonly timestamp: string;
  readonly sender: string;
  readonly type: string;
  readonly thread: string;
  /** Empty for `-`. */
  readonly refs: string;
  /** Everything between header and marker, trailers included, without leading blank lines and trailing blanks. */
  readonly body: string;
  readonly trailers: readonly Trailer[];
  /** The stated hash of a marked entry, the hash of the text of an unmarked one: what the next entry chains to. */
  readonly hash: string;
  /** Empty for an entry without a marker (written by the published tool). */
  readonly key: string;
  readonly marked: boolean;
}

/** The doorbell's five fields (DESIGN.md 4.3). */
export interface Doorbell {
  readonly seq: number;
  readonly turn: string;
  readonly thread: string;
  readonly lastEntry: string;
  readonly updatedAt: string;
}

/** The two hashes of the record (format.md 1.3), as 64 hex digits. Passed in, so that the core needs no node module. */
export interface Hashes {
  /** SHA-256 over `predecessor` (64 hex digits), a newline and `text`: what a marker states. */
  chain(predecessor: string, text: Uint8Array): string;
  /** SHA-256 of `text` alone: what an entry without a marker is named by. */
  text(text: Uint8Array): string;
}

/** What the first entry of a record chains to when nothing was compacted away. */
export const ZERO_HASH = '0'.repeat(64);

/** The number and hash that the first entry of a mailbox follows. `hash` is undefined where it is not known. */
export interface Base {
  readonly number: number;
  readonly hash: string | undefined;
}
