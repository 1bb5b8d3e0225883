import { codeChunks } from '../search/code-chunks.js';
import { readTree, type TreeFile } from '../search/git-objects.js';
import { indexPassages } from '../search/index-passages.js';
import { codeWords } from '../search/words.js';

/** Of a repository so many paths are listed, so many files shown, and so many characters of them together. */
const PATHS = 300;
const FOUND_PLACES = 12;
const CHARACTERS = 60_000;

/**
 * The files of a commit that a model without hands needs to see: the list of all, and whole those that the change touches
 * and that a search for the task finds. What does not fit is named, never cut in the middle.
 */
export async function shownFiles(
  repository: string,
  commit: string,
  query: string,
  changed: readonly string[],
): Promise<string> {
  const tree = await readTree(repository, commit);
  const passages = tree.flatMap(({ path, text }) =>
    codeChunks(path, commit, text).map((each) => ({ ...each, cite: path })),
  );
  const hits = indexPassages(passages, codeWords)(query, FOUND_PLACES).map((hit) => hit.cite);
  const wanted = [...new Set([...changed, ...hits])].flatMap((path) => tree.find((file) => file.path === path) ?? []);
  const paths = tree.slice(0, PATHS).map((file) => file.path);
  const more = tree.length > PATHS ? `\n(and ${tree.length - PATHS} more)` : '';
  return [`All files:\n${paths.join('\n')}${more}`, ...fitting(wanted)].join('\n\n');
}

function fitting(files: readonly TreeFile[]): readonly string[] {
  let left = CHARACTERS;
  return files.map(({ path, text }) => {
    if (text.length > left) return `${path} is too long to be shown here.`;
    left -= text.length;
    return `${path}:\n${text}`;
  });
}
