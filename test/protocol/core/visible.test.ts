import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visible, visibleLine } from '../../../src/protocol/core/visible.js';

/** What a terminal executes or a page hides (field case R10): controls but tab and newline, and format characters. */
const EXECUTED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

describe('text that is shown (DESIGN.md 8, field case R10)', () => {
  it('shows as visible text what a terminal would execute', () => {
    expect(visible('\u001b[2J')).toBe('\\x1b[2J');
    expect(visible('\u001b]52;c;aGk=\u0007')).toBe('\\x1b]52;c;aGk=\\x07');
    expect(visible('\u009b2J')).toBe('\\x9b2J');
    expect(visible('a\0b')).toBe('a\\x00b');
    expect(visible('a\u202eb')).toBe('a\\u202eb');
    expect(visible('a\rb\u2028c')).toBe('a\\x0db\\u2028c');
    expect(visible('tag \u{e0041}')).toBe('tag \\u{e0041}');
  });

  it('keeps tabs, newlines, letters of every script, and joined emoji', () => {
    for (const text of ['a\tb\nc', 'Ünïcödé 日本語 עברית', '👩‍💻', 'é']) expect(visible(text)).toBe(text);
  });

  it('holds nothing that is executed, whatever came in, and is the same when shown twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(visible(text)).not.toMatch(EXECUTED);
        expect(visible(visible(text))).toBe(visible(text));
      }),
      { numRuns: 300 },
    );
  });

  it('stays on one line where it must', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(visibleLine(text)).not.toMatch(/[\n\t\r\v\f\u0085\u2028\u2029]/);
      }),
    );
    expect(visibleLine('a\nb\tc')).toBe('a b c');
  });
});
