// The tags are matched only where no quote or backtick stands right at them: a review of code about such tags names
// them.
const quoted = '["\'`]';
const closing = new RegExp(`(?<!${quoted})</think(?:ing)?\\s*>(?!${quoted})`, 'gi');
const opening = new RegExp(`(?<!${quoted})<think(?:ing)?\\s*>(?!${quoted})`, 'i');

/**
 * Removes what a model thought aloud, so that an executor sees its answer only (rule X1).
 *
 * Everything up to the last closing tag goes (many servers put the opening tag into the prompt, so it may be missing),
 * then everything from an opening tag that was never closed. A text without such tags comes back byte for byte. Tags
 * in quotes or backticks are text about tags.
 */
export function stripThinking(text: string): string {
  let end = 0;
  for (const match of text.matchAll(closing)) end = match.index + match[0].length;
  const rest = end === 0 ? text : text.slice(end).trimStart();
  const open = opening.exec(rest);
  return open === null ? rest : rest.slice(0, open.index).trimEnd();
}
