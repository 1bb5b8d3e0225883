import { codeChunks } from './code-chunks.js';
import { readTree, resolveCommit } from './git-objects.js';
import { indexPassages } from './index-passages.js';
import type { Search } from './passage.js';
import { codeWords } from './words.js';

/** How much of a commit id a citation shows. */
const CITED_DIGITS = 12;

/**
 * A search over a repository as it is at a commit, by function or chunk. It reads git's objects and never the working
 * tree, so that what a review checks is what the citation names. Binary files and very large ones are left out.
 *
 * @throws Error with one sentence when the folder is no repository, the commit is not there, or git cannot run.
 */
export async function commitSearch(repository: string, commit: string): Promise<Search> {
  const full = await resolveCommit(repository, commit);
  const files = await readTree(repository, full);
  const cited = full.slice(0, CITED_DIGITS);
  return indexPassages(
    files.flatMap((file) => codeChunks(file.path, cited, file.text)),
    codeWords,
  );
}
