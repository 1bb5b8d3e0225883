import type { Rules } from './admit.js';
import { newestCitation } from './citation.js';
import { isAtCap, openThread } from './open-thread.js';
import type { State } from './state.js';
import { trailerValues } from './trailers.js';
import type { Entry, EntryType } from './words.js';

/** How an open thread is usually answered: what a draft must say to be admitted, apart from its body. */
export interface UsualReply {
  readonly type: EntryType;
  /** True where it is to approve or to request changes. */
  readonly decides: boolean;
  /** What it cites: the newest citation of the thread, `NAME@COMMIT` where there is none; empty where nothing has to be cited. */
  readonly refs: string;
  /** The checks whose records it carries (rule 8). */
  readonly checks: readonly string[];
}

/** How `party` usually answers the open thread, whose entries are among `entries`. */
export function usualReply(
  { state, entries }: { readonly state: State; readonly entries: readonly Entry[] },
  party: string,
  rules: Pick<Rules, 'threadCap' | 'requireEvidence'>,
): UsualReply {
  const type = usualType(openThread(entries, state), party, isAtCap(state, rules.threadCap));
  const checks = rules.requireEvidence[type] ?? [];
  const cited = newestCitation(entries, state);
  const refs = cited === undefined ? 'NAME@COMMIT' : `${cited.name}@${cited.commit}`;
  return { type, decides: type === 'verdict', refs: checks.length === 0 ? '' : refs, checks };
}

/**
 * What usually answers the last word of the other side: at the cap a close, a verdict to a request or a fix, a fix to a verdict
 * that does not approve, a close to an approval, else info.
 */
function usualType(thread: readonly Entry[], party: string, atCap: boolean): EntryType {
  if (atCap) return 'close';
  const last = thread.findLast((entry) => entry.sender !== party);
  if (last?.type === 'review-request' || last?.type === 'fix-report') return 'verdict';
  if (last?.type === 'verdict')
    return trailerValues(last.trailers, 'Decision').includes('approve') ? 'close' : 'fix-report';
  return 'info';
}
