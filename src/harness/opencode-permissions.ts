import { NOT_PLAIN, type Role } from './role.js';

/**
 * OpenCode's permissions for one seat. Of the patterns for a shell command the last that matches decides, so what may run
 * comes after the rule that denies everything, and what a reviewer's command must not hold comes after that.
 */
export function opencodePermissions(
  role: Role,
  commands: readonly (readonly string[])[],
): Readonly<Record<string, unknown>> {
  const bash: Record<string, string> = { '*': 'deny' };
  for (const words of commands) {
    bash[words.join(' ')] = 'allow';
    bash[`${words.join(' ')} *`] = 'allow';
  }
  if (role === 'reviewer') for (const text of NOT_PLAIN) bash[`*${text}*`] = 'deny';
  // A question that nobody answers would end the run; these two it would ask by default.
  const unasked = { external_directory: 'deny', doom_loop: 'deny' };
  return { edit: role === 'builder' ? 'allow' : 'deny', bash, webfetch: 'deny', ...unasked };
}
