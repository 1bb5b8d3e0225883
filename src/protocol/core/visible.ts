/**
 * What a terminal or a page would execute or hide: control characters (C0 but tab and newline, DEL, C1), the separators
 * that some readers split lines at, bidirectional controls, invisible tags. Zero-width joiners stay: emoji need them.
 */
const DANGEROUS =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/** Text as it may be shown: what would be executed is written out, `\x1b` or `\u202e` (DESIGN.md 8, field case R10). */
export function visible(text: string): string {
  return text.replace(DANGEROUS, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`;
    return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** The same for text that must stay on one line. */
export function visibleLine(text: string): string {
  return visible(text.replace(/\n/g, ' ').replace(/\t/g, ' '));
}
