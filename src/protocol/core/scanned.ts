import type { Header, Marker } from './words.js';

/** One entry as it stands in the file, whether it counts or not. */
export interface ScannedEntry {
  /** Byte offset of `## MSG-`. */
  readonly at: number;
  /** Line number of the header, counted from 1 where the scan began. */
  readonly line: number;
  readonly header: Header;
  /** Header to last non-blank byte of the body, LF; valid only during the call that hands it over. */
  readonly text: Uint8Array;
  /** Bytes of the header line within `text`. */
  readonly headerLength: number;
  /** Undefined for an entry without a marker, or whose marker names another number. */
  readonly marker: Marker | undefined;
  /** Byte offset just past the entry's last line. */
  readonly end: number;
}

/** Lines that belong to no complete entry (format.md 1.6): listed, never obeyed. */
export interface StrayText {
  readonly at: number;
  readonly line: number;
  readonly lines: number;
  /** The first of them, at most 120 characters. */
  readonly first: string;
}

/** A fence line (format.md 5): nothing after it counts. */
export interface FenceSeen {
  readonly at: number;
  readonly line: number;
  readonly number: number;
  readonly hash: string;
}

/** What the scanner tells. Each callback is called in file order. */
export interface ScanSink {
  entry(entry: ScannedEntry): void;
  stray?(stray: StrayText): void;
  /** The base line, only as the first line of the file. */
  base?(base: { readonly number: number; readonly hash: string }): void;
  fence?(fence: FenceSeen): void;
  /** Conflict markers of a merge outside complete entries (format.md 2); `at` is the offending line. */
  conflict?(at: number, line: number): void;
}

export interface ScanOptions {
  /** Byte offset in the file of the first byte that is pushed. */
  readonly start: number;
  /** True when the scan starts inside the file: what stands before the first line break is part of another line. */
  readonly cutFirstLine: boolean;
  /** Number of the file's base line, for a scan that starts behind it. */
  readonly base?: number;
}
