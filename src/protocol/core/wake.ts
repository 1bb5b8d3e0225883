import { type Objection, objection } from './refusal.js';
import type { State } from './state.js';
import type { Entry } from './words.js';

/** A process that a watcher woke, for one seq, as one party (DESIGN.md 5, rule 9). */
export interface Woken {
  readonly id: string;
  readonly party: string;
  readonly seq: number;
}

/** What rule 9 says of a draft: the seq that it answers, or why it is refused. */
export type Bound =
  | { readonly ok: true; readonly ifSeq: number }
  | { readonly ok: false; readonly objection: Objection };

/**
 * A woken process posts as its party only, and only on what it was woken for: the seq of its wake, its own last entry
 * of this run, or an explicit seq of the newest entry when only the supervisor has spoken since and the turn has not
 * moved. `entries` are those that count, oldest first, back to the wake at least.
 */
export function bindWoken(
  woken: Woken,
  sender: string,
  explicit: number | undefined,
  state: State,
  entries: readonly Entry[],
  supervisor: string,
): Bound {
  if (sender !== woken.party)
    return {
      ok: false,
      objection: objection(
        'woken-as-another',
        `This process was woken as ${woken.party}, so it cannot post as ${sender}.`,
        `Post as ${woken.party}, or stop.`,
      ),
    };
  const own = entries.findLast((entry) => entry.key.startsWith(`${woken.id}-`));
  const from = Math.max(woken.seq, own?.seq ?? 0);
  if (explicit === undefined || explicit <= from) return { ok: true, ifSeq: explicit ?? from };
  const since = entries.filter((entry) => entry.seq > from && entry.seq <= explicit);
  const onlySupervisor = since.length === explicit - from && since.every((entry) => entry.sender === supervisor);
  if (explicit === state.seq && onlySupervisor && state.turn === sender) return { ok: true, ifSeq: explicit };
  return {
    ok: false,
    objection: objection(
      'moved-on',
      `This process was woken for MSG-${woken.seq}, and the channel has moved on to MSG-${state.seq} since.`,
      'Stop here: whoever is due is woken for the new state.',
    ),
  };
}
