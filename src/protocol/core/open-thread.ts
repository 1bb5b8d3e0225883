import type { State } from './state.js';
import { trailerValues } from './trailers.js';
import type { Entry, EntryType } from './words.js';

/** The entries of the open thread, oldest first, remarks under other slugs left out. */
export function openThread(entries: readonly Entry[], state: State): readonly Entry[] {
  if (state.thread === '') return [];
  return entries.filter((entry) => entry.seq >= state.openedAt && entry.thread === state.thread);
}

/**
 * The type that usually answers the last word of the other side in the open thread: at the cap a close (rule 5), a
 * verdict to a request or a fix, a fix to a verdict that does not approve, a close to an approval, else info.
 */
export function usualReply(entries: readonly Entry[], turn: string, isAtCap: boolean): EntryType {
  if (isAtCap) return 'close';
  const last = entries.findLast((entry) => entry.sender !== turn);
  if (last?.type === 'review-request' || last?.type === 'fix-report') return 'verdict';
  if (last?.type === 'verdict')
    return trailerValues(last.trailers, 'Decision').includes('approve') ? 'close' : 'fix-report';
  return 'info';
}
