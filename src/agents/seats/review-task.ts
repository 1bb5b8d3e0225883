import { type Citation, citationsIn } from '../../protocol/core/citation.js';
import type { Entry } from '../../protocol/core/words.js';
import type { Turn } from './turn.js';

/** What a reviewer has to do with its turn. */
export type ReviewTask =
  | { readonly kind: 'review'; readonly request: Entry; readonly cited: Citation }
  | { readonly kind: 'nothing-cited'; readonly request: Entry }
  | { readonly kind: 'cannot'; readonly entry: Entry };

const isRequest = (entry: Entry) => entry.type === 'review-request' || entry.type === 'fix-report';

/**
 * A reviewer serves a review-request and a fix-report (issue 4, section 4): the newest one that it has not answered, or,
 * where only the supervisor has spoken since its last word, the newest one again. The commit is the one that the request
 * cites last, else the newest that the thread cited before it.
 */
export function reviewTask(turn: Turn): ReviewTask {
  const { party, supervisor, entries, since } = turn;
  const newest = since.findLast((entry) => entry.sender !== supervisor) ?? since.findLast(isRequest);
  const request = newest ?? entries.findLast((entry) => entry.sender !== party && isRequest(entry));
  if (request === undefined || !isRequest(request)) return { kind: 'cannot', entry: newestOf(turn, request) };
  const upToIt = entries.filter((entry) => entry.seq <= request.seq);
  const cited = citationsIn(request.refs).at(-1) ?? upToIt.flatMap((entry) => citationsIn(entry.refs)).at(-1);
  return cited === undefined ? { kind: 'nothing-cited', request } : { kind: 'review', request, cited };
}

/** The entry that a seat was woken by: there always is one, since an open thread has entries of others. */
function newestOf(turn: Turn, entry: Entry | undefined): Entry {
  const newest = entry ?? turn.since.at(-1) ?? turn.entries.at(-1);
  if (newest === undefined) throw new Error(`thread ${turn.state.thread} is open and has no entry`);
  return newest;
}
