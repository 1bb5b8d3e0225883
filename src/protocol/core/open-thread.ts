import type { State } from './state.js';
import type { Entry } from './words.js';

/** The entries of the open thread, oldest first, remarks under other slugs left out. */
export function openThread(entries: readonly Entry[], state: State): readonly Entry[] {
  if (state.thread === '') return [];
  return entries.filter((entry) => entry.seq >= state.openedAt && entry.thread === state.thread);
}

/** True where the open thread has reached its cap, so that nothing but a close is admitted (rule 5). `threadCap` is the channel's. */
export function isAtCap({ spoken, cap }: Pick<State, 'spoken' | 'cap'>, threadCap: number): boolean {
  return spoken >= (cap ?? threadCap);
}
