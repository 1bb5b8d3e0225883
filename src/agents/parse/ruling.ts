import { jsonObjectIn } from './json-object.js';

/** A judge's ruling over final answers (rule A13). */
export interface Ruling {
  readonly answer: string;
  /** Empty if the judge gave no reason. */
  readonly why: string;
}

/** What a judge said after a round of an adversarial debate (rule J4). */
export interface Decision {
  /** Only `true` and the text "true" decide. */
  readonly decided: boolean;
  /** Empty if there is none. */
  readonly answer: string;
  readonly reason: string;
}

/** The text of a JSON value that was asked for as a string; a bare number or `true` is read as what it says. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** The ruling in an optional judge's reply; undefined if it is not valid JSON or has no answer (rule A14). */
export function rulingOf(reply: string): Ruling | undefined {
  const object = jsonObjectIn(reply);
  const answer = textOf(object?.answer);
  return object && answer !== '' ? { answer, why: textOf(object.why) } : undefined;
}

/** The decision in an adversarial judge's reply; undefined if it is not valid JSON (rule J8). */
export function decisionOf(reply: string): Decision | undefined {
  const object = jsonObjectIn(reply);
  if (!object) return undefined;
  const decided = object.decided === true || textOf(object.decided).toLowerCase() === 'true';
  return { decided, answer: textOf(object.answer), reason: textOf(object.reason) };
}
