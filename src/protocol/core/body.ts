import { forgedKind } from './grammar.js';
import { type Objection, objection } from './refusal.js';
import { pieces } from './separators.js';
import { isReservedLine } from './trailers.js';

/** A body as it will be recorded, and what was done to it. */
export interface PreparedBody {
  readonly body: string;
  readonly notices: readonly string[];
}

const COLOUR = /(?:\u001b\[|\u009b)[0-9;:]*m/g;

/**
 * Brings a body into the form in which it is recorded (format.md 1.4, decisions.md 2): LF line endings, no leading
 * blank lines, no trailing blanks, no colour sequences. Everything else stays byte for byte.
 */
export function normaliseBody(raw: string): PreparedBody {
  const coloured = raw.replace(COLOUR, '');
  const text = coloured
    .replace(/^\uFEFF/, '')
    // Half a surrogate pair cannot be written as UTF-8: what is hashed and compared must be what is stored.
    .replace(/\p{Cs}/gu, '\ufffd')
    .replace(/\r\n?/g, '\n')
    .replace(/^(?:[ \t]*\n)+/, '');
  return {
    body: withoutTrailingBlanks(text),
    notices: coloured === raw ? [] : ['Colour sequences were removed from the body.'],
  };
}

/** Not by a pattern: one that is tried at every blank takes minutes for a long run of them within the text. */
function withoutTrailingBlanks(text: string): string {
  let end = text.length;
  while (end > 0 && ' \t\n'.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Refuses what pretends to be part of the format, wherever any reader would see a line (field case R1). */
export function judgeBody(body: string): Objection | undefined {
  if (body.includes('\0'))
    return objection('bad-bytes', 'The body contains a NUL byte.', 'Remove it; a mailbox is text.');
  for (const { text, line } of pieces(body)) {
    const forged = forgedKind(text);
    if (forged)
      return objection(
        'forged-line',
        `Line ${line} of the body would read as ${forged === 'header' ? 'an entry' : 'a'} ${forged} of the mailbox.`,
        `Quote it, so that the line begins with "> ${text.slice(0, 10).trim()}", or put a word before it.`,
      );
    if (isReservedLine(text))
      return objection(
        'reserved-trailer',
        `Line ${line} of the body begins with a Debate- trailer, which only the tool writes.`,
        'Quote it with "> ", and let the options of `debate post` say it.',
      );
  }
  return undefined;
}

/** True when a body may change how later entries render, so that a Markdown parser has to look (field case R14). */
export function mayHideLaterEntries(body: string): boolean {
  return /```|~~~|<[a-z!?/]/i.test(body) || /<\s*$/.test(body);
}
