import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  forgedKind,
  isKey,
  isName,
  isTornHeader,
  parseBaseLine,
  parseFenceLine,
  parseHeader,
  parseMarker,
  renderBaseLine,
  renderFenceLine,
  renderHeader,
  renderMarker,
} from '../../../src/protocol/core/grammar.js';
import { ENTRY_TYPES } from '../../../src/protocol/core/words.js';

const HASH = 'a1'.repeat(32);
const H = '## MSG-13 | 2026-07-06T15:00:00+00:00 | from: codex | type: verdict | thread: t | refs: -';

/** What the published reader takes for a header (decisions.md 28): its `\d` and `\w` are Unicode's. */
const PUBLISHED =
  /^## MSG-(\p{Nd}+) \| ([^|]+) \| from: ([\p{L}\p{N}_-]+) \| type: ([\p{L}\p{N}_-]+) \| thread: ([^|]+) \| refs: (.*)/u;

/** The header pattern of format.md 1.5, in one piece. */
const ANY_SCRIPT =
  /^## MSG-(\p{Nd}+) \| ([^|]+) \| from: ([\p{L}\p{N}\p{M}\p{Pc}-]+) \| type: ([\p{L}\p{N}\p{M}\p{Pc}-]+) \| thread: ([^|]+) \| refs: (.*)$/u;

const name = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,12}$/);
const header = fc.record({
  number: fc.integer({ min: 1, max: 999_999_999_999_999 }),
  timestamp: fc.constant('2026-07-06T14:11:02+00:00'),
  sender: name,
  type: fc.constantFrom(...ENTRY_TYPES),
  thread: name,
  refs: fc.constantFrom('', 'x@4e9f21c', 'a@1234567, b@7654321', 'see | the plan', 'refs: -'),
});

describe('the header line (DESIGN.md 4.1)', () => {
  it('is taken apart into number, timestamp, sender, type, thread and refs', () => {
    expect(parseHeader(H)).toEqual({
      number: 13,
      timestamp: '2026-07-06T15:00:00+00:00',
      sender: 'codex',
      type: 'verdict',
      thread: 't',
      refs: '',
    });
  });

  it('is read as it was written, whatever it holds', () => {
    fc.assert(
      fc.property(header, (each) => {
        expect(parseHeader(renderHeader(each))).toEqual(each);
      }),
    );
  });

  it('is one in ASCII where it is one with the letters and digits of every script, and taken apart alike', () => {
    const piece = fc.constantFrom(
      '',
      ' ',
      '|',
      ' | ',
      'a',
      'é',
      '٩',
      '7',
      '_',
      '-',
      '\u2028',
      '\ud800',
      '😀',
      'from: ',
      ' | refs: x',
    );
    const fields = fc.tuple(piece, piece, piece, piece, piece, piece);
    fc.assert(
      fc.property(fields, ([number, timestamp, sender, type, thread, refs]) => {
        const line = `## MSG-1${number} | 2${timestamp} | from: a${sender} | type: b${type} | thread: c${thread} | refs: ${refs}`;
        const any = ANY_SCRIPT.exec(line);
        expect(parseHeader(line)).toEqual(
          any
            ? {
                number: /^\d+$/.test(any[1] ?? '') ? Number(any[1]) : 0,
                timestamp: any[2]?.trim(),
                sender: any[3],
                type: any[4],
                thread: any[5]?.trim(),
                refs: any[6]?.trim() === '-' ? '' : any[6]?.trim(),
              }
            : undefined,
        );
      }),
      { numRuns: 2000 },
    );
  });

  it('says - for no refs', () => {
    fc.assert(
      fc.property(header, (each) => {
        expect(renderHeader({ ...each, refs: '' }).endsWith('| refs: -')).toBe(true);
      }),
    );
  });

  it('has no number when its digits are not plain ASCII or too many to count exactly', () => {
    expect(parseHeader(H.replace('13', '٩'))?.number).toBe(0);
    expect(parseHeader(H.replace('13', '9'.repeat(16)))?.number).toBe(0);
    expect(parseHeader(H.replace('13', '9'.repeat(15)))?.number).toBe(999_999_999_999_999);
  });

  it('is no header with another field, another order, or a word before it', () => {
    for (const line of [
      `> ${H}`,
      ` ${H}`,
      `#${H}`,
      H.replace('## ', '##'),
      H.replace('| type', '| kind'),
      `${H.slice(0, -9)}`,
      '## What changed',
      '## not a header | at all',
      '',
    ])
      expect(parseHeader(line), line).toBeUndefined();
  });

  it('accepts whatever the published reader accepts, so that no line means two things (format.md 1.5)', () => {
    const digits = fc.stringMatching(/^[0-9٠-٩०-९]{1,4}$/u);
    const word = fc.stringMatching(/^[\p{L}\p{N}_-]{1,8}$/u);
    const free = fc.string({ minLength: 1, maxLength: 12 }).map((text) => text.replace(/[|\p{Cc}\u2028\u2029]/gu, '.'));
    fc.assert(
      fc.property(digits, free, word, word, free, free, (number, time, sender, type, thread, refs) => {
        const line = `## MSG-${number} | ${time} | from: ${sender} | type: ${type} | thread: ${thread} | refs: ${refs}`;
        fc.pre(PUBLISHED.test(line));
        expect(parseHeader(line)).toBeDefined();
        expect(forgedKind(line)).toBe('header');
      }),
      { numRuns: 500 },
    );
  });

  it('never throws and is never found where the words are missing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (line) => {
        if (!line.startsWith('## MSG-')) expect(parseHeader(line)).toBeUndefined();
        else parseHeader(line);
      }),
    );
  });
});

