import { git, gitMaybe, gitText } from '../git.js';
import { resolveCommit } from '../search/git-objects.js';

/** A change as it is reviewed: a commit against where its line of work began. */
export interface Change {
  /** The full id. */
  readonly commit: string;
  /** The full id of what it is compared with, and what that is in words. */
  readonly base: string;
  readonly baseName: string;
  /** The diff, at most `DIFF_CHARACTERS` of it. */
  readonly diff: string;
  /** Characters of the diff that are left out. */
  readonly cut: number;
  readonly files: readonly ChangedFile[];
}

/** One file of a change; the counts are undefined for a binary one. */
export interface ChangedFile {
  readonly path: string;
  readonly added: number | undefined;
  readonly removed: number | undefined;
}

/** Longer diffs are cut, which the reviewer is told and the entry says. */
const DIFF_CHARACTERS = 80_000;
/** Where lines of work usually begin, the surest first. */
const MAIN_LINES = ['origin/HEAD', 'main', 'master', 'HEAD'];

/**
 * Reads a commit's change from git's objects, never from a working tree: the diff against its merge base with the main
 * line (or with `base`, where the seat names one), against its parent where it is part of that line, against nothing where
 * it has no parent.
 */
export async function readChange(project: string, cited: string, base: string | undefined): Promise<Change> {
  const commit = await resolveCommit(project, cited);
  const { from, name } = await baseOf(project, commit, base);
  const between = async (...how: readonly string[]) =>
    (await git(project, ['diff', '--no-ext-diff', '--no-textconv', '--no-color', ...how, from, commit, '--'])).toString(
      'utf8',
    );
  const diff = await between('-M');
  const files = parseNumstat(await between('--numstat', '--no-renames'));
  return {
    commit,
    base: from,
    baseName: name,
    diff: diff.slice(0, DIFF_CHARACTERS),
    cut: Math.max(0, diff.length - DIFF_CHARACTERS),
    files,
  };
}

async function baseOf(
  project: string,
  commit: string,
  named: string | undefined,
): Promise<{ readonly from: string; readonly name: string }> {
  if (named !== undefined && (await commitAt(project, named)) === undefined)
    throw new Error(`The base ${named} of the seat is no commit of ${project}; correct "base" or fetch it.`);
  for (const line of named === undefined ? MAIN_LINES : [named]) {
    const tip = await commitAt(project, line);
    const from = tip === undefined ? undefined : await gitMaybe(project, ['merge-base', tip, commit]);
    if (from !== undefined && from !== commit) return { from, name: `the merge base with ${line}` };
  }
  const parent = await commitAt(project, `${commit}^`);
  if (parent !== undefined) return { from: parent, name: 'its parent' };
  return {
    from: await gitText(project, ['hash-object', '-t', 'tree', '--stdin']),
    name: 'nothing: it is a first commit',
  };
}

async function commitAt(project: string, revision: string): Promise<string | undefined> {
  return gitMaybe(project, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]);
}

function parseNumstat(text: string): readonly ChangedFile[] {
  return text.split('\n').flatMap((line) => {
    const [added, removed, path] = line.split('\t');
    if (added === undefined || removed === undefined || path === undefined) return [];
    const number = (digits: string) => (digits === '-' ? undefined : Number(digits));
    return [{ path, added: number(added), removed: number(removed) }];
  });
}

/** How many lines a file has at a commit; undefined when the commit has no such file. */
export async function linesAt(project: string, commit: string, path: string): Promise<number | undefined> {
  const text = await gitMaybe(project, ['cat-file', 'blob', `${commit}:${path}`]);
  return text === undefined ? undefined : text.split('\n').length;
}
