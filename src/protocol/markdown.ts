import type { ParseMarkdown } from './core/rendering.js';

/** Loads the Markdown parser: only a body that may hide later entries pays for it. */
export async function loadMarkdown(): Promise<ParseMarkdown> {
  const { fromMarkdown } = await import('./markdown-parser.js');
  return fromMarkdown;
}
