import type { Header, Marker } from './words.js';

/** The header pattern (DESIGN.md 4.1) with `digit` for the number and `letter` for the names. */
function headerPattern(digit: string, letter: string, flags: string): RegExp {
  const name = `([${letter}-]+)`;
  return new RegExp(
    `^## MSG-(${digit}+) \\| ([^|]+) \\| from: ${name} \\| type: ${name} \\| thread: ([^|]+) \\| refs: (.*)$`,
    flags,
  );
}

/**
 * What the published tool accepts, Unicode digits and letters included, so that whatever any reader takes for a header is
 * refused in a body (format.md 1.5). Made when a line wants it: Unicode's classes cost a start two milliseconds.
 */
let anyHeader: RegExp | undefined;

/** The same in ASCII, as almost every header is. */
const PLAIN_HEADER = headerPattern('\\d', '\\w', '');

const HEADER_START = '## MSG-';

function matchHeader(line: string): RegExpExecArray | null {
  if (!line.startsWith(HEADER_START)) return null;
  const plain = PLAIN_HEADER.exec(line);
  if (plain) return plain;
  anyHeader ??= headerPattern('\\p{Nd}', '\\p{L}\\p{N}\\p{M}\\p{Pc}', 'u');
  return anyHeader.exec(line);
}

/** The one marker pattern (format.md 1.2). */
const MARKER = /^<!-- end MSG-(\d{1,15}) sha256:([0-9a-f]{64}) key:((?!\S*--)[A-Za-z0-9][A-Za-z0-9._:-]{0,127}) -->$/;

const BASE_LINE = /^> (?!\s*>).*<!-- debate base MSG-(\d{1,15}) sha256:([0-9a-f]{64}) -->$/;
const FENCE_LINE = /^<!-- debate fence cut:MSG-(\d{1,15}) sha256:([0-9a-f]{64}) -->$/;

const NAME = /^[a-z0-9][a-z0-9-]*$/;
const KEY = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;

/** The number in `digits`; 0 unless they are ASCII and within the exact integers. */
function plainNumber(digits: string): number {
  return /^\d{1,15}$/.test(digits) ? Number(digits) : 0;
}

/** Takes a header line apart, or returns undefined if no reader would take it for one. `line` has no line ending. */
export function parseHeader(line: string): Header | undefined {
  const found = matchHeader(line);
  if (!found) return undefined;
  const [, digits = '', timestamp = '', sender = '', type = '', thread = '', refs = ''] = found;
  const cited = refs.trim();
  return {
    number: plainNumber(digits),
    timestamp: timestamp.trim(),
    sender,
    type,
    thread: thread.trim(),
    refs: cited === '-' ? '' : cited,
  };
}

/** Writes a header line, without its line ending. */
export function renderHeader(header: Header): string {
  return `## MSG-${header.number} | ${header.timestamp} | from: ${header.sender} | type: ${header.type} | thread: ${header.thread} | refs: ${header.refs || '-'}`;
}

/** Takes a marker line apart, or returns undefined. */
export function parseMarker(line: string): Marker | undefined {
  const found = MARKER.exec(line);
  return found ? { number: Number(found[1]), hash: found[2] ?? '', key: found[3] ?? '' } : undefined;
}

/** Writes a marker line, without its line ending. */
export function renderMarker(marker: Marker): string {
  return `<!-- end MSG-${marker.number} sha256:${marker.hash} key:${marker.key} -->`;
}

/** True for a line that begins like a header and stops before it is one: a writer died inside (format.md 3e, field case R12). */
export function isTornHeader(line: string): boolean {
  return line.startsWith('## M') && /^## M(S(G(-(\p{Nd}+( (\|.*)?)?)?)?)?)?$/u.test(line);
}

/** The number and hash that a mailbox's base line names (decisions.md 16), or undefined. */
export function parseBaseLine(line: string): { readonly number: number; readonly hash: string } | undefined {
  const found = BASE_LINE.exec(line);
  return found ? { number: Number(found[1]), hash: found[2] ?? '' } : undefined;
}

/** The first line of a compacted mailbox, without its line ending. `index` is the index file's path in the root. */
export function renderBaseLine(base: { readonly number: number; readonly hash: string }, index: string): string {
  return `> Entries up to MSG-${base.number} are in archive/ (see ${index}). <!-- debate base MSG-${base.number} sha256:${base.hash} -->`;
}

/** The cut that a fence line carries (decisions.md 16), or undefined. */
export function parseFenceLine(line: string): { readonly number: number; readonly hash: string } | undefined {
  const found = FENCE_LINE.exec(line);
  return found ? { number: Number(found[1]), hash: found[2] ?? '' } : undefined;
}

/** A fence line, without its line ending: entries after it are void. */
export function renderFenceLine(cut: { readonly number: number; readonly hash: string }): string {
  return `<!-- debate fence cut:MSG-${cut.number} sha256:${cut.hash} -->`;
}

/** True for a party's name or a thread's slug (DESIGN.md 4.1). */
export function isName(text: string): boolean {
  return NAME.test(text);
}

/** True for an idempotency key (format.md 1.2). */
export function isKey(text: string): boolean {
  return KEY.test(text) && !text.includes('--');
}

/** What a forged line would pretend to be, or undefined for an ordinary line of a body (field case R1). */
export function forgedKind(line: string): 'header' | 'marker' | 'base line' | 'fence line' | undefined {
  if (line.startsWith(HEADER_START) && /^## MSG-\p{Nd}+ \|/u.test(line)) return 'header';
  if (/^\s*<!--\s*end\s+MSG-/iu.test(line)) return 'marker';
  if (/^>(?!\s*>).*<!--\s*debate\s+base\b/i.test(line)) return 'base line';
  if (/^\s*<!--\s*debate\s+fence\b/i.test(line)) return 'fence line';
  return undefined;
}
