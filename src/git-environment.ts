/** Set while git runs a hook, these would lead it to another repository than the one that is asked. */
const misleading =
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|NAMESPACE|PREFIX)$/;

/** Of a repository that is broken or closed to us. A warning alone stops nothing. */
const notAskable =
  /^(?!warning:).*(?:dubious ownership|not a git repository|permission denied|unable to (?:access|read|open)|cannot change to|is corrupt|bad config)/im;

/** True for a variable that would lead git to another repository than the one around its folder. */
export function leadsGitAstray(name: string): boolean {
  return misleading.test(name);
}

/** The environment for a git that is asked about a folder: without what leads it astray, its messages in English. */
export function gitEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
  const kept = Object.entries(env).filter(([name]) => !leadsGitAstray(name));
  return { ...Object.fromEntries(kept), LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0' };
}

/** The question whether a repository has the commit that is cited, in 7 to 40 hex digits; `isCommitCited` reads the answer. */
export function commitQuestion(cited: string): readonly string[] {
  return ['rev-parse', '--verify', '--quiet', `${cited}^{commit}`];
}

/** True when the commit that git answered with is the one that is cited: a branch that is called like a hash is not taken for it. */
export function isCommitCited(sha: string, cited: string): boolean {
  return sha.startsWith(cited);
}

/** True when git, which failed and said this (in English), could not be asked: that is never the same as a no (decision 24). */
export function couldNotBeAsked(stderr: string): boolean {
  return notAskable.test(stderr);
}
