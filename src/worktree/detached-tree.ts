import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type CouldNotCheck, git } from './git.js';
import { describeTree, type ReadyTree, resolveCommit, type TreeProblem } from './tree.js';

/** A worktree for one run that looks and tries, and whose commits nobody keeps (`"worktree": "detached"`). */
export interface DetachedRequest {
  readonly project: string;
  /** The folder for such trees, under the watcher's state folder; nothing else may lie in it. */
  readonly folder: string;
  /** Names the run; becomes the tree's folder. */
  readonly name: string;
  /** The commit that the thread's newest citation names; without one, the project's HEAD. */
  readonly cited: string | undefined;
  /** How many trees of failed runs are kept for a look; older ones are removed. */
  readonly keep: number;
}

/** Makes the tree afresh, whatever an earlier attempt of that name left behind. */
export async function makeDetachedTree(request: DetachedRequest): Promise<ReadyTree | TreeProblem> {
  const { project, folder, name, keep } = request;
  const commit = await resolveCommit(project, request.cited);
  if (commit.kind !== 'commit') return commit;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, name);
  const kept = newestFirst(folder).filter((one) => one !== path);
  for (const old of [...kept.slice(keep), path]) await removeTree(project, old);
  const added = await git(project, ['worktree', 'add', '--quiet', '--detach', path, commit.sha]);
  if (added.kind === 'could-not-check') return added;
  if (added.kind === 'refused') return { kind: 'not-usable', message: `${path} could not be made: ${added.stderr}.` };
  return describeTree(path);
}

/**
 * Removes the tree after its run, with all that was changed in it; the tree of a run that failed is to be left, and goes
 * when enough newer ones are kept. What keeps it from going is returned, never thrown.
 */
export async function removeDetachedTree(project: string, path: string): Promise<'removed' | CouldNotCheck> {
  await removeTree(project, path);
  if (!existsSync(path)) return 'removed';
  return { kind: 'could-not-check', message: `${path} could not be removed: look who owns the files in it.` };
}

/** Removes folder and registration; also when only one of the two is left. Other trees of the project are not touched. */
async function removeTree(project: string, path: string): Promise<void> {
  const removed = await git(project, ['worktree', 'remove', '--force', '--force', path]);
  if (removed.kind === 'ok' || !existsSync(path)) return;
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 2 });
  } catch {
    // Files of another owner stay; whoever asked finds the folder still there.
  }
  await git(project, ['worktree', 'remove', '--force', '--force', path]);
}

function newestFirst(folder: string): readonly string[] {
  const trees = readdirSync(folder).map((name) => join(folder, name));
  const times = new Map(trees.map((path) => [path, statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0]));
  return trees.sort((a, b) => (times.get(b) ?? 0) - (times.get(a) ?? 0));
}
