import type { Trailer } from './words.js';

const LINE = /^([A-Za-z][A-Za-z0-9-]*): (.*)$/;

/**
 * The trailers of a body: its last paragraph, never the first, if every line of it is `Key: value` (decisions.md 7).
 * A paragraph of `Debate-...` lines that the tool wrote may follow one of the author's; both are returned, in order.
 */
export function parseTrailers(body: string): readonly Trailer[] {
  const paragraphs = body.split(/\n[ \t]*\n+/);
  const last = paragraphs.length > 1 ? trailerParagraph(paragraphs.at(-1) ?? '') : undefined;
  if (!last) return [];
  const isToolParagraph = last.every((trailer) => isReservedKey(trailer.key));
  const before = isToolParagraph && paragraphs.length > 2 ? trailerParagraph(paragraphs.at(-2) ?? '') : undefined;
  return before?.every((trailer) => !isReservedKey(trailer.key)) ? [...before, ...last] : last;
}

function trailerParagraph(paragraph: string): Trailer[] | undefined {
  const found: Trailer[] = [];
  for (const line of paragraph.split('\n')) {
    const match = LINE.exec(line.trimEnd());
    if (!match) return undefined;
    found.push({ key: match[1] ?? '', value: (match[2] ?? '').trim() });
  }
  return found.length > 0 ? found : undefined;
}

/** True for a key that only the tool writes (DESIGN.md 4.1). */
export function isReservedKey(key: string): boolean {
  return key.toLowerCase().startsWith('debate-');
}

/** True for an unquoted line that pretends to be one of the tool's trailers (decisions.md 7). */
export function isReservedLine(line: string): boolean {
  return /^debate-[a-z0-9-]*:/i.test(line);
}

/** The values of the trailers called `key`, in order. */
export function trailerValues(trailers: readonly Trailer[], key: string): readonly string[] {
  return trailers.filter((trailer) => trailer.key === key).map((trailer) => trailer.value);
}

/** Writes trailers as one paragraph. */
export function renderTrailers(trailers: readonly Trailer[]): string {
  return trailers.map((trailer) => `${trailer.key}: ${trailer.value}`).join('\n');
}
