import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOneLine, pieces } from '../../../src/protocol/core/separators.js';
import { SEPARATORS } from './line-separators.js';

describe('line separators (DESIGN.md 4.1)', () => {
  it('are LF, CR, VT, FF, FS, GS, RS, NEL, LS and PS, each of which ends a line', () => {
    for (const [name, separator] of SEPARATORS) {
      expect(isOneLine(`a${separator}b`), name).toBe(false);
      expect(
        pieces(`a${separator}b`).map(({ text }) => text),
        name,
      ).toEqual(['a', 'b']);
    }
  });

  it('are nothing else: tabs, spaces, zero-width characters and US stay inside a line', () => {
    for (const other of ['\t', ' ', '\u200b', '\u001f', '\u00a0', '\0']) expect(isOneLine(`a${other}b`)).toBe(true);
  });

  it('count lines as an editor does: by LF, CRLF being one', () => {
    expect(pieces('a\r\nb\u2028c\nd')).toEqual([
      { text: 'a', line: 1 },
      { text: '', line: 1 },
      { text: 'b', line: 2 },
      { text: 'c', line: 2 },
      { text: 'd', line: 3 },
    ]);
  });

  it('leave no separator inside a piece, and lose nothing else', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('x', 'yz', ...SEPARATORS.map(([, each]) => each))), (parts) => {
        const found = pieces(parts.join(''));
        expect(found.every(({ text }) => isOneLine(text))).toBe(true);
        expect(found.map(({ text }) => text).join('')).toBe(parts.filter((part) => isOneLine(part)).join(''));
      }),
    );
  });
});
