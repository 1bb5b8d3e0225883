import MiniSearch from 'minisearch';
import type { Passage, Search } from './passage.js';

/** The parameters of BM25 that the documents use; `d: 0` makes it BM25 and not BM25+. */
const BM25 = { k: 1.5, b: 0.75, d: 0 };

/**
 * A BM25 index over title and text of the passages, as one field, its length counted in distinct words. Pure: the same
 * passages and query give the same hits, and passages of equal score keep their order. There is no prefix and no fuzzy
 * match: a reviewer that asks for one part number must not be shown another.
 */
export function indexPassages(passages: readonly Passage[], words: (text: string) => string[]): Search {
  const index = new MiniSearch<{ id: number; content: string }>({
    fields: ['content'],
    tokenize: words,
    processTerm: (term) => term,
  });
  index.addAll(passages.map((passage, id) => ({ id, content: `${passage.title} ${passage.text}` })));
  return (query, k) =>
    index
      .search(query, { bm25: BM25, combineWith: 'OR', prefix: false, fuzzy: false })
      .filter((found) => found.score > 0)
      .sort((a, b) => b.score - a.score || a.id - b.id)
      .slice(0, k)
      .flatMap((found) => {
        const passage = passages[found.id];
        return passage === undefined ? [] : [{ ...passage, score: found.score }];
      });
}

/** One search over several: each keeps its own scores, so the best of each come in turns. */
export function mergeSearches(searches: readonly Search[]): Search {
  return (query, k) => {
    const found = searches.map((search) => search(query, k));
    const turns = Array.from({ length: k }, (_, turn) => found.flatMap((hits) => hits[turn] ?? []));
    return turns.flat().slice(0, k);
  };
}
