import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A git project with two commits on `main`, checked out live, and a folder for the watcher's state beside it. */
export interface Project {
  readonly folder: string;
  readonly project: string;
  readonly state: string;
  readonly first: string;
  readonly second: string;
  /** Runs git in the project, or in another folder, and returns what it printed. */
  git(args: readonly string[], cwd?: string): string;
  commit(file: string, text: string, cwd?: string): string;
  remove(): void;
}

/** Makes it. */
export function makeProject(): Project {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'debate-worktree-')));
  const project = join(folder, 'project with blank');
  mkdirSync(project);
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', '-c', 'commit.gpgsign=false'];
  const git = (args: readonly string[], cwd = project): string =>
    execFileSync('git', [...identity, ...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  const commit = (file: string, text: string, cwd = project): string => {
    writeFileSync(join(cwd, file), text);
    git(['add', '--', file], cwd);
    git(['commit', '--quiet', '-m', file], cwd);
    return git(['rev-parse', 'HEAD'], cwd);
  };
  git(['init', '--quiet', '--initial-branch=main']);
  const first = commit('a.txt', 'one\n');
  const second = commit('a.txt', 'two\n');
  const state = join(folder, 'state', 'worktrees');
  return {
    folder,
    project,
    state,
    first,
    second,
    git,
    commit,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
