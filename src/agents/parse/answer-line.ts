import { unboxed } from './boxed.js';
import { isRefusal } from './refusal.js';

const MOST_CHARACTERS = 200;
const LABEL =
  /^[\s>#*_`+-]*(?:\d+[.)][\s*_`]*)?(?:(?:so|thus|hence|therefore|finally|overall|in conclusion),?\s+)?(?:(?:my|the|our|final|current|updated|revised|short|one-line)\s+)*answer[*_`]*\s*[:：]/i;
const FENCE_OR_RULE = /^\s*(?:```.*|~~~.*|[-*_]{3,})\s*$/;

/** The line without the markdown around it; what it says stays as it was written. */
function bare(line: string): string {
  const text = line
    .trim()
    .replace(/^(?:>\s*)+/, '')
    .replace(/^#{1,6}\s+/, '')
    .replace(/^[-*+]\s+(?=\S)/, '')
    .trim();
  const emphasised = /^(\*{1,3}|_{1,3}|`)(?=\S)([\s\S]*\S)\1$/.exec(text);
  return (emphasised?.[2] ?? text).trim();
}

function usable(line: string | undefined, most: number): string | undefined {
  if (line === undefined) return undefined;
  const answer = unboxed(bare(line));
  return answer === '' || [...answer].length > most || isRefusal(answer) ? undefined : answer;
}

function labelled(lines: readonly string[]): string | undefined {
  const at = lines.findLastIndex((line) => LABEL.test(line));
  const line = lines[at];
  if (line === undefined) return undefined;
  // The emphasis of `**Answer:** yes` and `**Answer: yes**` is split by the label.
  const value = line.replace(LABEL, '').replace(/^[*_`]+(?=\s|$)/, '');
  const open = /^[\s>#+-]*([*_`]+)/.exec(line)?.[1] ?? '';
  const closed = value.trim();
  const unsplit =
    open !== '' && closed.endsWith(open) && !closed.startsWith(open) ? closed.slice(0, -open.length) : closed;
  return unsplit === '' ? usable(lines[at + 1], MOST_CHARACTERS) : usable(unsplit, Number.POSITIVE_INFINITY);
}

/**
 * The one-line answer of a debater's reply: what follows the last `answer:` label, else the last line that is not
 * blank, if it has at most 200 characters and is no refusal. Without label, markdown and `\boxed{}`; otherwise as it
 * was written. Undefined if the reply has no answer line (rules A9, A10).
 */
export function answerLineOf(reply: string): string | undefined {
  const lines = reply
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .filter((line) => line.trim() !== '' && !FENCE_OR_RULE.test(line));
  const isLabelled = lines.some((line) => LABEL.test(line));
  return isLabelled ? labelled(lines) : usable(lines.at(-1), MOST_CHARACTERS);
}
