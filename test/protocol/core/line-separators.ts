/** Every separator at which some reader ends a line (DESIGN.md 4.1), with its name. */
export const SEPARATORS: readonly (readonly [string, string])[] = [
  ['LF', '\n'],
  ['CR', '\r'],
  ['VT', '\v'],
  ['FF', '\f'],
  ['FS', '\u001c'],
  ['GS', '\u001d'],
  ['RS', '\u001e'],
  ['NEL', '\u0085'],
  ['LS', '\u2028'],
  ['PS', '\u2029'],
];
