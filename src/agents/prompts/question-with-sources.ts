import type { Hit } from '../search/passage.js';
import { fill } from './fill.js';

const template = `{{question}}

Answer from the sources below and from nothing else. If they do not hold the answer, say so. If they disagree, name the disagreement and say which one you follow. Cite what you rely on as it stands in square brackets.

{{sources}}`;

/**
 * A question together with what a search found, for executors that do not search; the executor fences it as one text.
 */
export function questionWithSources(question: string, sources: readonly Hit[]): string {
  const blocks = sources.map((hit) => `[${hit.cite}] ${hit.title}\n${hit.text}`);
  return fill(template, { question, sources: blocks.length === 0 ? '(none found)' : blocks.join('\n\n') });
}
