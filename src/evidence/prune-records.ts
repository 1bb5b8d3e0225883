import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { removeDetachedTree } from '../worktree/detached-tree.js';
import { newestRun, takeOverRuns } from './take-over-runs.js';

/** Commits of which the records of one check are kept. */
const keptCommits = 50;

/**
 * Cleans a channel's folder of records, by a runner that has done its work: ends what killed runners left of other
 * runs, their worktrees too, and removes the records of all but the newest commits of each check. What may still run
 * stays.
 */
export async function pruneRecords(folder: string, project: string): Promise<void> {
  for (const name of foldersIn(folder)) {
    for (const [index, key] of newestFirst(join(folder, name)).entries()) {
      const { state, run } = await newestRun(key);
      if (state === 'left' && run !== undefined) {
        await takeOverRuns(key, run.number + 1);
        for (const tree of foldersIn(join(key, 'trees'))) await removeDetachedTree(project, join(key, 'trees', tree));
      }
      if (state === 'ended' && index >= keptCommits) rmSync(key, { recursive: true, force: true });
    }
  }
}

function newestFirst(folder: string): readonly string[] {
  const keys = foldersIn(folder).map((name) => join(folder, name));
  const times = new Map(keys.map((path) => [path, statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0]));
  return keys.sort((a, b) => (times.get(b) ?? 0) - (times.get(a) ?? 0));
}

function foldersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((each) => (each.isDirectory() ? [each.name] : []));
  } catch {
    // Another runner may have removed it a moment ago.
    return [];
  }
}
