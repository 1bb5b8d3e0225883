import { countByte, withoutCarriageReturns } from './bytes.js';
import { isTornHeader, parseBaseLine, parseFenceLine, parseHeader, parseMarker } from './grammar.js';
import { mergeSign, watchMerge } from './merge-conflict.js';
import type { ScanOptions, ScanSink } from './scanned.js';
import type { Header, Marker } from './words.js';

const LF = 10;
const CR = 13;
const HASH = 35;
const LESS = 60;
const EQUALS = 61;
const GREATER = 62;

const decoder = new TextDecoder();
const isBlankByte = (byte: number | undefined) => byte === LF || byte === CR || byte === 32 || byte === 9;

/**
 * Takes a mailbox apart, chunk by chunk and in memory bounded by the longest entry. Line endings may be LF or CRLF, a
 * BOM may stand first (field case R4). It says where entries are, not which of them count.
 */
export class Scanner {
  private buffer = new Uint8Array(1 << 16);
  private length = 0;
  /** File offset of `buffer[0]`. */
  private origin: number;
  /** Next byte to look at, in `buffer`. */
  private next = 0;
  private lineNumber = 1;
  private skipping: boolean;
  private first: boolean;
  private fenced = false;
  private base: number;
  private open: { start: number; line: number; header: Header; headerEnd: number } | undefined;
  private strayFrom: { at: number; line: number; lines: number; first: string } | undefined;
  private readonly merge = watchMerge();
  /** Whether any chunk had one so far: most records have none, and to ask every entry is a sixth of a scan. */
  private sawNul = false;
  private sawCr = false;

  constructor(
    private readonly sink: ScanSink,
    options: ScanOptions,
  ) {
    this.origin = options.start;
    this.base = options.base ?? 0;
    this.skipping = options.cutFirstLine;
    this.first = !options.cutFirstLine;
  }

  /** Takes the next bytes of the file. They may be reused by the caller afterwards. */
  push(chunk: Uint8Array): void {
    if (this.fenced) return;
    this.sawNul ||= chunk.includes(0);
    this.sawCr ||= chunk.includes(CR);
    this.makeRoom(chunk.length);
    this.buffer.set(chunk, this.length);
    this.length += chunk.length;
    this.readLines();
  }

  /** Says that the file is over; what is still open is told. */
  end(): void {
    if (this.fenced) return;
    if (this.next < this.length && !this.skipping) this.line(this.next, this.length, this.length);
    this.next = this.length;
    this.closeUnmarked(this.length);
    this.closeStray();
  }

  private makeRoom(extra: number): void {
    const keep = this.open ? this.open.start : this.next;
    if (keep > 0) {
      this.buffer.copyWithin(0, keep, this.length);
      this.length -= keep;
      this.origin += keep;
      this.next -= keep;
      if (this.open) {
        this.open.headerEnd -= keep;
        this.open.start = 0;
      }
    }
    if (this.length + extra > this.buffer.length) {
      const larger = new Uint8Array(Math.max(this.buffer.length * 2, this.length + extra));
      larger.set(this.buffer.subarray(0, this.length));
      this.buffer = larger;
    }
  }

  private readLines(): void {
    while (!this.fenced) {
      const stop = this.buffer.indexOf(LF, this.next);
      if (stop < 0 || stop >= this.length) return;
      const start = this.next;
      this.next = stop + 1;
      if (this.skipping) this.skipping = false;
      else this.line(start, this.buffer[stop - 1] === CR && stop > start ? stop - 1 : stop, stop + 1);
      this.lineNumber += 1;
    }
  }

  /** One line: `[start, stop)` without its ending, `after` past it. */
  private line(from: number, stop: number, after: number): void {
    let start = from;
    if (this.first) {
      this.first = false;
      if (this.buffer[start] === 0xef && this.buffer[start + 1] === 0xbb && this.buffer[start + 2] === 0xbf) start += 3;
      if (this.buffer[start] === GREATER) {
        const base = parseBaseLine(this.text(start, stop));
        if (base) {
          this.base = base.number;
          this.sink.base?.(base);
        }
        return;
      }
    }
    const byte = this.buffer[start];
    if (byte === HASH && this.headerLine(start, stop, after)) return;
    if (byte === LESS && this.commentLine(start, stop, after)) return;
    if (byte === LESS || byte === EQUALS || byte === GREATER) this.conflictLine(start, stop);
    if (!this.open) this.strayLine(start, stop);
  }

