import { git } from '../git.js';

/** A text file at a commit. */
export interface TreeFile {
  readonly path: string;
  readonly text: string;
}

/** Larger files are generated or data; a search for a claim finds nothing in them that a person would cite. */
const MAX_FILE_BYTES = 512 * 1024;
/** Of a repository so much text is read; the rest, in the order of the tree, is left out. */
const MAX_TOTAL_BYTES = 64 * 1024 * 1024;

/** The full id of a commit. What is no commit of this repository is an error that says so. */
export async function resolveCommit(repository: string, commit: string): Promise<string> {
  if (!/^[0-9a-f]{7,64}$/i.test(commit))
    throw new Error(`${JSON.stringify(commit)} is no commit id; give 7 to 40 hexadecimal digits.`);
  try {
    return (await git(repository, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${commit}^{commit}`]))
      .toString('utf8')
      .trim();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`Commit ${commit} cannot be searched: ${why}; check that ${repository} has it (git fetch).`);
  }
}

/** The text files of a commit, from git's objects. Links, submodules, binary and very large files are left out. */
export async function readTree(repository: string, commit: string): Promise<readonly TreeFile[]> {
  const listing = await git(repository, ['ls-tree', '-r', '-z', '--long', '--full-tree', commit]);
  const entries = listing
    .toString('utf8')
    .split('\0')
    .flatMap((line) => {
      const found = /^100\d{3} blob ([0-9a-f]+) +(\d+)\t([\s\S]+)$/.exec(line);
      const [, id, size, path] = found ?? [];
      return id === undefined || path === undefined ? [] : [{ id, path, size: Number(size) }];
    });
  let total = 0;
  const wanted = entries.filter((entry) => {
    if (entry.size > MAX_FILE_BYTES || total + entry.size > MAX_TOTAL_BYTES) return false;
    total += entry.size;
    return true;
  });
  if (wanted.length === 0) return [];
  const batch = await git(repository, ['cat-file', '--batch'], wanted.map((entry) => `${entry.id}\n`).join(''));
  const files: TreeFile[] = [];
  let at = 0;
  for (const { path, size } of wanted) {
    const head = batch.indexOf(10, at);
    const bytes = batch.subarray(head + 1, head + 1 + size);
    at = head + 1 + size + 1;
    if (!bytes.includes(0)) files.push({ path, text: bytes.toString('utf8') });
  }
  return files;
}
