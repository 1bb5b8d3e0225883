import { type Facts, isEntryType } from './facts.js';
import { isName } from './grammar.js';
import { type Objection, objection } from './refusal.js';
import type { Parties, State } from './state.js';
import { OPENING_TYPES } from './words.js';

/** What a `Debate-Cap` trailer can say. */
const LARGEST_CAP = 999_999;

/**
 * What the record alone decides (DESIGN.md 5, rules 1 to 6). `admit` holds a draft against it, `fold` every entry
 * of the record: the two can therefore never disagree. Returns undefined when nothing speaks against it.
 */
export function judge(state: State, names: Parties, facts: Facts): Objection | undefined {
  return judgeForm(names, facts) ?? judgePowers(names, facts) ?? judgeTurn(state, names, facts);
}

/** Rule 1: type, slug and body are well-formed. Who is known binds at admission and in the open thread. */
function judgeForm(names: Parties, facts: Facts): Objection | undefined {
  if (!isEntryType(facts.type))
    return objection(
      'unknown-type',
      `The type "${facts.type}" is not one of the six.`,
      'Use review-request, verdict, fix-report, question, info or close.',
    );
  if (!isName(facts.thread))
    return objection(
      'bad-slug',
      `The thread "${facts.thread}" is not a slug.`,
      'Use lower-case letters, digits and hyphens, beginning with a letter or digit, such as retry-backoff.',
    );
  if (!isName(facts.sender))
    return objection(
      'unknown-sender',
      `The sender "${facts.sender}" is not a name.`,
      `Post as ${names.parties.join(', ')} or ${names.supervisor}.`,
    );
  if (facts.empty)
    return objection('empty-body', 'The body is empty.', 'Say something: --body TEXT or --body-file FILE.');
  return undefined;
}

/** Rule 2: force, an explicit turn, a cap and acceptance are the supervisor's alone; asking is a party's. */
function judgePowers(names: Parties, facts: Facts): Objection | undefined {
  const isSupervisor = facts.sender === names.supervisor;
  if (
    !isSupervisor &&
    (facts.forced || facts.turn !== undefined || facts.cap !== undefined || facts.accepts.length > 0)
  )
    return objection(
      'supervisor-only',
      `Force, turn, cap and accept are the supervisor's alone, and ${facts.sender} is a party.`,
      'Post without them, or ask the supervisor with --ask.',
    );
  if (isSupervisor && facts.ask)
    return objection('party-only', 'Only a party asks the supervisor.', 'Post without --ask.');
  if (facts.turn !== undefined && (facts.turn === names.supervisor || !isName(facts.turn)))
    return badTurn(names, facts.turn);
  if (facts.cap !== undefined && !(Number.isInteger(facts.cap) && facts.cap >= 1 && facts.cap <= LARGEST_CAP))
    return objection(
      'cap-not-longer',
      `The cap is not a whole number from 1 to ${LARGEST_CAP}.`,
      'Give a number, such as --cap 20.',
    );
  return undefined;
}

/** Rules 3 to 6: whose turn it is, and in which thread. */
function judgeTurn(state: State, names: Parties, facts: Facts): Objection | undefined {
  const isSupervisor = facts.sender === names.supervisor;
  if (facts.accepts.length > 0) return judgeAcceptance(facts);
  if (state.thread === '') return judgeOpening(state, names, facts, isSupervisor);
  if (facts.thread !== state.thread) return judgeOtherSlug(state, facts, isSupervisor);
  if (facts.forced)
    return objection('thread-open', 'Force is for another slug than the open one.', 'Post without --force.');
  if (isSupervisor) return undefined;
  if (state.turn !== '' && state.turn !== facts.sender)
    return objection(
      'not-your-turn',
      `It is ${state.turn}'s turn on thread ${state.thread}, not ${facts.sender}'s.`,
      `Stop here; the watcher wakes ${facts.sender} when ${state.turn} has answered.`,
    );
  if (state.cap !== undefined && state.spoken >= state.cap && facts.type !== 'close')
    return atCap(state.thread, state.cap);
  return undefined;
}

/** The turn passes to a party only; one sentence for both callers. */
export function badTurn(names: Parties, turn: string): Objection {
  return objection(
    'bad-turn',
    `The turn cannot pass to "${turn}", which is no party of this channel.`,
    `Name ${names.parties.join(' or ')}.`,
  );
}

/** Rule 5, in one sentence for both callers. */
export function atCap(thread: string, cap: number): Objection {
  return objection(
    'at-cap',
    `Thread ${thread} has reached its cap of ${cap} entries, so it can only be closed.`,
    'Post a close that says what is unresolved, or let the supervisor lengthen the thread with --cap.',
  );
}

/** Decisions.md 4: an acceptance sets the state, so it must say which. */
function judgeAcceptance(facts: Facts): Objection | undefined {
  if (facts.type === 'close' || facts.turn !== undefined) return undefined;
  return objection(
    'accept-needs-turn',
    'Accepting defects needs to say how the thread goes on.',
    'Add --turn PARTY, or --type close.',
  );
}

function judgeOpening(state: State, names: Parties, facts: Facts, isSupervisor: boolean): Objection | undefined {
  if (facts.forced)
    return objection('thread-open', 'No thread is open, so there is nothing to force.', 'Post without --force.');
  if (facts.type === 'close') {
    if (facts.thread !== state.lastClosed) return undefined;
    return objection(
      'already-closed',
      `Thread ${facts.thread} is closed already.`,
      'To record a correction, close under a fresh slug, such as correction-1.',
    );
  }
  if (!OPENING_TYPES.includes(facts.type as (typeof OPENING_TYPES)[number]))
    return objection(
      'cannot-open',
      `No thread is open, and a ${facts.type} is a reply that cannot open one.`,
      'Open a thread with review-request, question or info.',
    );
  if (isSupervisor && facts.turn === undefined)
    return objection(
      'turn-required',
      'A thread that the supervisor opens needs to say who answers.',
      `Add --turn ${names.parties[0]} or --turn ${names.parties[1]}.`,
    );
  return undefined;
}

function judgeOtherSlug(state: State, facts: Facts, isSupervisor: boolean): Objection | undefined {
  if (!isSupervisor || !facts.forced)
    return objection(
      'thread-open',
      `Thread ${state.thread} is open, so nothing can be posted under ${facts.thread}.`,
      isSupervisor
        ? 'Close it first, or record the remark beside it with --force.'
        : `Post to ${state.thread}, or wait until it is closed.`,
    );
  if (facts.turn === undefined && facts.cap === undefined) return undefined;
  return objection(
    'thread-open',
    'A remark forced under another slug cannot re-point the open thread or lengthen it.',
    `Post --turn or --cap to ${state.thread} itself.`,
  );
}
