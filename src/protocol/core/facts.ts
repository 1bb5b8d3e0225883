import type { ScannedEntry } from './scanned.js';
import { isReservedKey, parseTrailers } from './trailers.js';
import { ENTRY_TYPES, type Entry, type EntryType, type Trailer } from './words.js';

/** What the rules look at in an entry or a draft; nothing else of it can move a turn. */
export interface Facts {
  readonly sender: string;
  readonly type: string;
  readonly thread: string;
  /** Recorded by the supervisor under another slug than the open one (`Debate-Forced`). */
  readonly forced: boolean;
  /** Who answers, by the supervisor's word (`Debate-Turn`). */
  readonly turn: string | undefined;
  /** The thread's own cap (`Debate-Cap`). */
  readonly cap: number | undefined;
  /** A party asks the supervisor (`Debate-Ask`). */
  readonly ask: boolean;
  /** The defects that the supervisor accepts (`Debate-Accept`), each as `MSG-9 altered`. */
  readonly accepts: readonly string[];
  readonly empty: boolean;
}

/** Facts of an entry with none of the tool's trailers. */
export function plainFacts(sender: string, type: string, thread: string, empty: boolean): Facts {
  return { sender, type, thread, forced: false, turn: undefined, cap: undefined, ask: false, accepts: [], empty };
}

/** Facts of an entry from its header and its trailers. Reserved trailers are read in marked entries only (format.md 3f). */
export function readFacts(
  entry: { readonly sender: string; readonly type: string; readonly thread: string; readonly empty: boolean },
  trailers: readonly Trailer[],
): Facts {
  let facts = plainFacts(entry.sender, entry.type, entry.thread, entry.empty);
  for (const { key, value } of trailers) {
    if (key === 'Debate-Forced') facts = { ...facts, forced: true };
    else if (key === 'Debate-Turn') facts = { ...facts, turn: value };
    else if (key === 'Debate-Cap') facts = { ...facts, cap: /^\d{1,6}$/.test(value) ? Number(value) : 0 };
    else if (key === 'Debate-Ask') facts = { ...facts, ask: true };
    else if (key === 'Debate-Accept') facts = { ...facts, accepts: [...facts.accepts, value] };
  }
  return facts;
}

/** The trailers by which the tool states `facts`, in one order. */
export function factTrailers(facts: Facts): readonly Trailer[] {
  const found: Trailer[] = [];
  if (facts.forced) found.push({ key: 'Debate-Forced', value: 'yes' });
  if (facts.turn !== undefined) found.push({ key: 'Debate-Turn', value: facts.turn });
  if (facts.cap !== undefined) found.push({ key: 'Debate-Cap', value: String(facts.cap) });
  if (facts.ask) found.push({ key: 'Debate-Ask', value: 'yes' });
  for (const value of facts.accepts) found.push({ key: 'Debate-Accept', value });
  return found;
}

/** True for one of the six types. */
export function isEntryType(type: string): type is EntryType {
  return (ENTRY_TYPES as readonly string[]).includes(type);
}

const decoder = new TextDecoder();
const DEBATE = [68, 101, 98, 97, 116, 101, 45];

/** The body of a scanned entry: without leading blank lines and trailing blanks (decisions.md 2). */
export function bodyOf(scanned: Pick<ScannedEntry, 'text' | 'headerLength'>): string {
  return decoder.decode(scanned.text.subarray(scanned.headerLength)).replace(/^(?:[ \t\r]*\n)+/, '');
}

/** Facts of a scanned entry. Only a body whose last paragraph begins with `Debate-` is decoded: this runs once an entry. */
export function factsOf(scanned: ScannedEntry): Facts {
  const { header, text, headerLength, marker } = scanned;
  const { sender, type, thread } = header;
  const empty = text.length <= headerLength;
  if (!marker || !endsInToolParagraph(text, headerLength)) return plainFacts(sender, type, thread, empty);
  return readFacts({ sender, type, thread, empty }, parseTrailers(bodyOf(scanned)));
}

function endsInToolParagraph(text: Uint8Array, from: number): boolean {
  // Walk back over whole lines to the last blank one; a tool's paragraph is short, so stop after 4 KiB.
  const stop = Math.max(from, text.length - 4096);
  let lineStart = text.lastIndexOf(10, text.length - 1) + 1;
  let paragraph = -1;
  while (lineStart > stop) {
    paragraph = lineStart;
    const before = text.lastIndexOf(10, lineStart - 2) + 1;
    if (isBlank(text, before, lineStart - 1)) break;
    lineStart = before;
  }
  return paragraph > 0 && DEBATE.every((byte, i) => text[paragraph + i] === byte);
}

function isBlank(text: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (text[i] !== 32 && text[i] !== 9 && text[i] !== 13) return false;
  return true;
}

/** The entry that a scanned one is, with `hash` as what the next one chains to. */
export function toEntry(scanned: ScannedEntry, hash: string): Entry {
  const { header, marker } = scanned;
  const body = bodyOf(scanned);
  const trailers = parseTrailers(body);
  return {
    seq: header.number,
    timestamp: header.timestamp,
    sender: header.sender,
    type: header.type,
    thread: header.thread,
    refs: header.refs,
    body,
    trailers: marker ? trailers : trailers.filter((trailer) => !isReservedKey(trailer.key)),
    hash,
    key: marker?.key ?? '',
    marked: marker !== undefined,
  };
}
