import fc from 'fast-check';
import { expect, it } from 'vitest';
import { boundedOutput, decodeEnd, lastLinesOf } from '../../src/process/bounded-output.js';

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 400 }),
  fc.string({ unit: 'binary', maxLength: 200 }).map((text) => new TextEncoder().encode(text)),
);

it('the kept end is the same however the bytes were cut into chunks, and never longer than asked for', () => {
  fc.assert(
    fc.property(
      bytes,
      fc.integer({ min: 1, max: 64 }),
      fc.array(fc.integer({ min: 1, max: 50 })),
      (all, max, sizes) => {
        const whole = boundedOutput(max);
        whole.push(all);
        const cut = boundedOutput(max);
        let at = 0;
        for (const size of [...sizes, all.length]) {
          cut.push(all.subarray(at, at + size));
          at += size;
        }
        expect(cut.text()).toBe(whole.text());
        expect(cut.text().length).toBeLessThanOrEqual(max);
      },
    ),
  );
});

it('a character that the bound cut in two is left out, so that valid text never shows a replacement character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 20 }), (text, max) => {
      fc.pre(!text.includes('\ufffd'));
      const output = boundedOutput(max);
      output.push(new TextEncoder().encode(text));
      expect(text.endsWith(output.text())).toBe(true);
    }),
  );
});

it('bytes that are no UTF-8 show as replacement characters and nothing throws (T10)', () => {
  expect(decodeEnd(Uint8Array.of(0xff, 0x61, 0xc3), false)).toBe('\ufffda\ufffd');
});

it('what was pushed may be reused by the caller: the output keeps its own copy', () => {
  const chunk = new TextEncoder().encode('one');
  const output = boundedOutput(10);
  output.push(chunk);
  chunk.fill(0);
  expect(output.text()).toBe('one');
});

it('the last lines leave out blank ones at the end, whatever the line endings', () => {
  expect(lastLinesOf('a\r\nb\nc\n\n', 2)).toBe('b\nc');
  expect(lastLinesOf('', 3)).toBe('');
});
