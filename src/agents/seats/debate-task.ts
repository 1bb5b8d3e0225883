import type { Entry } from '../../protocol/core/words.js';
import type { Turn } from './turn.js';

/** What a debating seat has to do with its turn. */
export type DebateTask =
  | { readonly kind: 'answer'; readonly asked: Entry }
  | { readonly kind: 'decide'; readonly asked: Entry }
  | { readonly kind: 'cannot'; readonly entry: Entry };

/**
 * A debating seat answers a question, and decides on a review-request (issue 4, section 4): the newest one that it has
 * not answered, or, where only the supervisor has spoken since its last word, the newest one again.
 */
export function debateTask(turn: Turn): DebateTask {
  const { party, supervisor, entries, since } = turn;
  const isServed = (entry: Entry) => entry.type === 'question' || entry.type === 'review-request';
  const newest = since.findLast((entry) => entry.sender !== supervisor) ?? since.findLast(isServed);
  const asked = newest ?? entries.findLast((entry) => entry.sender !== party && isServed(entry));
  const supervisors = since.findLast((entry) => entry.sender === supervisor && entry.type === 'question');
  const served = supervisors !== undefined && supervisors.seq > (asked?.seq ?? 0) ? supervisors : asked;
  if (served?.type === 'question') return { kind: 'answer', asked: served };
  if (served?.type === 'review-request') return { kind: 'decide', asked: served };
  const entry = served ?? since.at(-1) ?? entries.at(-1);
  if (entry === undefined) throw new Error(`thread ${turn.state.thread} is open and has no entry`);
  return { kind: 'cannot', entry };
}
