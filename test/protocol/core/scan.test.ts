import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderBaseLine, renderFenceLine } from '../../../src/protocol/core/grammar.js';
import { ZERO_HASH } from '../../../src/protocol/core/words.js';
import { chain, entryText, headerLine, join, marked, type Said, scanInPieces, unmarked } from './mailbox.js';

const HASH = 'b2'.repeat(32);
const three = chain([{ body: 'one' }, { body: '  two\n\nlines  with\ttabs' }, { body: 'drei Ünïcödé 🙂' }]);

/** Pieces of which a mailbox may consist, good and bad. */
const fragment = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...three.map((entry) => entry.raw)) },
  fc.constantFrom(
    unmarked(4).raw,
    entryText(5),
    headerLine(6),
    '\n## MSG-7 | 2026-11-',
    '\n## M',
    `\n<!-- end MSG-4 sha256:${HASH} key:k -->\n`,
    `<!-- end MSG-2 sha256:${HASH} key:k -->`,
    '\n<!-- torn -->\n',
    'stray text\n',
    '\n',
    '  \t\n',
    '\r\n',
    '\r',
    '```\n',
    '\0',
    '\n<<<<<<< HEAD\n',
    '\n=======\n',
    '\n>>>>>>> theirs\n',
    `${renderBaseLine({ number: 7, hash: HASH }, 'archive/INDEX.md')}\n`,
    '\uFEFF',
  ),
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
);
const mailbox = fc.array(fragment, { maxLength: 14 }).map((parts) => Buffer.from(parts.join('')));
const anyBytes = fc.oneof(
  mailbox,
  fc.tuple(mailbox, fc.uint8Array({ maxLength: 30 })).map(([a, b]) => Buffer.concat([a, b, a])),
);

describe('scanning a mailbox', () => {
  it('finds each entry with the place and the line of its header', () => {
    const file = `Text before the first header.\n${join(three)}`;
    const { entries, strays } = scanInPieces(file);
    expect(entries.map((entry) => entry.header.number)).toEqual([1, 2, 3]);
    for (const entry of entries) {
      expect(Buffer.from(file).subarray(entry.at).toString().startsWith('## MSG-')).toBe(true);
      expect(entry.line).toBe(Buffer.from(file).subarray(0, entry.at).toString().split('\n').length);
    }
    expect(strays.map((stray) => stray.first)).toEqual(['Text before the first header.']);
  });

  it('tells the same however the file arrives in chunks', () => {
    fc.assert(
      fc.property(anyBytes, fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 30 }), (bytes, sizes) => {
        expect(scanInPieces(bytes, sizes)).toEqual(scanInPieces(bytes));
      }),
      { numRuns: 400 },
    );
  });

  it('tells the same byte by byte, also where its buffer grows', () => {
    const large = join(chain([{ body: 'x'.repeat(65_530) }, { body: 'y' }]));
    const bytewise = [65_400, ...Array(400).fill(1)];
    expect(scanInPieces(large, bytewise)).toEqual(scanInPieces(large));
    expect(scanInPieces(large, Array(20).fill(4095))).toEqual(scanInPieces(large));
  });

  it('never throws, whatever the bytes are, and points at headers only', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        const { entries } = scanInPieces(bytes);
        for (const entry of entries) {
          expect(bytes.subarray(entry.at, entry.at + 7).toString()).toBe('## MSG-');
          expect(entry.line).toBe(bytes.subarray(0, entry.at).filter((byte) => byte === 10).length + 1);
          expect(entry.end).toBeGreaterThan(entry.at);
          expect(entry.end).toBeLessThanOrEqual(bytes.length);
        }
      }),
      { numRuns: 400 },
    );
  });

  it('finds the same entries with CRLF, with a BOM and without a final newline (field case R4)', () => {
    const body = fc.constantFrom('one', '  two\n\nlines', 'a\tb ', '```\nx\n```', 'k: v\n\nDecision: approve', '🙂');
    fc.assert(
      fc.property(fc.array(body, { minLength: 1, maxLength: 6 }), (bodies) => {
        const file = join(chain(bodies.map((each) => ({ body: each.trimEnd() }))));
        const essence = (text: string) =>
          scanInPieces(text).entries.map(({ header, text: own, marker, headerLength, line }) => ({
            header,
            own,
            marker,
            headerLength,
            line,
          }));
        const plain = essence(file);
        expect(plain).toHaveLength(bodies.length);
        expect(essence(file.replaceAll('\n', '\r\n'))).toEqual(plain);
        expect(essence(`\uFEFF${file}`)).toEqual(plain);
        expect(essence(file.slice(0, -1))).toEqual(plain);
        expect(essence(`\uFEFF${file.replaceAll('\n', '\r\n').slice(0, -2)}`)).toEqual(plain);
      }),
    );
  });

  it('finds a header on the very first line, also behind a BOM', () => {
    expect(scanInPieces(three[0]?.raw.slice(1) ?? '').entries[0]).toMatchObject({ at: 0, line: 1 });
    expect(scanInPieces(`\uFEFF${three[0]?.raw.slice(1)}`).entries[0]).toMatchObject({ at: 3, line: 1 });
  });

  it('leaves out the line that a window cuts', () => {
    const file = join(three);
    const second = file.indexOf('## MSG-2');
    expect(scanInPieces(file, [], second).entries.map((entry) => entry.header.number)).toEqual([3]);
    expect(scanInPieces(file, [], second - 1).entries.map((entry) => entry.header.number)).toEqual([2, 3]);
  });
});

