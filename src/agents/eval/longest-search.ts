import type { Passage, Search } from '../search/passage.js';

const longest = (texts: readonly string[]) =>
  texts.reduce((a, b) => (Buffer.byteLength(b) > Buffer.byteLength(a) ? b : a), '');

/**
 * Finds for every query what is longest: no real search over these passages can put more bytes into a prompt.
 * `characters` is how much of a passage is shown; all of it if undefined.
 */
export function longestSearch(passages: readonly Passage[], characters: number | undefined): Search {
  const shown = (text: string) => (characters === undefined ? text : [...text].slice(0, characters).join(''));
  const hit = {
    cite: longest(passages.map((passage) => passage.cite)),
    title: longest(passages.map((passage) => passage.title)),
    text: longest(passages.map((passage) => shown(passage.text))),
    score: 1,
  };
  return (_, k) => Array.from({ length: Math.min(k, passages.length) }, () => hit);
}
