import { couldNotBeAsked, gitEnvironment } from '../git-environment.js';

/** What git answered. Text is as git printed it, without the final line break. */
export type GitAnswer =
  | { readonly kind: 'ok'; readonly stdout: string }
  /** git ran and said no. */
  | { readonly kind: 'refused'; readonly stderr: string }
  | CouldNotCheck;

/** git could not be asked, which is never the same as a no (decision 24). `message` is one sentence. */
export interface CouldNotCheck {
  readonly kind: 'could-not-check';
  readonly message: string;
}

/** Checking out a large project takes minutes; longer than this is a git that hangs. */
const timeoutMs = 600_000;

/**
 * Asks the git repository in `folder`. No hook of the project runs, nothing is asked on a terminal, and messages are in
 * English. Never throws.
 */
export async function git(folder: string, args: readonly string[]): Promise<GitAnswer> {
  const { execa } = await import('../process/execa.js');
  const fixed = ['-C', folder, '-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false'];
  const result = await execa('git', [...fixed, ...args], {
    env: gitEnvironment(process.env),
    extendEnv: false,
    stdin: 'ignore',
    reject: false,
    timeout: timeoutMs,
  });
  if (!result.failed) return { kind: 'ok', stdout: result.stdout };
  if (result.exitCode === undefined) return couldNotCheck(folder, result.originalMessage ?? result.shortMessage ?? '');
  const stderr = result.stderr.trim();
  return couldNotBeAsked(stderr) ? couldNotCheck(folder, stderr) : { kind: 'refused', stderr };
}

function couldNotCheck(folder: string, said: string): CouldNotCheck {
  const [first = ''] = said.split('\n');
  const cure = /dubious ownership/.test(said)
    ? `; if it is yours to trust: git config --global --add safe.directory ${folder}`
    : '';
  return { kind: 'could-not-check', message: `git could not be asked about ${folder}: ${first}${cure}.` };
}
