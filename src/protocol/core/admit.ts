import { judgeBody } from './body.js';
import type { Citation } from './citation.js';
import { acceptance, type Defect } from './defect.js';
import { type Draft, factsOfDraft, recordedBody } from './draft.js';
import { judgeEvidence } from './evidence.js';
import type { Facts } from './facts.js';
import { isKnown, unknownName, unknownSender } from './fold.js';
import { isKey } from './grammar.js';
import { isAtCap } from './open-thread.js';
import { type Objection, objection } from './refusal.js';
import { atCap, judge } from './rules.js';
import { isOneLine } from './separators.js';
import type { Parties, State } from './state.js';
import { parseTrailers, trailerValues } from './trailers.js';
import { DECISIONS, withArticle } from './words.js';

/** What admission needs to know of a channel's config. */
export interface Rules extends Parties {
  /** Entries of parties in one thread, after which it can only be closed. */
  readonly threadCap: number;
  /** Longest body, in bytes of UTF-8. */
  readonly maxBodyBytes: number;
  /** Names of pinned checks whose record a draft of a type must carry (DESIGN.md 5, rule 8). */
  readonly requireEvidence: Readonly<Record<string, readonly string[]>>;
}

/** What the shell found out about a draft before it asks. Each is a fact; none of them decides. */
export interface Circumstances {
  /** Defects of the record that stop parties. */
  readonly defects: readonly Defect[];
  /** The draft answers the state after this entry (rule 7). */
  readonly ifSeq: number | undefined;
  readonly key: string | undefined;
  /** What a scanner took for a secret in body or refs: the name of its rule. */
  readonly secret: string | undefined;
  /** Citations that are no commit in the channel's project. */
  readonly unknownCommits: readonly string[];
  /** What the open thread cited last; only a hint speaks of it. */
  readonly cited?: Citation | undefined;
}

/** A draft that is admitted: what will be recorded. */
export interface Admitted {
  readonly ok: true;
  readonly facts: Facts;
  /** The body as it is recorded, trailers included. */
  readonly body: string;
}

/** A draft that is refused; nothing was written. */
export interface Refused {
  readonly ok: false;
  readonly objection: Objection;
}

/**
 * Admits or refuses a draft (DESIGN.md 5): the form, then what the record alone decides, then what binds only at
 * admission. A supervisor's force passes a secret, a citation and a size, and nothing else.
 */
export function admit(state: State, rules: Rules, draft: Draft, about: Circumstances): Admitted | Refused {
  const thread = draft.thread ?? state.thread;
  const refused =
    judgeSender(rules, draft) ??
    judgeStop(rules, draft, about) ??
    judgeDraftForm(draft, about, thread) ??
    judgeAccepted(draft, about) ??
    judgeSeq(state, draft, about.ifSeq);
  if (refused) return { ok: false, objection: refused };
  const accepts = draft.accept ? about.defects.filter(isAcceptable).map(acceptance) : [];
  const facts = factsOfDraft(draft, thread, state.thread, accepts);
  const against =
    judge(state, rules, facts) ??
    unknownName(rules, facts, state.speakers) ??
    judgeCap(state, rules, facts) ??
    judgeContent(rules, draft, about);
  return against ? { ok: false, objection: against } : { ok: true, facts, body: recordedBody(draft, facts) };
}

function judgeSender(rules: Rules, draft: Draft): Objection | undefined {
  if (!isKnown(rules, draft.sender)) return unknownSender(rules, draft.sender);
  if (draft.sender !== rules.supervisor && (draft.force || draft.accept))
    return objection(
      'supervisor-only',
      `Force and accept are the supervisor's alone, and ${draft.sender} is a party.`,
      'Post without them, or ask the supervisor with --ask.',
    );
  return undefined;
}

function judgeDraftForm(draft: Draft, about: Circumstances, thread: string): Objection | undefined {
  if (thread === '')
    return objection('thread-needed', 'No thread is open, so the draft needs a thread.', 'Name one: --thread SLUG.');
  if (!isOneLine(draft.refs) || /\p{Cc}/u.test(draft.refs) || draft.refs !== draft.refs.trim() || draft.refs === '-')
    return objection(
      'bad-refs',
      'The refs are not one plain line.',
      'Give one line, such as --refs feature-x@4e9f21c.',
    );
  if (about.key !== undefined && !isKey(about.key))
    return objection(
      'bad-key',
      `"${about.key.slice(0, 40)}" cannot be a key.`,
      'Use up to 128 letters, digits, dots, underscores, colons and single hyphens, beginning with a letter or digit.',
    );
  return judgeDecision(draft) ?? judgeBody(draft.body);
}

function judgeDecision(draft: Draft): Objection | undefined {
  const written = trailerValues(parseTrailers(draft.body), 'Decision');
  const stated = draft.decision ?? written[0];
  if (stated === undefined) return undefined;
  const agrees = written.every((value) => value === stated) && (DECISIONS as readonly string[]).includes(stated);
  if (agrees && draft.type === 'verdict') return undefined;
  return objection(
    'bad-decision',
    draft.type === 'verdict'
      ? 'The decision is not one of approve and request-changes, or the body states another one.'
      : `${withArticle(draft.type, 'A')} carries no decision.`,
    'Post a verdict with --decision approve or --decision request-changes.',
  );
}

