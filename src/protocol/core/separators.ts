/** Every line separator that any reader splits on (DESIGN.md 4.1): LF, CR, VT, FF, FS, GS, RS, NEL, LS, PS. */
const SEPARATOR = /\r\n|[\n\r\v\f\u001c\u001d\u001e\u0085\u2028\u2029]/;

/** One piece of text between separators, with the number (from 1) of the LF line that it stands in. */
export interface Piece {
  readonly text: string;
  readonly line: number;
}

/** Splits text wherever any reader would, keeping the line numbers that an editor shows. */
export function pieces(text: string): readonly Piece[] {
  return text
    .split('\n')
    .flatMap((line, index) => line.split(SEPARATOR).map((piece) => ({ text: piece, line: index + 1 })));
}

/** True for text that every reader takes for one line. */
export function isOneLine(text: string): boolean {
  return !SEPARATOR.test(text);
}
