/** One line group of `git worktree list --porcelain`. */
export interface ListedTree {
  readonly path: string;
  /** The branch's short name; undefined when none is checked out. */
  readonly branch: string | undefined;
}

/** Reads what `git worktree list --porcelain` prints. */
export function parseWorktreeList(text: string): readonly ListedTree[] {
  return text.split(/\n\n+/).flatMap((group) => {
    const path = /^worktree (.+)$/m.exec(group)?.[1];
    const branch = /^branch refs\/heads\/(.+)$/m.exec(group)?.[1];
    return path === undefined ? [] : [{ path, branch }];
  });
}