describe('the marker (format.md 1.2)', () => {
  const key = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/).filter((text) => !text.includes('--'));

  it('is read as it was written, with every key that may be given', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e12 }), key, (number, each) => {
        expect(isKey(each)).toBe(true);
        expect(parseMarker(renderMarker({ number, hash: HASH, key: each }))).toEqual({ number, hash: HASH, key: each });
      }),
    );
  });

  it('always has a key, of up to 128 plain characters without a double hyphen', () => {
    for (const wrong of ['', '-a', '.a', 'a b', 'a--b', 'ä', 'a/b', 'x'.repeat(129)]) {
      expect(isKey(wrong), wrong).toBe(false);
      expect(parseMarker(`<!-- end MSG-1 sha256:${HASH} key:${wrong} -->`), wrong).toBeUndefined();
    }
    expect(parseMarker(`<!-- end MSG-1 sha256:${HASH} -->`)).toBeUndefined();
    expect(isKey('x'.repeat(128))).toBe(true);
  });

  it('states 64 lower-case hex digits', () => {
    for (const wrong of ['', 'a1', HASH.toUpperCase(), HASH.slice(1), `${HASH}0`])
      expect(parseMarker(`<!-- end MSG-1 sha256:${wrong} key:k -->`), wrong).toBeUndefined();
  });
});

describe('the base line and the fence line (decisions.md 16)', () => {
  it('are read as they were written', () => {
    const cut = { number: 7, hash: HASH };
    expect(renderBaseLine(cut, 'archive/INDEX.md')).toBe(
      `> Entries up to MSG-7 are in archive/ (see archive/INDEX.md). <!-- debate base MSG-7 sha256:${HASH} -->`,
    );
    expect(renderFenceLine(cut)).toBe(`<!-- debate fence cut:MSG-7 sha256:${HASH} -->`);
    expect(parseBaseLine(renderBaseLine(cut, 'archive/x-12345-INDEX.md'))).toEqual(cut);
    expect(parseFenceLine(renderFenceLine(cut))).toEqual(cut);
  });

  it('are something else when they are quoted', () => {
    const cut = { number: 7, hash: HASH };
    expect(parseBaseLine(`> ${renderBaseLine(cut, 'archive/INDEX.md')}`)).toBeUndefined();
    expect(parseFenceLine(`> ${renderFenceLine(cut)}`)).toBeUndefined();
  });
});

describe('a torn header (format.md 3e, field case R12)', () => {
  it('is every beginning of a header line from "## M" on that is no header yet', () => {
    for (let length = '## M'.length; length <= H.length; length++) {
      const line = H.slice(0, length);
      expect(parseHeader(line) !== undefined || isTornHeader(line), line).toBe(true);
    }
  });

  it('is no ordinary heading', () => {
    for (const line of ['## More', '## MSGs', '## MSG-3 and MSG-4', '## Me', '# M'])
      expect(isTornHeader(line), line).toBe(false);
  });
});

describe('names and slugs (DESIGN.md 4.1)', () => {
  it('are lower-case letters, digits and hyphens, beginning with a letter or digit', () => {
    for (const good of ['a', '7', 'retry-backoff', 'x-', 'a--b']) expect(isName(good), good).toBe(true);
    for (const wrong of ['', '-a', 'A', 'a_b', 'a b', 'béta', 'a\n', 'a.b']) expect(isName(wrong), wrong).toBe(false);
  });
});

describe('what post refuses in a body (format.md 1.5, decisions.md 7)', () => {
  it('is a superset of what the scanner obeys', () => {
    expect(forgedKind(H)).toBe('header');
    expect(forgedKind('## MSG-٩ | x | from: béta | type: info | thread: t | refs: -')).toBe('header');
    expect(forgedKind('## MSG-3 | anything')).toBe('header');
    expect(forgedKind(`<!-- end MSG-1 sha256:${HASH} key:k -->`)).toBe('marker');
    expect(forgedKind('<!--end MSG-1-->')).toBe('marker');
    expect(forgedKind(renderBaseLine({ number: 7, hash: HASH }, 'archive/INDEX.md'))).toBe('base line');
    expect(forgedKind(renderFenceLine({ number: 7, hash: HASH }))).toBe('fence line');
  });

  it('is nothing of ordinary Markdown', () => {
    for (const line of ['## What changed', `> ${H}`, '# MSG-3', '## MSG-3', '<!-- a remark -->', '> a quote', ''])
      expect(forgedKind(line), line).toBeUndefined();
  });
});