describe('a complete entry', () => {
  it('reaches from its header to the last non-blank byte of its body; blank is space, tab, LF, CR (decisions.md 2)', () => {
    const file = `\n${headerLine(1)}\n\n\n  indented\f \t\n \n\n<!-- end MSG-1 sha256:${HASH} key:k -->\n`;
    expect(scanInPieces(file).entries[0]?.text).toBe(`${headerLine(1)}\n\n\n  indented\f`);
  });

  it('is none without a marker, with a marker of another number, or with a marker that is not on a line of its own', () => {
    const marker = `<!-- end MSG-1 sha256:${HASH} key:k -->`;
    const markers = [``, `<!-- end MSG-2 sha256:${HASH} key:k -->`, ` ${marker}`, `${marker} x`, `x ${marker}`];
    for (const each of markers) {
      const { entries } = scanInPieces(`\n${entryText(1)}\n\n${each}\n`);
      expect(entries, each).toHaveLength(1);
      expect(entries[0]?.marker, each).toBeUndefined();
    }
  });

  it('ends at its marker: what stands behind it is stray text, with its line (format.md 1.6)', () => {
    const file = join(three[0] ?? '', 'Somebody wrote here.\nTwice.\n', three[1] ?? '');
    const { entries, strays } = scanInPieces(file);
    expect(entries).toHaveLength(2);
    expect(strays).toEqual([
      {
        at: file.indexOf('Somebody'),
        line: file.slice(0, file.indexOf('Somebody')).split('\n').length,
        lines: 2,
        first: 'Somebody wrote here.',
      },
    ]);
  });
});

describe('a torn entry (field case R12)', () => {
  const whole = marked(3, HASH, { body: 'last words' });

  it('is never complete, whichever of its last bytes are missing', () => {
    for (let cut = 2; cut < whole.raw.length; cut++) {
      const { entries } = scanInPieces(join(three.slice(0, 2)) + whole.raw.slice(0, -cut));
      expect(
        entries.filter((entry) => entry.marker).map((entry) => entry.header.number),
        `${cut} bytes`,
      ).toEqual([1, 2]);
    }
  });

  it('can never swallow the next header, since each append begins with a newline', () => {
    for (let cut = 1; cut < whole.raw.length; cut++) {
      const retry = marked(3, HASH, { body: 'once more' });
      const { entries } = scanInPieces(join(three.slice(0, 2)) + whole.raw.slice(0, -cut) + retry.raw);
      expect(entries.at(-1), `${cut} bytes`).toMatchObject({ header: { number: 3 }, marker: { hash: retry.hash } });
    }
  });

  it('is stray text, with its line, when only the head of its header was written', () => {
    const head = '## MSG-3 | 2026-11-30T08:00:00+00:00 | from: al';
    const file = `${unmarked(1).raw}${unmarked(2).raw}\n${head}`;
    const { entries, strays } = scanInPieces(file);
    expect(entries.map((entry) => entry.text)).toEqual([entryText(1), entryText(2)]);
    expect(strays).toEqual([{ at: file.indexOf(head), line: file.split('\n').length, lines: 1, first: head }]);
  });

  it('is no end of the unmarked entry before it, also when the next entry follows (format.md 3e)', () => {
    const file = `${unmarked(1).raw}\n## MSG-2 | 2026\n${unmarked(2).raw}`;
    const { entries, strays } = scanInPieces(file);
    expect(entries.map((entry) => entry.text)).toEqual([entryText(1), entryText(2)]);
    expect(strays).toMatchObject([{ first: '## MSG-2 | 2026', at: file.indexOf('## MSG-2 | 2026'), line: 6 }]);
  });
});

