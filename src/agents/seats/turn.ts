import type { Channel } from '../../protocol/channel.js';
import { isAtCap } from '../../protocol/core/open-thread.js';
import type { Objection } from '../../protocol/core/refusal.js';
import type { State } from '../../protocol/core/state.js';
import { trailerValues } from '../../protocol/core/trailers.js';
import { bindWoken, type Woken } from '../../protocol/core/wake.js';
import type { Entry } from '../../protocol/core/words.js';
import type { Standing } from '../../protocol/standing.js';

/** The turn that a seat has to answer. */
export interface Turn {
  readonly party: string;
  readonly supervisor: string;
  /** The state that is answered; its seq is the post's `if_seq` (DESIGN.md 5, rule 7). */
  readonly state: State;
  /** The entries of the open thread, oldest first. */
  readonly entries: readonly Entry[];
  /** Those after the party's own last one: what it has not answered yet. */
  readonly since: readonly Entry[];
  /** The thread can only be closed any more (rule 5). */
  readonly atCap: boolean;
}

/** What a party finds when it looks: its turn, nothing to do, or why it may not speak. */
export type Found =
  | { readonly kind: 'due'; readonly turn: Turn }
  | { readonly kind: 'idle'; readonly why: string }
  | { readonly kind: 'refused'; readonly objection: Objection };

/**
 * Looks whether it is a party's turn, before anything is spent on an answer (issue 4, section 4). A process that was
 * woken for an older state, and a record that stops parties, are refused as a post of theirs would be.
 */
export function findTurn(
  config: Pick<Channel['config'], 'supervisor' | 'threadCap'>,
  { state, tail }: Standing,
  party: string,
  woken: Woken | undefined,
): Found {
  const [stop] = tail.stops;
  if (stop !== undefined)
    return {
      kind: 'refused',
      objection: {
        code: 'record-stopped',
        message: `Parties cannot post until the supervisor has looked: ${stop.message}`,
        hint: 'Run `debate verify`; the supervisor then posts with --accept and --turn PARTY, or closes the thread.',
      },
    };
  if (state.thread === '') return { kind: 'idle', why: 'no thread is open' };
  if (state.turn !== party)
    return { kind: 'idle', why: state.turn === '' ? 'nobody is due' : `it is the turn of ${state.turn}` };
  if (state.asked > 0) return { kind: 'idle', why: `MSG-${state.asked} waits for ${config.supervisor}` };
  if (woken !== undefined) {
    const bound = bindWoken(woken, party, state.seq, state, tail.entries, config.supervisor);
    if (!bound.ok) return { kind: 'refused', objection: bound.objection };
  }
  const entries = tail.entries.filter((entry) => entry.thread === state.thread && entry.seq >= state.openedAt);
  const own = entries.findLast((entry) => entry.sender === party);
  return {
    kind: 'due',
    turn: {
      party,
      supervisor: config.supervisor,
      state,
      entries,
      since: entries.filter((entry) => entry.seq > (own?.seq ?? 0)),
      atCap: isAtCap(state, config.threadCap),
    },
  };
}

/** True for a verdict that decides to approve and nothing else. One without a decision is feedback, never an approval. */
export function isApproval(entry: Entry): boolean {
  const decisions = trailerValues(entry.trailers, 'Decision');
  return entry.type === 'verdict' && decisions.length > 0 && decisions.every((decision) => decision === 'approve');
}
