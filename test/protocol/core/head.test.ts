import { describe, expect, it } from 'vitest';
import { judgeBeginning } from '../../../src/protocol/core/head.js';
import { ANN, BOB, chain, join, marked, readerOf, readFrom, type Said, unmarked, type Written } from './mailbox.js';

const FIRST_BYTES = 4096;
const says: readonly Said[] = Array.from({ length: 12 }, (_, i) => ({
  from: i % 2 ? BOB : ANN,
  body: 'x'.repeat(400),
}));
const long = chain(says);

function beginning(file: string, reader = readerOf()): string | undefined {
  const found = judgeBeginning(Buffer.from(file).subarray(0, FIRST_BYTES), reader).missing;
  return found && `${found.kind} ${found.seq}`;
}

describe('the beginning of a mailbox that is read from its end (format.md 2, field case R3)', () => {
  it('must be the entry after the base', () => {
    expect(beginning(join(long))).toBeUndefined();
    expect(beginning(join(long.slice(2)))).toBe('missing-beginning 1');
    expect(beginning(join(long.slice(2)), readerOf({ base: { number: 2, hash: undefined } }))).toBeUndefined();
    const line = `> Entries up to MSG-2 are in archive/ (see archive/INDEX.md). <!-- debate base MSG-2 sha256:${long[1]?.hash} -->\n`;
    expect(beginning(line + join(long.slice(2)))).toBeUndefined();
    expect(beginning(line + join(long.slice(3)))).toBe('missing-beginning 3');
  });

  it('may be an entry that is longer than what is read of it', () => {
    const large = marked(1, '0'.repeat(64), { body: 'x'.repeat(9000) });
    expect(beginning(join(large))).toBeUndefined();
    expect(beginning(join(marked(7, '0'.repeat(64), { body: 'x'.repeat(9000) })))).toBe('missing-beginning 1');
  });

  it('may have torn or hand-written claims before it: they are void there as everywhere', () => {
    expect(beginning(join(unmarked(7), long))).toBeUndefined();
    expect(beginning(join(long[0]?.raw.slice(0, -9) ?? '', long))).toBeUndefined();
    expect(beginning(`# A heading\n\n${join(long)}`)).toBeUndefined();
  });

  it('is anything in the published format, and in a channel that was migrated from it', () => {
    expect(beginning(join(unmarked(7), unmarked(9)), readerOf({ format: 1 }))).toBeUndefined();
    expect(beginning(join(unmarked(7)), readerOf({ formatSince: 8 }))).toBeUndefined();
  });
});

describe('a window that begins inside the record', () => {
  it('never takes a late, void claim for the entry that counted before the window', () => {
    const talk: readonly Said[] = [
      { from: ANN, type: 'question' },
      { from: BOB },
      { from: ANN, type: 'close' },
      { from: ANN, type: 'question', thread: 'u' },
      { from: BOB, type: 'close', thread: 'u' },
      { from: ANN, type: 'question', thread: 'v' },
      { from: BOB, type: 'close', thread: 'v' },
    ];
    const [one, two, three, ...rest] = chain(talk) as readonly [Written, Written, Written, ...Written[]];
    const late = marked(2, one.hash, { from: BOB, body: 'late', key: 'late' });
    const file = join(one, two, late, three, rest);
    const start = Buffer.byteLength(join(one, two));
    // Nothing in the window verifies MSG-3, so that it is not told.
    expect(readFrom(file, start)?.entries.map((entry) => entry.seq)).toEqual([4, 5, 6, 7]);
    expect(readFrom(file, start)?.stops).toEqual([]);
  });
});
