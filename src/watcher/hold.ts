import { Refusal } from '../protocol/core/refusal.js';
import type { State } from '../protocol/core/state.js';
import type { Memory } from './memory.js';

/** The longest that a live session may hold a turn, in minutes. */
export const LONGEST_HOLD_MINUTES = 240;

/**
 * A memory in which a live session holds its party's turn for some minutes from now, or, for 0, holds it no longer: until then the
 * watcher wakes nobody for that party. Refuses `not-your-turn`, `not-applicable`. Nothing of it is in the record.
 */
export function withHold(memory: Memory, party: string, minutes: number, state: State, nowMs: number): Memory {
  if (minutes === 0) return memory.held?.party === party ? { ...memory, held: null } : memory;
  if (minutes > LONGEST_HOLD_MINUTES)
    throw new Refusal({
      code: 'not-applicable',
      message: `A turn can be held for ${LONGEST_HOLD_MINUTES} minutes at most, not ${minutes}.`,
      hint: 'Hold it again later, or post what there is.',
    });
  if (state.turn !== party)
    throw new Refusal({
      code: 'not-your-turn',
      message:
        state.turn === ''
          ? `Nobody is due, so ${party} has no turn to hold.`
          : `It is ${state.turn}'s turn, not ${party}'s.`,
      hint: 'Hold a turn once it is yours: debate wait tells when.',
    });
  return { ...memory, held: { party, until_ms: nowMs + minutes * 60_000 } };
}
