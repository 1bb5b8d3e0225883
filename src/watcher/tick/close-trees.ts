import type { State } from '../../protocol/core/state.js';
import type { Memory, RememberedTree } from '../memory.js';
import type { MemoryFile } from '../memory-file.js';

/**
 * Removes the worktrees of threads that have closed (issue of worktrees: kept until the thread closes and while dirty; the
 * branch stays in any case). One that is still in use is tried again when the record has moved on. Returns a sentence for each
 * that is kept.
 */
export async function closeTrees(memory: MemoryFile, state: State): Promise<readonly string[]> {
  const due = memory.read().trees.filter((tree) => tree.thread !== state.thread && tree.kept_at !== state.seq);
  if (due.length === 0) return [];
  const { closeBranchTree } = await import('../../worktree/branch-tree.js');
  const notices: string[] = [];
  for (const tree of due) {
    const closed = await closeBranchTree(tree);
    const isGone = closed.kind === 'removed' || closed.kind === 'absent';
    if ('message' in closed) notices.push(closed.message);
    memory.update((now) => (isGone ? withoutTree(now, tree) : withTree(now, { ...tree, kept_at: state.seq })));
  }
  return notices;
}

/** A memory that knows of a tree. */
export function withTree(memory: Memory, tree: RememberedTree): Memory {
  return { ...memory, trees: [...memory.trees.filter((each) => !isSame(each, tree)), tree] };
}

function withoutTree(memory: Memory, tree: RememberedTree): Memory {
  return { ...memory, trees: memory.trees.filter((each) => !isSame(each, tree)) };
}

function isSame(a: RememberedTree, b: RememberedTree): boolean {
  return a.project === b.project && a.branch === b.branch && a.folder === b.folder;
}