  private headerLine(start: number, stop: number, after: number): boolean {
    if (this.buffer[start + 1] !== HASH || this.buffer[start + 3] !== 77) return false;
    const header = parseHeader(this.text(start, stop));
    if (!header) return false;
    this.closeUnmarked(start);
    this.closeStray();
    this.merge.header();
    this.open = { start, line: this.lineNumber, header, headerEnd: Math.min(stop, after) };
    return true;
  }

  private commentLine(start: number, stop: number, after: number): boolean {
    if (this.buffer[start + 1] !== 33) return false;
    const text = this.text(start, stop);
    const fence = parseFenceLine(text);
    // A fence that cuts nothing of this file was meant for an older one: its writer was paused on the way.
    if (fence && fence.number > this.base) {
      this.closeUnmarked(start);
      this.closeStray();
      this.fenced = true;
      this.sink.fence?.({ at: this.origin + start, line: this.lineNumber, ...fence });
      return true;
    }
    if (!this.open) return text === '<!-- torn -->';
    const marker = parseMarker(text);
    if (!marker) return false;
    this.closeMarked(start, after, marker);
    return true;
  }

  /** Text, not a header and not a comment of ours, that may begin like a merge's conflict marker. */
  private conflictLine(start: number, stop: number): void {
    const sign = mergeSign(this.text(start, Math.min(stop, start + 8)), stop - start);
    if (sign === undefined) return;
    if (!this.open || this.merge.sign(sign)) this.sink.conflict?.(this.origin + start, this.lineNumber);
  }

  private strayLine(start: number, stop: number): void {
    let blank = true;
    for (let i = start; i < stop && blank; i++) blank = isBlankByte(this.buffer[i]);
    if (blank) return;
    if (this.strayFrom) this.strayFrom.lines += 1;
    else
      this.strayFrom = {
        at: this.origin + start,
        line: this.lineNumber,
        lines: 1,
        first: this.text(start, Math.min(stop, start + 480)).slice(0, 120),
      };
  }

  private closeStray(): void {
    if (!this.strayFrom) return;
    this.sink.stray?.(this.strayFrom);
    this.strayFrom = undefined;
  }

  private closeMarked(markerStart: number, after: number, marker: Marker): void {
    const open = this.open;
    if (!open) return;
    // The number must be the header's: otherwise it is no end of this entry (format.md 1.2). Nobody posts a NUL: it is
    // what a power cut leaves of a part that never reached the disk, so the entry is torn, not altered.
    const hasNul = this.sawNul && this.buffer.subarray(open.start, markerStart).includes(0);
    const own = marker.number === open.header.number && !hasNul ? marker : undefined;
    this.hand(open, this.lastNonBlank(open.start, markerStart), this.origin + after, own);
    this.merge.entryEnded();
  }

  private closeUnmarked(stop: number): void {
    const open = this.open;
    if (!open) return;
    let end = this.lastNonBlank(open.start, stop);
    const lastLine = this.buffer.lastIndexOf(LF, end - 1) + 1;
    if (lastLine > open.start && this.buffer[lastLine] === HASH && isTornHeader(this.text(lastLine, end))) {
      const line = this.lineNumber - countByte(this.buffer.subarray(lastLine, stop), LF);
      this.strayFrom = { at: this.origin + lastLine, line, lines: 1, first: this.text(lastLine, end) };
      end = this.lastNonBlank(open.start, lastLine);
    }
    this.hand(open, end, this.origin + stop, undefined);
  }

  private hand(open: NonNullable<Scanner['open']>, textEnd: number, end: number, marker: Marker | undefined): void {
    this.open = undefined;
    const raw = this.buffer.subarray(open.start, textEnd);
    const text = this.sawCr && raw.includes(CR) ? withoutCarriageReturns(raw) : raw;
    this.sink.entry({
      at: this.origin + open.start,
      line: open.line,
      header: open.header,
      text,
      headerLength: Math.min(open.headerEnd, textEnd) - open.start,
      marker,
      end,
    });
  }

  private lastNonBlank(from: number, to: number): number {
    let end = to;
    while (end > from && isBlankByte(this.buffer[end - 1])) end -= 1;
    return end;
  }

  private text(start: number, stop: number): string {
    return decoder.decode(this.buffer.subarray(start, stop));
  }
}

/** Scans bytes that are all in memory. */
export function scanBytes(bytes: Uint8Array, sink: ScanSink, options: ScanOptions): void {
  const scanner = new Scanner(sink, options);
  scanner.push(bytes);
  scanner.end();
}
