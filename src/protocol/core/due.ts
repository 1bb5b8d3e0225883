import { unknownSender } from './fold.js';
import { Refusal } from './refusal.js';
import type { Parties, State } from './state.js';

/**
 * True when a party is to be called: a thread is open, it is its turn, and nobody waits for the supervisor's answer to
 * an `--ask` (DESIGN.md 5: on such a thread nobody is woken until the supervisor has spoken).
 */
export function isDue(state: State, party: string): boolean {
  return state.thread !== '' && state.turn === party && state.asked === 0;
}

/** Says which entry asks the supervisor, as the beginning of a sentence; for a state where one does (`asked` is not 0). */
export function askedText({ asked }: Pick<State, 'asked'>): string {
  return `MSG-${asked} asks the supervisor, who has not spoken yet`;
}

/** Refuses a name that never has a turn: `unknown-sender`, and `party-only` for the supervisor. */
export function requireParty(names: Parties, name: string): void {
  if (names.parties.includes(name)) return;
  if (name !== names.supervisor) throw new Refusal(unknownSender(names, name));
  throw new Refusal({
    code: 'party-only',
    message: `The supervisor (${name}) never takes a turn.`,
    hint: `Name a party: ${names.parties.join(' or ')}.`,
  });
}