/** A defect stops parties; the supervisor may always post, and accepts only what is there (decisions.md 4 and 12). */
function judgeStop(rules: Rules, draft: Draft, about: Circumstances): Objection | undefined {
  const isSupervisor = draft.sender === rules.supervisor;
  const [first] = about.defects;
  if (!first || isSupervisor) return undefined;
  return recordStopped(first);
}

/** What stops parties and watch while the record has a defect (DESIGN.md 4.2). */
export function recordStopped(first: Defect): Objection {
  return objection(
    'record-stopped',
    first.kind === 'forged-fence'
      ? `Nobody can post until the mailbox was mended: ${first.message}`
      : `Parties cannot post until the supervisor has looked: ${first.message}`,
    wayOut(first),
  );
}

function wayOut({ kind }: Defect): string {
  switch (kind) {
    case 'missing-beginning':
      return 'Restore the mailbox, or let the supervisor run `debate repair --accept-missing`.';
    case 'forged-fence':
      return '`debate verify` names the line; once it is removed, what stands behind it counts again.';
    default:
      return 'Run `debate verify`; the supervisor then posts with --accept and --turn PARTY, or closes the thread.';
  }
}

/**
 * A missing beginning is accepted in `debate.json`, since readers look for it at the mailbox's first byte (format.md 2);
 * behind a fence nothing is read, so that no entry can accept one.
 */
function isAcceptable({ kind }: Defect): boolean {
  return kind !== 'missing-beginning' && kind !== 'forged-fence';
}

/** The supervisor accepts only what is there, and what an entry can accept. A party was refused before. */
function judgeAccepted(draft: Draft, about: Circumstances): Objection | undefined {
  const [first] = about.defects;
  if (!draft.accept || about.defects.some(isAcceptable)) return undefined;
  return objection(
    'nothing-to-accept',
    first ? `An entry cannot accept this: ${first.message}` : 'The record has no open defect.',
    first ? wayOut(first) : 'Post without --accept.',
  );
}

function judgeSeq(state: State, draft: Draft, ifSeq: number | undefined): Objection | undefined {
  if (ifSeq === undefined || ifSeq === state.seq) return undefined;
  if (ifSeq > state.seq)
    return objection(
      'seq-ahead',
      `The draft answers MSG-${ifSeq}, and the record ends at MSG-${state.seq}.`,
      'Read the channel again with `debate read`.',
    );
  return objection(
    'moved-on',
    `The channel has moved on from MSG-${ifSeq} to MSG-${state.seq} since ${draft.sender} read it.`,
    `Read what is new with \`debate read --since ${ifSeq}\`; answer that, or stop if it is not your turn.`,
  );
}

/** Rule 5 with the cap as configured, and the bound on corrections in a row (rule 3). */
function judgeCap(state: State, rules: Rules, facts: Facts): Objection | undefined {
  if (facts.sender === rules.supervisor) {
    const now = state.cap ?? rules.threadCap;
    if (facts.cap === undefined || facts.cap > now || state.thread === '') return undefined;
    return objection(
      'cap-not-longer',
      `Thread ${state.thread} has a cap of ${now} already.`,
      `Give a number above ${now}.`,
    );
  }
  if (state.thread !== '') {
    const cap = state.cap ?? rules.threadCap;
    return isAtCap(state, cap) && facts.type !== 'close' ? atCap(state.thread, cap) : undefined;
  }
  if (facts.type !== 'close' || state.corrections < rules.threadCap) return undefined;
  return objection(
    'too-many-corrections',
    `The last ${state.corrections} entries are one-shot corrections already.`,
    'Open a thread with info, or let the supervisor speak.',
  );
}

function judgeContent(rules: Rules, draft: Draft, about: Circumstances): Objection | undefined {
  const mayForce = draft.sender === rules.supervisor;
  if (mayForce && draft.force) return undefined;
  const force = mayForce ? ' Or record it all the same with --force.' : '';
  const bytes = new TextEncoder().encode(draft.body).length;
  if (bytes > rules.maxBodyBytes)
    return objection(
      'body-too-large',
      `The body has ${bytes} bytes, and ${rules.maxBodyBytes} are allowed; nothing is ever cut.`,
      `Put the long part into a file or commit and cite it.${force}`,
    );
  if (about.secret !== undefined)
    return objection(
      'secret',
      `The draft contains what looks like a secret (${about.secret}), and the mailbox is a lasting record.`,
      `Remove it, and revoke it if it is real.${force}`,
    );
  const [missing] = about.unknownCommits;
  if (missing !== undefined)
    return objection(
      'no-such-commit',
      `${missing} is not a commit in the channel's project.`,
      `Commit first and cite what \`git rev-parse --short HEAD\` prints.${force}`,
    );
  return mayForce ? undefined : judgeEvidence(rules.requireEvidence, draft, about.cited);
}
