import type { Entry } from '../../protocol/core/words.js';
import type { SeatAnswer } from './desk.js';

const NO_WORK = { checks: [], trailers: [], trace: undefined } as const;

/**
 * What a seat says to an entry of a type that it cannot serve (issue 4, section 4): it asks the supervisor, so that the
 * thread does not go round between two seats. No model is called.
 */
export function cannotServe(entry: Entry, serves: string, does: string): SeatAnswer {
  const body = `I cannot answer MSG-${entry.seq}, a ${entry.type} of ${entry.sender}. This seat ${does} and answers ${serves}.

Whoever decides may re-point the turn with --turn, or answer in my place.`;
  return { ...NO_WORK, type: 'info', refs: '', ask: true, body: () => body };
}

/** A reviewer that is asked about nothing says so, and passes the turn back; no model is called. */
export function nothingCited(request: Entry): SeatAnswer {
  const body = `MSG-${request.seq} cites no commit, and neither does anything before it in this thread, so there is nothing that I could check. Nothing was reviewed.

Please commit, and post again with --refs NAME@COMMIT.`;
  return { ...NO_WORK, type: 'info', refs: '', body: () => body };
}
