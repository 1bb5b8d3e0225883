import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { Refusal } from './core/refusal.js';

/** What a question to git came to. */
export interface GitAnswer {
  readonly code: number;
  readonly out: string;
}

/**
 * Asks git in a folder, without a shell and without what the caller's environment says about repositories. Refuses
 * `could-not-check` when git cannot run or will not answer for this folder (decisions.md 24).
 */
export function askGit(folder: string, args: readonly string[]): GitAnswer {
  const env: NodeJS.ProcessEnv = { ...process.env, LC_ALL: 'C' };
  for (const name of ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_PREFIX']) delete env[name];
  const run = spawnSync('git', ['-C', folder, ...args], { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'pipe'] });
  if (run.error || run.status === null) throw couldNotAsk(folder, run.error?.message ?? 'git did not finish');
  if (/dubious ownership|cannot change to/i.test(run.stderr))
    throw couldNotAsk(folder, run.stderr.split('\n')[0] ?? '');
  return { code: run.status, out: run.stdout.trim() };
}

/** The top folder of the repository around `folder`, also of a folder that is yet to be made, or undefined outside one. */
export function repositoryAround(folder: string): string | undefined {
  if (!existsSync(folder) && dirname(folder) !== folder) return repositoryAround(dirname(folder));
  const answer = askGit(folder, ['rev-parse', '--show-toplevel']);
  return answer.code === 0 && answer.out !== '' ? answer.out : undefined;
}

/** True when `commit` names a commit in the repository. */
export function hasCommit(repository: string, commit: string): boolean {
  return askGit(repository, ['cat-file', '-e', `${commit}^{commit}`]).code === 0;
}

function couldNotAsk(folder: string, why: string): Refusal {
  return new Refusal({
    code: 'could-not-check',
    message: `git could not be asked about ${folder}: ${why}`,
    hint: 'Make git work there (see `git -C DIR status`), or name the repository with --verify-refs REPO.',
  });
}
