import { Refusal } from '../protocol/core/refusal.js';
import { askGit } from '../protocol/git.js';

/**
 * What to say of a root that is tracked in a checkout whose branches change (DESIGN.md 4.3): switching branches takes the
 * record with it. Undefined outside a repository, in an ignored folder, and in a worktree of its own.
 */
export function trackedRootNotice(root: string): string | undefined {
  try {
    const top = askGit(root, ['rev-parse', '--show-toplevel']);
    if (top.code !== 0 || top.out === '') return undefined;
    if (askGit(root, ['check-ignore', '-q', '.']).code === 0) return undefined;
    if (askGit(root, ['rev-parse', '--show-prefix']).out === '') return undefined;
    return 'notice: this folder is part of a checkout, so switching its branch takes the record back; let git ignore it, or give the channel a worktree of its own';
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
