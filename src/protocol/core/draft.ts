import { type Facts, factTrailers, plainFacts, readFacts } from './facts.js';
import { isReservedKey, parseTrailers, renderTrailers } from './trailers.js';
import type { Decision, Entry, Trailer } from './words.js';

/** An entry before it is admitted, as its author gave it. The body is normalised already (`normaliseBody`). */
export interface Draft {
  readonly sender: string;
  readonly type: string;
  /** Undefined: the open thread. */
  readonly thread: string | undefined;
  /** Empty for none. */
  readonly refs: string;
  readonly body: string;
  readonly decision: Decision | undefined;
  readonly ask: boolean;
  /** The supervisor's: speak under another slug, or past a secret, a citation or a size. */
  readonly force: boolean;
  /** The supervisor's: who answers. */
  readonly turn: string | undefined;
  /** The supervisor's: the thread's own cap, in entries. */
  readonly cap: number | undefined;
  /** The supervisor's: accept the open defects. */
  readonly accept: boolean;
  /** Records of pinned checks that the tool made, as trailer values (`Debate-Check`). */
  readonly checks: readonly string[];
}

/** What most authors leave out. */
export const PLAIN_DRAFT: Omit<Draft, 'sender' | 'type' | 'body'> = {
  thread: undefined,
  refs: '',
  decision: undefined,
  ask: false,
  force: false,
  turn: undefined,
  cap: undefined,
  accept: false,
  checks: [],
};

/** The body with the author's decision as a trailer: in the last paragraph if that is one of trailers, else in its own. */
export function withDecision(body: string, decision: Decision | undefined): string {
  if (decision === undefined) return body;
  const trailers = parseTrailers(body);
  if (trailers.some((trailer) => trailer.key === 'Decision')) return body;
  return `${body}${trailers.length > 0 ? '\n' : '\n\n'}Decision: ${decision}`;
}

/** What the draft says for the rules, once its thread is known. Force counts only under another slug than the open one. */
export function factsOfDraft(draft: Draft, thread: string, openThread: string, accepts: readonly string[]): Facts {
  return {
    ...plainFacts(draft.sender, draft.type, thread, draft.body === ''),
    forced: draft.force && openThread !== '' && thread !== openThread,
    turn: draft.turn,
    cap: draft.cap,
    ask: draft.ask,
    accepts,
  };
}

/** The body as it is recorded: the author's, then the tool's trailers as a paragraph of their own (DESIGN.md 4.1). */
export function recordedBody(draft: Draft, facts: Facts): string {
  const own = withDecision(draft.body, draft.decision);
  const tool: Trailer[] = [...factTrailers(facts), ...draft.checks.map((value) => ({ key: 'Debate-Check', value }))];
  return tool.length > 0 ? `${own}\n\n${renderTrailers(tool)}` : own;
}

/** What the author of an entry wrote: the recorded body without the tool's paragraph. */
export function authoredBody(entry: Pick<Entry, 'body' | 'marked'>): string {
  if (!entry.marked) return entry.body;
  const cut = entry.body.lastIndexOf('\n\n');
  if (cut < 0) return entry.body;
  const last = parseTrailers(`x\n\n${entry.body.slice(cut + 2)}`);
  return last.length > 0 && last.every((trailer) => isReservedKey(trailer.key)) ? entry.body.slice(0, cut) : entry.body;
}

/**
 * True when an entry is what this draft would have become: sender, type, refs, body, and the thread if it was given
 * (decisions.md 11); and what it does beside, since a second word of the supervisor in the same words may give the turn to another.
 */
export function isSameDraft(draft: Draft, entry: Entry): boolean {
  const does = readFacts({ ...entry, empty: false }, entry.trailers);
  return (
    does.turn === draft.turn &&
    does.cap === draft.cap &&
    does.ask === draft.ask &&
    does.accepts.length > 0 === draft.accept &&
    entry.sender === draft.sender &&
    entry.type === draft.type &&
    entry.refs === draft.refs &&
    (draft.thread === undefined || draft.thread === entry.thread) &&
    authoredBody(entry) === withDecision(draft.body, draft.decision)
  );
}
