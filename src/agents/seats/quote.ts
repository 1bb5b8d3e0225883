import { pieces } from '../../protocol/core/separators.js';
import { visible, visibleLine } from '../../protocol/core/visible.js';

/** How the words of others are put into an entry. */
export interface Quoting {
  /** The longest quotation, in characters; what is cut is said. */
  readonly characters: number;
  /** Markup is written as text: for words whose HTML would swallow later entries (format.md 1.4). */
  readonly escapeMarkup: boolean;
}

/**
 * What a model, a program or a file said, as a quotation: each line behind `> `, so that it can be no header, no marker
 * and no trailer (format.md 1.5), and what a terminal would obey is written out (DESIGN.md 8).
 */
export function quoted(text: string, { characters, escapeMarkup }: Quoting): string {
  const all = [...text.trim()];
  const kept = all.slice(0, characters).join('');
  const marked = escapeMarkup ? kept.replace(/<(?=[a-z!?/])/gi, '&lt;') : kept;
  const lines = pieces(marked).map((piece) => visible(piece.text).trimEnd());
  const quotation = lines.map((line) => (line === '' ? '>' : `> ${line}`)).join('\n');
  if (all.length <= characters) return quotation === '>' ? '> (nothing)' : quotation;
  return `${quotation}\n\n(${all.length - characters} more characters are in the transcript.)`;
}

/** The start of what somebody said, on one line, safe inside a sentence of an entry. */
export function oneLine(text: string, characters = 160): string {
  const line = visibleLine(text.replace(/\s+/g, ' ').trim())
    .replace(/<(?=[a-z!?/])/gi, '&lt;')
    .replaceAll('`', "'");
  const all = [...line];
  return all.length <= characters ? line : `${all.slice(0, characters - 1).join('')}…`;
}

/** The paragraphs that are there, with a blank line between them. */
export function paragraphs(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('\n\n');
}

/** A number with its word: `1 round`, `2 rounds`. */
export function counted(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}
