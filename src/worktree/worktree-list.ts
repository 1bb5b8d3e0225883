/** The paths of the trees that `git worktree list --porcelain` prints. */
export function worktreePaths(text: string): readonly string[] {
  return text.split(/\n\n+/).flatMap((group) => /^worktree (.+)$/m.exec(group)?.[1] ?? []);
}
