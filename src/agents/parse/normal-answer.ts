import { unboxed } from './boxed.js';

const GROUPED_BY_BLANKS = /(?<![\d.])\d{1,3}(?:[\u00a0\u2009\u202f]\d{3})+(?!\d)/g;
const GROUPED_BY_MARKS =
  /(?<![\d.,])\d{1,3}(?:,\d{2,3})*,\d{3}(?!\d|,\d)|(?<![\d.'_])\d{1,3}(?:(?:'\d{3})+|(?:_\d{3})+)(?![\d'_])/g;

// A sign and a decimal point before the first digit belong to the answer.
const AROUND_START = /^(?:(?![-+]?\.?\d)[\p{P}\p{S}\s])+/u;
const MARK = /^[\p{P}\p{S}\s]$/u;
const LEAD_IN = /^(?:(?:so|thus|hence|therefore),? )?(?:the|my) (?:(?:final|current|correct) )?answer is:? (?=\S)/;

/** Without what surrounds it; the marks of `C++`, `C#` and `A+` belong to the answer. */
function inner(text: string): string {
  const characters = [...text];
  let end = characters.length;
  while (end > 0 && MARK.test(characters[end - 1] ?? '')) end -= 1;
  if (/^\p{L}$/u.test(characters[end - 1] ?? '')) while (characters[end] === '+' || characters[end] === '#') end += 1;
  return characters.slice(0, end).join('').replace(AROUND_START, '');
}

/**
 * The form in which two one-line answers are compared: NFKC, lower case, without surrounding punctuation and symbols,
 * without thousands separators, `\boxed{}` and a "the answer is". Sign, decimal point and slash of a number stay, and
 * so does everything inside (rules A7, A22). It is for comparing only and never shown.
 */
export function normalAnswer(answer: string): string {
  const text = unboxed(answer)
    .replace(GROUPED_BY_BLANKS, (number) => number.replace(/\D/g, ''))
    .normalize('NFKC')
    .replace(/[‘’‛′]/g, "'")
    .replace(/[‐-—−]/g, '-')
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/gu, ' ')
    .trim()
    .toLowerCase()
    .replace(/([-+])\s?\p{Sc}\s?(?=\.?\d)/gu, '$1');
  const number = inner(text)
    .replace(LEAD_IN, '')
    .replace(GROUPED_BY_MARKS, (found) => found.replace(/\D/g, ''));
  const result = inner(number);
  // An answer that is nothing but marks (`+`, `?!`) is compared as it is.
  return result === '' ? text : result;
}
