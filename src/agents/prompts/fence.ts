import { skeletonOf } from './skeleton.js';

/** The pair of lines between which an untrusted text stands in a prompt. */
export interface Mark {
  readonly open: string;
  readonly close: string;
  /** What reads as one of the two, in a skeleton. */
  readonly lookalikes: readonly RegExp[];
}

/** What stands in the place of a forged marker: it has none of a marker's brackets, so nothing can re-form around it. */
export const REDACTED_MARKER = '[marker removed]';

/** Blanks between any two characters still read as the word; `_` may be a blank, a hyphen or nothing. */
function spaced(word: string): string {
  const parts = word.toLowerCase().split('_');
  return parts.map((part) => [...part].join(' *')).join('[-_ ]*');
}

/** The marker pair `<name>` and `</name>`; `name` is of lower-case letters and `_`. */
export function tagMark(name: string): Mark {
  const word = spaced(name);
  return {
    open: `<${name}>`,
    close: `</${name}>`,
    lookalikes: [
      // A closing tag is one however it ends; an opening tag needs its bracket, so that code such as `a < name` stays.
      new RegExp(`< */ *${word}(?![a-z0-9_])(?:[^<>\\n]{0,200}>)?`, 'g'),
      new RegExp(`< *${word} *(?:/ *)?>`, 'g'),
      new RegExp(`<${word}[ /][^<>\\n]{0,200}>`, 'g'),
    ],
  };
}

/** The marker pair `<<<WORD` and `WORD>>>`; `word` is of letters. */
export function wordMark(word: string): Mark {
  return {
    open: `<<<${word}`,
    close: `${word}>>>`,
    lookalikes: [new RegExp(`< *< *< *${spaced(word)}`, 'g'), new RegExp(`${spaced(word)} *> *> *>`, 'g')],
  };
}

function forgedRanges(text: string, marks: readonly Mark[]): { start: number; end: number }[] {
  const skeleton = skeletonOf(text);
  const ranges: { start: number; end: number }[] = [];
  for (const pattern of marks.flatMap((mark) => mark.lookalikes)) {
    for (const match of skeleton.text.matchAll(pattern)) {
      const start = skeleton.starts[match.index];
      const end = skeleton.ends[match.index + match[0].length - 1];
      if (start !== undefined && end !== undefined) ranges.push({ start, end });
    }
  }
  return ranges.sort((a, b) => a.start - b.start);
}

/**
 * The text with everything that reads as a marker of `marks` replaced by `[marker removed]` (rule R8): other case,
 * full-width, zero-width and odd blanks, look-alike letters, character entities. A text without any is returned
 * byte-identical.
 */
export function neutralise(text: string, marks: readonly Mark[]): string {
  const ranges = forgedRanges(text, marks);
  if (ranges.length === 0) return text;
  let result = '';
  let from = 0;
  for (const { start, end } of ranges) {
    if (start >= from) result += text.slice(from, start) + REDACTED_MARKER;
    from = Math.max(from, end);
  }
  // Again: what went on into the word of a marker, as in `</questionDRAFT>>>`, ends there now and reads as one itself. Every time
  // takes brackets away, so this ends.
  return neutralise(result + text.slice(from), marks);
}

/** The content between the markers, on lines of its own. Only for content that is already neutralised. */
export function enclose(content: string, mark: Mark): string {
  return `${mark.open}\n${content}\n${mark.close}`;
}

/**
 * An untrusted text between its markers, unable to close them or to forge those of `others`, which the same prompt
 * uses (rules R8, X4). The result holds exactly one opening and one closing marker of `mark` and none of the others.
 */
export function fence(text: string, mark: Mark, others: readonly Mark[] = []): string {
  return enclose(neutralise(text, [mark, ...others]), mark);
}
