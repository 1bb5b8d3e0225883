import { resolve } from 'node:path';
import { commitQuestion, isCommitCited } from '../git-environment.js';
import { type CouldNotCheck, git } from './git.js';

/** A worktree in which a party can run. */
export interface ReadyTree {
  readonly kind: 'ready';
  readonly path: string;
  /** What a sandbox must let the party write to commit there: its own git folder, and the one that all trees share. */
  readonly gitDir: string;
  readonly gitCommonDir: string;
  /** The commit that is checked out. */
  readonly commit: string;
  /** The branch that is checked out; undefined when none is. */
  readonly branch: string | undefined;
}

/** Why there is no worktree; each is for the supervisor, none is an exception. `message` is one sentence. */
export type TreeProblem =
  | { readonly kind: 'no-such-commit'; readonly message: string }
  | { readonly kind: 'not-usable'; readonly message: string }
  | CouldNotCheck;

/**
 * The commit that a citation names, given by its 7 to 40 hex, or HEAD of the project without one. A branch that is
 * called like a hash is not taken for it.
 */
export async function resolveCommit(
  project: string,
  cited: string | undefined,
): Promise<{ readonly kind: 'commit'; readonly sha: string } | TreeProblem> {
  if (cited !== undefined && !/^[0-9a-f]{7,40}$/.test(cited)) return noSuchCommit(project, cited);
  const found = await git(project, commitQuestion(cited ?? 'HEAD'));
  if (found.kind === 'could-not-check') return found;
  if (found.kind === 'ok' && isCommitCited(found.stdout, cited ?? '')) return { kind: 'commit', sha: found.stdout };
  return noSuchCommit(project, cited);
}

/** What is checked out in a worktree, and where its git folders are. */
export async function describeTree(path: string): Promise<ReadyTree | TreeProblem> {
  const folders = await git(path, ['rev-parse', '--git-dir', '--git-common-dir', 'HEAD']);
  if (folders.kind === 'could-not-check') return folders;
  const [gitDir, gitCommonDir, commit] = folders.kind === 'ok' ? folders.stdout.split('\n') : [];
  if (gitDir === undefined || gitCommonDir === undefined || commit === undefined) {
    return { kind: 'not-usable', message: `${path} has no commit checked out.` };
  }
  const head = await git(path, ['symbolic-ref', '--quiet', '--short', 'HEAD']);
  const branch = head.kind === 'ok' ? head.stdout : undefined;
  return {
    kind: 'ready',
    path,
    gitDir: resolve(path, gitDir),
    gitCommonDir: resolve(path, gitCommonDir),
    commit,
    branch,
  };
}

function noSuchCommit(project: string, cited: string | undefined): TreeProblem {
  const what = cited === undefined ? 'a commit at HEAD' : `exactly one commit ${cited}`;
  return { kind: 'no-such-commit', message: `${project} does not have ${what}: push or fetch it, or cite another.` };
}
