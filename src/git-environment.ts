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

/** True when git, which failed and said this (in English), could not be asked: that is never the same as a no (decision 24). */
export function couldNotBeAsked(stderr: string): boolean {
  return notAskable.test(stderr);
}
