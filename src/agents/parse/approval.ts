// Text in which a reviewer only shows or repeats words, and therefore does not approve.
const THOUGHT = /<think(?:ing)?>[\s\S]*?(?:<\/think(?:ing)?>|$)/gi;
const UP_TO_A_LATE_THOUGHT_END = /^[\s\S]*<\/think(?:ing)?>/i;
const CODE_FENCE = /^[ \t]*(```+|~~~+)[^\n]*\n[\s\S]*?(?:^[ \t]*\1[^\n]*$|(?![\s\S]))/gm;
const QUOTED_LINE = /^[ \t]*(?:(?:[-*+]|\d+[.)])[ \t]+)?>.*$/gm;
const IN_QUOTATION_MARKS = [
  /"(?:[^"\n]|\n(?![ \t]*\n))*"/g,
  /[“„](?:[^”“\n]|\n(?![ \t]*\n))*[”“]/g,
  /«[^«»]*»/g,
  /「[^「」]*」/g,
  /(?<![\p{L}\p{N}])['‘](?=\S)(?:[^'’\n]|['’](?=\p{L})){0,500}['’](?!\p{L})/gu,
];

const APPROVED_NO = /approved[*_]*:[*_]*[ \t]?[*_]*no(?![\p{L}\p{N}_])/iu;
const APPROVED_YES = /approved: ?yes/gi;

const GLUED_BEFORE = /[\p{L}\p{N}_]-?$/u;
const GLUED_AFTER = /^(?:[\p{L}\p{N}_]|['’-]\p{L})/u;
const NEGATED =
  /(?:(?:\b(?:not|never|cannot|hardly)|n't)(?:\s+(?:yet|be|been|being|fully|really|quite|currently))*\s+|\bno(?:[ \t]+longer)?[ \t]+)$/i;
const OTHER_CHOICE = /^[\s*_`"'()[\]]*(?:[/|\\]|,?\s*or\b)[\s*_`"'([]*not?\b/i;

// How far around a match its guards look, in characters.
const NEAR = 100;

function withoutShownText(reply: string): string {
  let text = reply.replace(THOUGHT, '\n').replace(UP_TO_A_LATE_THOUGHT_END, '\n');
  text = text.replace(CODE_FENCE, '\n').replace(QUOTED_LINE, '');
  // What stands around a quotation must not be joined by its removal.
  for (const quotation of IN_QUOTATION_MARKS) text = text.replace(quotation, '""');
  return text;
}

function standsAlone(before: string, after: string): boolean {
  const plain = before.replace(/[*_~`\p{Cf}]+$/gu, '');
  if (GLUED_BEFORE.test(plain) || GLUED_AFTER.test(after.replace(/^[*_~`\p{Cf}]+/u, ''))) return false;
  const words = before.replace(/[*_~`\p{Cf}]/gu, '').replaceAll('’', "'");
  return !NEGATED.test(words) && !OTHER_CHOICE.test(after);
}

/**
 * Whether a peer reviewer's reply approves (rule P7): it contains `approved: yes` or `approved:yes`, ignoring case,
 * and nothing says otherwise. In doubt it does not: a word glued to it, a negation directly before it, a template echo
 * (`yes/no`), an `approved: no` anywhere, or a match only inside a code fence, a quotation or a thinking block.
 */
export function approves(reply: string): boolean {
  if (APPROVED_NO.test(reply)) return false;
  const text = withoutShownText(reply);
  return [...text.matchAll(APPROVED_YES)].some((match) => {
    const end = match.index + match[0].length;
    return standsAlone(text.slice(Math.max(0, match.index - NEAR), match.index), text.slice(end, end + NEAR));
  });
}
