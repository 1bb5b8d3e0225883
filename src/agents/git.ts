import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { gitEnvironment } from '../git-environment.js';

/** git ran and said no; `reason` is the last line of what it said. */
export class GitRefused extends Error {
  override readonly name = 'GitRefused';

  constructor(
    message: string,
    readonly reason: string,
  ) {
    super(message);
  }
}

/**
 * Runs git on a repository, its answer as bytes. Hooks, monitors, signing, pagers and prompts have no part in it: what a
 * model wrote into a repository must not run because something was committed.
 *
 * @throws GitRefused when git says no; an Error when it cannot be run.
 */
export async function git(repository: string, args: readonly string[], stdin?: string): Promise<Buffer> {
  const quiet = ['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'commit.gpgsign=false', 'core.quotePath=false'];
  const settings = quiet.flatMap((setting) => ['-c', setting]);
  const child = spawn('git', ['-C', repository, '--no-replace-objects', ...settings, ...args], {
    env: { ...gitEnvironment(process.env), GIT_OPTIONAL_LOCKS: '0' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const chunks: Buffer[] = [];
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString('utf8')).slice(-1000);
  });
  child.stdin.on('error', () => {});
  child.stdin.end(stdin ?? '');
  const [code] = (await once(child, 'close').catch((error: Error) => {
    throw new Error(`git could not be run (${error.message}); install it or fix the PATH.`);
  })) as [number | null];
  if (code === 0) return Buffer.concat(chunks);
  const reason = said.trim().split('\n').at(-1) ?? '';
  throw new GitRefused(`git ${args[0]} failed in ${repository}: ${reason || `exit ${code}`}`, reason);
}

/** The same, the answer as text without its final line break. */
export async function gitText(repository: string, args: readonly string[], stdin?: string): Promise<string> {
  return (await git(repository, args, stdin)).toString('utf8').replace(/\n$/, '');
}

/** The same, undefined where git says no. */
export async function gitMaybe(repository: string, args: readonly string[]): Promise<string | undefined> {
  try {
    return await gitText(repository, args);
  } catch (error) {
    if (error instanceof GitRefused) return undefined;
    throw error;
  }
}
