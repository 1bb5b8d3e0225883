import type { Rules } from './admit.js';
import { newestCitation } from './citation.js';
import { isAtCap, openThread } from './open-thread.js';
import type { State } from './state.js';
import { trailerValues } from './trailers.js';
import { DECISIONS, type Decision, type Entry, type EntryType } from './words.js';

/** How an open thread is usually answered: what a draft must say to be admitted, apart from its body. */
export interface UsualReply {
  readonly type: EntryType;
  /** What it may decide, one of them; empty where it decides nothing. */
  readonly decisions: readonly Decision[];
  /** What it cites: the newest citation of the thread, `NAME@COMMIT` where there is none; empty where nothing has to be cited. */
  readonly refs: string;
  /** The checks whose records it carries (rule 8). */
  readonly checks: readonly string[];
}

/**
 * How `party` usually answers the open thread, whose entries are among `entries`: the last word of the other party, since a remark
 * of the supervisor settles nothing; the supervisor's where the other party has said nothing; at the cap with a close.
 */
export function usualReply(
  { state, entries }: { readonly state: State; readonly entries: readonly Entry[] },
  party: string,
  rules: Pick<Rules, 'supervisor' | 'threadCap' | 'requireEvidence'>,
): UsualReply {
  const others = openThread(entries, state).filter(({ sender }) => sender !== party);
  const last = others.findLast(({ sender }) => sender !== rules.supervisor) ?? others.at(-1);
  const type = isAtCap(state, rules.threadCap) ? 'close' : usualAnswer(last);
  const checks = rules.requireEvidence[type] ?? [];
  const cited = newestCitation(entries, state);
  const refs = cited === undefined ? 'NAME@COMMIT' : `${cited.name}@${cited.commit}`;
  return { type, decisions: type === 'verdict' ? DECISIONS : [], refs: checks.length === 0 ? '' : refs, checks };
}

/** What usually answers an entry: a verdict a request or a fix, a fix a verdict that does not approve, a close an approval, else info. */
function usualAnswer(last: Entry | undefined): EntryType {
  if (last?.type === 'review-request' || last?.type === 'fix-report') return 'verdict';
  if (last?.type === 'verdict')
    return trailerValues(last.trailers, 'Decision').includes('approve') ? 'close' : 'fix-report';
  return 'info';
}
