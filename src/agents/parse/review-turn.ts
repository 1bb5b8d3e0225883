/** What a reviewer's verdict decides. `neither`: it is not one of the two, and a person must read it. */
export type ReviewDecision = 'accept' | 'reject' | 'neither';

/** A verdict, as it was written and as it counts. */
export interface ReviewVerdict {
  /** The reply, trimmed and otherwise verbatim (rules R3, R7). */
  readonly verdict: string;
  readonly decision: ReviewDecision;
  /** For a rejection what follows the word, else the whole verdict. */
  readonly reason: string;
}

/** One turn of a reviewer: it asks for a check, or it ends the review. */
export type ReviewTurn =
  | { readonly kind: 'check'; readonly query: string }
  | ({ readonly kind: 'verdict' } & ReviewVerdict);

const emphasis = /^[*_`\s]+/;
const accepting = /^ACCEPT(?:ED)?[*_`]*(?=$|\s*[.!:;,–—\n-]|\s*$)/i;
const rejecting = /^REJECT(?:ED)?[*_`]*(?=$|[\s.!:;,–—-])[ \t]*[:.!;,–—-]*[*_`]*\s*/i;
const echo = /^(?:ACCEPT|REJECT)(?:ED)?[*_`]*\s*(?:[/|,]|or\b)\s*[*_`]*(?:ACCEPT|REJECT)/i;
const rejectsLater = /^[*_`\s>-]*REJECT(?:ED)?[*_`]*\s*:/im;

/**
 * Reads a reply as the verdict that it is taken for, verbatim, also where it asks for a check (rule R7).
 *
 * It counts as a decision only if the word stands at its start, emphasis aside: ACCEPT before its end or a stop,
 * REJECT before anything but letters. Both words at once (an echo of the instruction), or ACCEPT with a `REJECT:` in a
 * later line, are neither: in doubt nothing is accepted.
 */
export function reviewVerdict(reply: string): ReviewVerdict {
  const verdict = reply.trim();
  const plain = verdict.replace(emphasis, '');
  const whole = { verdict, reason: verdict };
  if (echo.test(plain)) return { ...whole, decision: 'neither' };
  const rejection = rejecting.exec(plain);
  if (rejection !== null) return { verdict, decision: 'reject', reason: plain.slice(rejection[0].length).trim() };
  return { ...whole, decision: accepting.test(plain) && !rejectsLater.test(plain) ? 'accept' : 'neither' };
}

/**
 * Reads one turn of a reviewer (rules R3, R4): `CHECK:` at its start, ignoring case, and everything else is the
 * verdict.
 */
export function reviewTurn(reply: string): ReviewTurn {
  const turn = reply.trim();
  if (turn.toUpperCase().startsWith('CHECK:'))
    return { kind: 'check', query: turn.slice(turn.indexOf(':') + 1).trim() };
  return { kind: 'verdict', ...reviewVerdict(turn) };
}
