import { Refusal } from '../protocol/core/refusal.js';
import { askGit } from '../protocol/git.js';

/** A danger to the record, and what to do about it; both without a full stop. */
interface RootNotice {
  readonly text: string;
  readonly remedy: string;
}

/**
 * What to say of a root that is tracked in a checkout whose branches change (DESIGN.md 4.3): switching branches takes the
 * record with it. Undefined outside a repository, in an ignored folder, and at the top of a linked worktree, which is one of its own.
 */
export function trackedRootNotice(root: string): RootNotice | undefined {
  try {
    const top = askGit(root, ['rev-parse', '--show-toplevel']);
    if (top.code !== 0 || top.out === '') return undefined;
    if (askGit(root, ['check-ignore', '-q', '.']).code === 0) return undefined;
    if (isLinkedTop(root)) return undefined;
    return {
      text: 'this folder is part of a checkout, so switching its branch takes the record back',
      remedy: 'let git ignore it, or give the channel a worktree of its own',
    };
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

function isLinkedTop(root: string): boolean {
  if (askGit(root, ['rev-parse', '--show-prefix']).out !== '') return false;
  // At the top git names both in the same way, so that they can be compared as they are.
  const [own, common] = askGit(root, ['rev-parse', '--git-dir', '--git-common-dir']).out.split('\n');
  return own !== common;
}
