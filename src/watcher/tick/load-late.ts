/**
 * Loads what a tick loads only when it needs it, since most ticks find nothing to do and must start fast. For a process that lives
 * long: a first wake must not wait for it, and an update of the package may have replaced the files by then.
 */
export async function loadLate(): Promise<void> {
  await Promise.all([
    import('../../process/execa.js'),
    import('../../worktree/branch-tree.js'),
    import('../mirror/send.js'),
    import('../run/take-over.js'),
    import('./checks-before.js'),
    import('./try-invoke.js'),
  ]);
}
