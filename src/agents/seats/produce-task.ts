import { type Citation, citationsIn } from '../../protocol/core/citation.js';
import type { Entry } from '../../protocol/core/words.js';
import { isApproval, type Turn } from './turn.js';

/** What a builder has to do with its turn. */
export type ProduceTask =
  /** The supervisor's words that say what is to be done. */
  | { readonly kind: 'task'; readonly entries: readonly Entry[] }
  /** A verdict that does not approve, and what the supervisor said since. */
  | { readonly kind: 'feedback'; readonly verdict: Entry; readonly entries: readonly Entry[] }
  | { readonly kind: 'approved'; readonly verdict: Entry }
  /** Drafts are used up, or the thread is at its cap: it ends without an approval (rules P12, P16). */
  | { readonly kind: 'unapproved'; readonly last: Entry; readonly why: string }
  | { readonly kind: 'cannot'; readonly entry: Entry };

const isDraft = (entry: Entry) => entry.type === 'review-request' || entry.type === 'fix-report';

/**
 * A builder serves the supervisor's task and every verdict (issue 4, section 4). The newest verdict decides, unless the
 * supervisor has asked for something since: a `question` of the supervisor is always a task. A verdict without a decision
 * is feedback, never an approval.
 */
export function produceTask(turn: Turn, maxIterations: number): ProduceTask {
  const { since, supervisor, entries } = turn;
  const verdict = since.findLast((entry) => entry.type === 'verdict');
  const asked = since.findLast((entry) => entry.sender === supervisor && entry.type !== 'verdict');
  const other = since.findLast((entry) => entry.sender !== supervisor && entry.type !== 'verdict');
  const newest = entries.at(-1);
  if (newest === undefined) throw new Error(`thread ${turn.state.thread} is open and has no entry`);
  const isNewTask = asked?.type === 'question' && asked.seq > (verdict?.seq ?? 0);
  if (verdict !== undefined && !isNewTask && verdict.seq > (other?.seq ?? 0)) {
    if (isApproval(verdict)) return { kind: 'approved', verdict };
    return (
      unapproved(turn, verdict, maxIterations) ?? { kind: 'feedback', verdict, entries: supervisorsIn(turn, since) }
    );
  }
  if (asked !== undefined && asked.seq > (other?.seq ?? 0))
    return unapproved(turn, asked, undefined) ?? { kind: 'task', entries: supervisorsIn(turn, since) };
  return { kind: 'cannot', entry: other ?? newest };
}

function supervisorsIn(turn: Turn, entries: readonly Entry[]): readonly Entry[] {
  return entries.filter((entry) => entry.sender === turn.supervisor && entry.type !== 'verdict');
}

function unapproved(turn: Turn, last: Entry, maxIterations: number | undefined): ProduceTask | undefined {
  if (turn.atCap)
    return { kind: 'unapproved', last, why: `the thread has reached its cap of ${turn.state.spoken} entries` };
  if (maxIterations === undefined) return undefined;
  const drafts = draftsOf(turn);
  if (drafts.length < maxIterations) return undefined;
  return { kind: 'unapproved', last, why: `${drafts.length} of ${maxIterations} drafts were made` };
}

/** The builder's drafts for the newest task: a supervisor's question grants fresh ones. */
function draftsOf({ entries, party, supervisor }: Turn): readonly Entry[] {
  const task = entries.findLast((entry) => entry.sender === supervisor && entry.type === 'question');
  return entries.filter((entry) => entry.sender === party && isDraft(entry) && entry.seq > (task?.seq ?? 0));
}

/** Whether the builder has asked for a review in this thread: what follows are fix-reports. */
export function hasDrafted({ entries, party }: Turn): boolean {
  return entries.some((entry) => entry.sender === party && isDraft(entry));
}

/** The newest commit that the builder itself cited in this thread. */
export function ownCitation({ entries, party }: Turn): Citation | undefined {
  return entries.flatMap((entry) => (entry.sender === party ? citationsIn(entry.refs) : [])).at(-1);
}
