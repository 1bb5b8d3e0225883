import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { indexPassages } from './index-passages.js';
import { markdownSections } from './markdown-sections.js';
import type { Passage, Search } from './passage.js';
import { proseWords } from './words.js';

/** The sections of all Markdown files in a folder and below it, in the order of their paths. */
export async function readSections(folder: string): Promise<readonly Passage[]> {
  let names: string[];
  try {
    names = await readdir(folder, { recursive: true });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`The folder to search cannot be read (${why}); check its path.`);
  }
  const files = names.filter((name) => /\.md$/i.test(name)).sort((a, b) => (a < b ? -1 : 1));
  const passages: Passage[] = [];
  for (const name of files) {
    const cited = name.split(sep).join('/').replace(/\.md$/i, '');
    passages.push(...markdownSections(cited, await readFile(join(folder, name), 'utf8')));
  }
  return passages;
}

/** A search over a folder of Markdown, by section, as it is now. */
export async function folderSearch(folder: string): Promise<Search> {
  return indexPassages(await readSections(folder), proseWords);
}
