import { leadsGitAstray } from '../git-environment.js';

/**
 * The environment of a check: that of whoever asked first, without what the tool tells its own children (format.md 4:
 * pinned checks run without `DEBATE_*`, so a check that uses the tool acts on no channel of ours), and without what
 * git sets while it runs a hook, which would lead the check to another repository than its worktree.
 */
export function checkEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const kept = Object.entries(environment).flatMap(([name, value]) =>
    value === undefined || name.startsWith('DEBATE_') || leadsGitAstray(name) ? [] : [[name, value] as const],
  );
  return Object.fromEntries(kept);
}
