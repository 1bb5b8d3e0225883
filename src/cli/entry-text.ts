import { visible, visibleLine } from '../protocol/core/visible.js';
import type { Entry } from '../protocol/core/words.js';
import { styled } from './print.js';

/** The first line of a body, as it may be shown, at most 160 characters. */
export function firstLine(body: string): string {
  const line = visibleLine(body.split('\n')[0] ?? '');
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
}

/** One line that stands for an entry. */
export function entryLine(entry: Entry): string {
  const { seq, timestamp, sender, type, thread, body } = entry;
  const head = `MSG-${seq}  ${visibleLine(timestamp.slice(0, 16).replace('T', ' '))}  ${styled('cyan', visibleLine(sender))}`;
  return `${head}  ${styled('bold', visibleLine(type))}  ${visibleLine(thread)}  ${firstLine(body)}`;
}

/** An entry as a person or an agent reads it: a ruled head, then the body. Never the marker. */
export function entryText(entry: Entry): string {
  const refs = entry.refs === '' ? '' : ` | refs: ${visibleLine(entry.refs)}`;
  const head = `MSG-${entry.seq} | ${visibleLine(entry.sender)} | ${visibleLine(entry.type)} | thread ${visibleLine(entry.thread)} | ${visibleLine(entry.timestamp)}${refs}`;
  return `${styled('bold', `──── ${head}`)}\n\n${visible(entry.body)}\n`;
}

/** An entry as programs read it (decisions.md 21): not neutralised. */
export function entryJson(entry: Entry): Record<string, unknown> {
  const { seq, timestamp, sender, type, thread, refs, body, trailers } = entry;
  return {
    seq,
    timestamp,
    sender,
    type,
    thread,
    refs,
    body,
    trailers: trailers.map(({ key, value }) => ({ key, value })),
  };
}
