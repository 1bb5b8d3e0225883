const OPENING = String.raw`(?:(?:i['’]?m|i am|we['’]?re)\s+(?:very\s+|so\s+)?(?:sorry|afraid)|sorry|(?:i|we)\s+apologi[sz]e|unfortunately|as an ai[^,.]*)[^a-z]*(?:but\s+|that\s+)?`;
const CANNOT = String.raw`(?:i|we)(?:\s+(?:can(?:no|['’])t|can not|am unable to|am not able to|(?:am not|['’]m not) going to|won['’]t|will not|must decline to|decline to|must refuse to|refuse to)|['’]m\s+(?:unable|not able)\s+to)(?:\s+be able to)?`;
const SERVE = String.raw`(?:help|assist|fulfil|fulfill|comply|provide|complete|continue|engage|participate|generate|create|do (?:that|this)|answer (?:that|this)(?: question| request)?[\s.!]*$)`;
const REFUSAL = new RegExp(String.raw`^[^\p{L}]*(?:${OPENING})?(?:\s*${CANNOT}\s+${SERVE}(?![a-z]))`, 'iu');

// A refusal says so at once; looking no further bounds the time that a long line takes.
const LOOKED_AT = 300;

/**
 * Whether a line is a model declining to serve the request, as opposed to an answer that says something is unknown:
 * such a line is no answer and must not be counted as a vote (rule A10).
 */
export function isRefusal(line: string): boolean {
  return REFUSAL.test(line.trim().slice(0, LOOKED_AT));
}
