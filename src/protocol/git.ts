import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { commitQuestion, couldNotBeAsked, gitEnvironment, isCommitCited } from '../git-environment.js';
import { Refusal } from './core/refusal.js';

/** What a question to git came to. */
export interface GitAnswer {
  readonly code: number;
  readonly out: string;
}

/**
 * Asks git in a folder, without a shell and without what the caller's environment says about repositories. Refuses
 * `could-not-check` when git cannot run, or will not or cannot answer for this folder (decisions.md 24).
 */
export function askGit(folder: string, args: readonly string[]): GitAnswer {
  const env = gitEnvironment(process.env);
  const run = spawnSync('git', ['-C', folder, ...args], { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'pipe'] });
  if (run.error || run.status === null) throw couldNotAsk(folder, run.error?.message ?? 'git did not finish');
  if (run.status !== 0 && couldNotBeAsked(run.stderr)) throw couldNotAsk(folder, run.stderr.split('\n')[0] ?? '');
  return { code: run.status, out: run.stdout.trim() };
}

/**
 * The top folder of the repository around `folder`, also of a folder that is yet to be made, or undefined where no folder
 * upwards holds a `.git`. A repository without files of its own is named by the folder that holds its `.git`. Refuses
 * `could-not-check` when there is one that git cannot answer for.
 */
export function repositoryAround(folder: string): string | undefined {
  if (!existsSync(folder) && dirname(folder) !== folder) return repositoryAround(dirname(folder));
  const holder = holderOfGit(folder);
  // Only this is no repository: one that is broken is no reason to leave a citation unchecked.
  if (holder === undefined) return undefined;
  const { code, out } = askGit(folder, ['rev-parse', '--is-inside-work-tree', '--show-toplevel']);
  const [isInFiles, top] = out.split('\n');
  if (isInFiles === 'false') return holder;
  if (code === 0 && top !== undefined && top !== '') return top;
  throw couldNotAsk(folder, 'it does not say where its repository is.');
}

function holderOfGit(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder;
  return dirname(folder) === folder ? undefined : holderOfGit(dirname(folder));
}

/** True when `commit`, in hex digits, is a commit of the repository. A branch that is called like a hash is none. */
export function hasCommit(repository: string, commit: string): boolean {
  const found = askGit(repository, commitQuestion(commit));
  return found.code === 0 && isCommitCited(found.out, commit);
}

function couldNotAsk(folder: string, why: string): Refusal {
  return new Refusal({
    code: 'could-not-check',
    message: `git could not be asked about ${folder}: ${why}`,
    hint: 'Make git work there (see `git -C DIR status`), or name the repository with --verify-refs REPO.',
  });
}
