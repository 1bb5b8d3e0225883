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
/** Set while git runs a hook, these would lead it to another repository than the one that is asked. */
const misleading =
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|NAMESPACE|PREFIX)$/;
const notAskable =
  /dubious ownership|not a git repository|permission denied|unable to (?:access|read|open)|cannot change to|is corrupt|bad config/i;

/** True for a variable that would lead git to another repository than the one around its folder. */
export function leadsGitAstray(name: string): boolean {
  return misleading.test(name);
}

/**
 * Asks the git repository in `folder`. No hook of the project runs, nothing is asked on a terminal, and messages are in
 * English. Never throws.
 */
export async function git(folder: string, args: readonly string[]): Promise<GitAnswer> {
  const { execa } = await import('../process/execa.js');
  const inherited = Object.entries(process.env).filter(([name]) => !leadsGitAstray(name));
  const env = { ...Object.fromEntries(inherited), LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0' };
  const fixed = ['-C', folder, '-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false'];
  const result = await execa('git', [...fixed, ...args], {
    env,
    extendEnv: false,
    stdin: 'ignore',
    reject: false,
    timeout: timeoutMs,
  });
  if (!result.failed) return { kind: 'ok', stdout: result.stdout };
  if (result.exitCode === undefined) return couldNotCheck(folder, result.originalMessage ?? result.shortMessage ?? '');
  const stderr = result.stderr.trim();
  return notAskable.test(stderr) ? couldNotCheck(folder, stderr) : { kind: 'refused', stderr };
}

function couldNotCheck(folder: string, said: string): CouldNotCheck {
  const [first = ''] = said.split('\n');
  const cure = /dubious ownership/.test(said)
    ? `; if it is yours to trust: git config --global --add safe.directory ${folder}`
    : '';
  return { kind: 'could-not-check', message: `git could not be asked about ${folder}: ${first}${cure}.` };
}