describe('the base line', () => {
  const base = renderBaseLine({ number: 7, hash: HASH }, 'archive/INDEX.md');

  it('counts only as the first line of the file', () => {
    expect(scanInPieces(`${base}\n${join(three)}`).bases).toEqual([{ number: 7, hash: HASH }]);
    expect(scanInPieces(`\uFEFF${base}\r\n${join(three)}`).bases).toEqual([{ number: 7, hash: HASH }]);
    expect(scanInPieces(`\n${base}\n`).bases).toEqual([]);
  });

  it('may be the published pointer, which is neither stray nor an entry', () => {
    const { entries, strays, bases } = scanInPieces(
      `> Older closed threads relocate verbatim to archive/ (see archive/INDEX.md).\n${unmarked(8).raw.slice(1)}`,
    );
    expect([entries.length, strays.length, bases.length]).toEqual([1, 0, 0]);
  });
});

describe('the fence line (format.md 5, decisions.md 16)', () => {
  const fence = `\n${renderFenceLine({ number: 1, hash: three[0]?.hash ?? '' })}\n`;

  it('ends the record: nothing behind it is told', () => {
    const told = scanInPieces(join(three.slice(0, 2), fence, three[2] ?? '', 'stray\n'));
    expect(told.entries).toHaveLength(2);
    expect(told.strays).toEqual([]);
    expect(told.fences).toMatchObject([{ number: 1, hash: three[0]?.hash }]);
  });

  it('is recognised inside a torn entry', () => {
    const told = scanInPieces(join(three.slice(0, 2), `\n${entryText(3)}`, fence, three[2] ?? ''));
    expect(told.entries.map((entry) => entry.marker !== undefined)).toEqual([true, true, false]);
    expect(told.fences).toHaveLength(1);
  });

  it('is plain text when a body quotes it', () => {
    const quoted = chain([{ body: `> ${fence.trim()}` }, {}]);
    expect(scanInPieces(join(quoted))).toMatchObject({ fences: [], entries: [{}, {}] });
  });
});

describe('conflict markers of a merge (field case R5, decisions.md 6)', () => {
  const ours = marked(4, three[2]?.hash ?? ZERO_HASH, { body: 'ours' });
  const theirs = marked(4, three[2]?.hash ?? ZERO_HASH, { body: 'theirs' });

  it('are told with their lines when they stand outside entries', () => {
    const file = `${join(three)}<<<<<<< HEAD${ours.raw}=======${theirs.raw}>>>>>>> side\n`;
    const { conflicts } = scanInPieces(file);
    const lines = file.split('\n');
    expect(conflicts.map(({ line }) => lines[line - 1])).toEqual(['<<<<<<< HEAD', '=======', '>>>>>>> side']);
  });

  it('are told when they stand in the published format, where no marker ends an entry', () => {
    const file = `${unmarked(1).raw}\n<<<<<<< HEAD${unmarked(2).raw}=======${unmarked(2).raw}>>>>>>> side\n`;
    expect(scanInPieces(file).conflicts.length).toBeGreaterThan(0);
  });

  it('are plain text when a body quotes them', () => {
    const says: Said[] = [{ body: 'See:\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> side' }, {}];
    expect(scanInPieces(join(chain(says))).conflicts).toEqual([]);
    expect(scanInPieces(join(unmarked(1, says[0]), unmarked(2))).conflicts).toEqual([]);
  });
});
