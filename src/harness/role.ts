/** What a party with a seat is for. A reviewer looks, runs pinned checks and posts; a builder also edits and commits. */
export type Role = 'builder' | 'reviewer';

/** Commands of git that a builder needs and that reach nobody else. `push`, `checkout` and `branch` are not among them. */
export const BUILDER_GIT = ['add', 'commit', 'status', 'diff', 'log', 'show'] as const;

/** Commands of git that a reviewer may run where the harness can tell a command that looks from one that writes. */
export const REVIEWER_GIT = ['diff', 'log', 'show'] as const;

/**
 * What no command of a reviewer may hold, so that an allowed beginning is all that it does: nothing that a shell makes another
 * command, a file or another word of (quotes hide `--output` from a pattern), and not git's own way to write a file.
 */
export const NOT_PLAIN: readonly string[] = ['--output', ...'><|&;$`\\"\'{'];
