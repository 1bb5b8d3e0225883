import type { Facts } from './facts.js';
import type { Objection } from './refusal.js';
import { badTurn, judge } from './rules.js';
import { otherParty, type Parties, type State } from './state.js';

/** What an entry is, apart from its facts, when it is folded into the state. */
export interface Stand {
  readonly seq: number;
  readonly hash: string;
  readonly timestamp: string;
  /** Written by the published tool: it is not judged again (DESIGN.md 4.2). */
  readonly published: boolean;
  /** Its text or marker was changed: it keeps its number and moves nothing (decisions.md 3). */
  readonly altered: boolean;
  /** Something is missing or doubled around it. */
  readonly broken: boolean;
}

/** The state after an entry that counts, and what the rules say against it, if anything. */
export interface Advance {
  readonly state: State;
  readonly objection?: Objection;
}

/**
 * Folds one entry that counts into the state. An entry that the rules refuse takes its number and moves nothing.
 * After something altered or missing, what follows is taken as it is until the next close or acceptance: one defect is
 * then named once, and does not make the rest of the record look wrong.
 */
export function advance(state: State, names: Parties, facts: Facts, stand: Stand): Advance {
  const stepped: State = { ...state, seq: stand.seq, hash: stand.hash, updatedAt: stand.timestamp };
  if (stand.altered) return { state: { ...stepped, unsure: true } };
  const seen = stand.broken ? { ...stepped, unsure: true } : stepped;
  if (stand.published) return { state: move(seen, names, facts, stand) };
  if (facts.accepts.length > 0) return accept(state, seen, names, facts, stand);
  const refused = seen.unsure ? undefined : judge(state, names, facts);
  if (refused) return { state: seen, objection: refused };
  const moved = move(seen, names, facts, stand);
  const unknown = unknownName(names, facts, state.speakers);
  return unknown ? { state: moved, objection: unknown } : { state: moved };
}

/**
 * A sender or a turn that the config does not name. At admission it is refused; in the record it is a defect only in the
 * open thread, since a config may change after a thread was closed (DESIGN.md 5). Who spoke in the thread may be due.
 */
export function unknownName(names: Parties, facts: Facts, speakers: readonly string[]): Objection | undefined {
  if (!isKnown(names, facts.sender)) return unknownSender(names, facts.sender);
  if (facts.turn === undefined || names.parties.includes(facts.turn) || speakers.includes(facts.turn)) return undefined;
  return badTurn(names, facts.turn);
}

/** True for the channel's parties and its supervisor, as the config says now. */
export function isKnown(names: Parties, sender: string): boolean {
  return sender === names.supervisor || names.parties.includes(sender);
}

/** A sender that the config does not name. */
export function unknownSender(names: Parties, sender: string): Objection {
  return {
    code: 'unknown-sender',
    message: `"${sender}" is neither a party of this channel nor its supervisor.`,
    hint: `Post as ${names.parties[0]}, ${names.parties[1]} or ${names.supervisor}.`,
  };
}

/** Decisions.md 4: the fold restarts at an acceptance. */
function accept(state: State, stepped: State, names: Parties, facts: Facts, stand: Stand): Advance {
  const refused = judge(state, names, facts);
  if (refused) return { state: stepped, objection: refused };
  const fresh: State = { ...stepped, unsure: false };
  if (facts.type === 'close') return { state: closed({ ...fresh, thread: facts.thread }, facts) };
  const open = { ...opened(fresh, facts, stand), turn: facts.turn ?? '', cap: facts.cap };
  const unknown = unknownName(names, facts, state.speakers);
  return unknown ? { state: open, objection: unknown } : { state: open };
}

/** Moves thread and turn. By now the entry is known to be admissible, or is not to be judged. */
function move(state: State, names: Parties, facts: Facts, stand: Stand): State {
  const isSupervisor = facts.sender === names.supervisor;
  if (facts.type === 'close' && !facts.forced) return closed(state, facts);
  if (isSupervisor) return supervisorSpoke(state, facts, stand);
  const opens = state.thread !== facts.thread;
  const before: State = opens ? opened(state, facts, stand) : state;
  const speakers = before.speakers.includes(facts.sender) ? before.speakers : [...before.speakers, facts.sender];
  return {
    ...before,
    turn: otherParty(names, facts.sender, speakers),
    spoken: before.spoken + 1,
    asked: facts.ask ? stand.seq : before.asked,
    speakers,
    parkedSince: stand.timestamp,
  };
}

function supervisorSpoke(state: State, facts: Facts, stand: Stand): State {
  if (state.thread !== '' && facts.thread !== state.thread) return state;
  const before = state.thread === '' ? opened(state, facts, stand) : state;
  return {
    ...before,
    turn: facts.turn ?? before.turn,
    cap: facts.cap ?? before.cap,
    asked: 0,
    parkedSince: facts.turn === undefined ? before.parkedSince : stand.timestamp,
  };
}

function opened(state: State, facts: Facts, stand: Stand): State {
  return {
    ...state,
    thread: facts.thread,
    turn: '',
    openedAt: stand.seq,
    spoken: 0,
    cap: undefined,
    asked: 0,
    speakers: [],
    corrections: 0,
    parkedSince: stand.timestamp,
  };
}

function closed(state: State, facts: Facts): State {
  return {
    ...state,
    thread: '',
    turn: '',
    openedAt: 0,
    spoken: 0,
    cap: undefined,
    asked: 0,
    speakers: [],
    lastClosed: facts.thread,
    corrections: state.thread === '' ? state.corrections + 1 : 0,
    parkedSince: '',
    unsure: false,
  };
}
