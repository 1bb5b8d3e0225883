import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CouldNotCheck, git } from './git.js';
import { describeTree, type ReadyTree, resolveCommit, type TreeProblem } from './tree.js';
import { worktreePaths } from './worktree-list.js';

/** A worktree for a party that commits: one per thread, on a branch of its own. */
export interface BranchRequest {
  readonly project: string;
  /** The folder for such trees, under the watcher's state folder. */
  readonly folder: string;
  /** The branch, with its placeholders filled. */
  readonly branch: string;
  /** The commit at which a new branch begins; without one, the project's HEAD. One that is cited must exist anyway. */
  readonly cited: string | undefined;
  readonly setup?: TreeSetup;
}

/** A command that makes a new tree usable, such as `npm ci`; it runs once, and again only if it failed. */
export interface TreeSetup {
  readonly argv: readonly string[];
  /** Runs it in the tree; resolves with what went wrong, or undefined. */
  readonly run: (argv: readonly string[], tree: ReadyTree) => Promise<string | undefined>;
}

/** What became of a tree when its thread closed. */
export type ClosedTree =
  | { readonly kind: 'removed' | 'absent' }
  | { readonly kind: 'kept'; readonly message: string }
  | CouldNotCheck;

const setupMark = 'debate-setup-done';
/** Files in a tree's git folder that say that something was begun there and not finished. */
const unfinished = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply', 'BISECT_LOG'];

/**
 * The tree of a branch: the one that earlier runs of the thread left, as they left it, else a new one. An existing
 * branch is continued where it is; it is never moved or deleted, and neither is anybody's work in the folder.
 */
export async function openBranchTree(request: BranchRequest): Promise<ReadyTree | TreeProblem> {
  const { project, folder, branch } = request;
  const commit = await resolveCommit(project, request.cited);
  if (commit.kind !== 'commit') return commit;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = treePath(folder, branch);
  const isRegistered = await findRegistered(project, path);
  if (typeof isRegistered !== 'boolean') return isRegistered;
  if (existsSync(path) && !isRegistered) {
    return { kind: 'not-usable', message: `${path} is not a worktree of ${project}: move it away.` };
  }
  if (!existsSync(path)) {
    // Somebody removed the folder; only the registration is left, and removing that touches no branch.
    if (isRegistered) await git(project, ['worktree', 'remove', '--force', path]);
    const problem = await addTree(project, branch, path, commit.sha);
    if (problem !== undefined) return problem;
  }
  const tree = await describeTree(path);
  return tree.kind === 'ready' ? ((await setUp(request.setup, tree)) ?? tree) : tree;
}

/**
 * Removes the tree of a thread that has closed, unless something in it would be lost: changes, files that git does not
 * know, an unfinished merge or rebase, or commits that are on no branch. The branch stays in any case.
 */
export async function closeBranchTree(
  request: Pick<BranchRequest, 'project' | 'folder' | 'branch'>,
): Promise<ClosedTree> {
  const { project, branch } = request;
  if (!existsSync(request.folder)) return { kind: 'absent' };
  const path = treePath(request.folder, branch);
  if (!existsSync(path)) return { kind: 'absent' };
  const tree = await describeTree(path);
  if (tree.kind === 'could-not-check') return tree;
  if (tree.kind !== 'ready') return { kind: 'kept', message: tree.message };
  const status = await git(path, ['status', '--porcelain', '--untracked-files=normal']);
  if (status.kind === 'could-not-check') return status;
  if (status.kind === 'refused' || status.stdout !== '') return kept(path, 'it has changes that are not committed');
  if (unfinished.some((name) => existsSync(join(tree.gitDir, name)))) {
    return kept(path, 'a merge, rebase or bisect in it is not finished');
  }
  const holders = await git(project, [
    'for-each-ref',
    '--count=1',
    `--contains=${tree.commit}`,
    'refs/heads',
    'refs/tags',
  ]);
  if (holders.kind === 'could-not-check') return holders;
  if (holders.kind === 'refused' || holders.stdout === '') return kept(path, 'its commits are on no branch');
  const removed = await git(project, ['worktree', 'remove', path]);
  if (removed.kind === 'could-not-check') return removed;
  return removed.kind === 'ok' ? { kind: 'removed' } : kept(path, removed.stderr);
}

async function addTree(project: string, branch: string, path: string, sha: string): Promise<TreeProblem | undefined> {
  const valid = await git(project, ['check-ref-format', `refs/heads/${branch}`]);
  if (valid.kind === 'could-not-check') return valid;
  if (valid.kind === 'refused') return { kind: 'not-usable', message: `"${branch}" cannot be the name of a branch.` };
  const exists = await git(project, ['show-ref', '--verify', '--quiet', `refs/heads/${branch}`]);
  if (exists.kind === 'could-not-check') return exists;
  const what = exists.kind === 'ok' ? [path, branch] : ['--no-track', '-b', branch, path, sha];
  const added = await git(project, ['worktree', 'add', '--quiet', ...what]);
  if (added.kind === 'could-not-check') return added;
  if (added.kind === 'ok') return undefined;
  return { kind: 'not-usable', message: `No worktree could be made for ${branch}: ${added.stderr}.` };
}

async function setUp(setup: TreeSetup | undefined, tree: ReadyTree): Promise<TreeProblem | undefined> {
  const mark = join(tree.gitDir, setupMark);
  if (setup === undefined || existsSync(mark)) return undefined;
  const problem = await setup.run(setup.argv, tree);
  if (problem !== undefined) return { kind: 'not-usable', message: `The setup of ${tree.path} failed: ${problem}` };
  writeFileSync(mark, '');
  return undefined;
}

async function findRegistered(project: string, path: string): Promise<boolean | TreeProblem> {
  const listed = await git(project, ['worktree', 'list', '--porcelain']);
  if (listed.kind === 'could-not-check') return listed;
  return listed.kind === 'ok' && worktreePaths(listed.stdout).includes(path);
}

/** Readable, and yet another one for each branch: `a/b` and `a-b` are two. git lists trees by their real paths. */
function treePath(folder: string, branch: string): string {
  const readable = branch.replace(/[^A-Za-z0-9.]+/g, '-').slice(0, 80);
  const unique = createHash('sha256').update(branch).digest('hex').slice(0, 8);
  return join(realpathSync(folder), `${readable}-${unique}`);
}

function kept(path: string, why: string): ClosedTree {
  return { kind: 'kept', message: `${path} is kept: ${why}.` };
}
