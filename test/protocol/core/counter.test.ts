import { describe, expect, it } from 'vitest';
import {
  ANN,
  BOB,
  chain,
  join,
  marked,
  readerOf,
  readFrom,
  readWhole,
  type Said,
  sha,
  unmarked,
  type Written,
} from './mailbox.js';

/** A channel that the published tool wrote up to MSG-4, and that was migrated then. */
const SINCE = 5;
const reader = readerOf({ formatSince: SINCE });
const old = [
  unmarked(1, { from: ANN, type: 'question', thread: 'old' }),
  unmarked(2, { from: BOB, type: 'close', thread: 'old' }),
  unmarked(4, { from: ANN, type: 'question', thread: 't' }),
] as const;
const says: readonly Said[] = [
  { from: BOB },
  { from: ANN },
  { from: BOB, type: 'close' },
  { from: ANN, type: 'question', thread: 'u' },
];
const ours = chain(says, old[2]);
const [five, six, seven, eight] = ours as readonly [Written, Written, Written, Written];

function counted(file: string, change = reader): readonly number[] {
  return readWhole(file, change).entries.map((entry) => entry.seq);
}

function stops(file: string, change = reader): readonly string[] {
  return readWhole(file, change).stops.map((defect) => `${defect.kind} ${defect.seq}`);
}

describe('a channel that was migrated (format.md 3)', () => {
  it('keeps its older unmarked entries, gaps included, and chains to the last of them', () => {
    expect(counted(join(old, ours))).toEqual([1, 2, 4, 5, 6, 7, 8]);
    expect(stops(join(old, ours))).toEqual([]);
    expect(readWhole(join(old, ours), reader).state).toMatchObject({ seq: 8, thread: 'u', turn: BOB });
  });

  it('binds format 2 from the next entry on: an unmarked one is void, a gap is a defect', () => {
    const byHand = unmarked(9, { from: BOB });
    expect(counted(join(old, ours, byHand))).toEqual([1, 2, 4, 5, 6, 7, 8]);
    expect(counted(join(old, unmarked(5, { from: BOB })))).toEqual([1, 2, 4]);
    expect(stops(join(old, five, seven, eight))).toEqual([]);
    expect(readWhole(join(old, five, marked(7, five.hash, { from: ANN })), reader).stops).toMatchObject([
      { kind: 'gap', seq: 6 },
    ]);
  });

  it('has no entries of ours yet right after the migration', () => {
    expect(readWhole(join(old), reader)).toMatchObject({
      stops: [],
      state: { seq: 4, hash: old[2].hash, thread: 't', turn: BOB },
    });
  });

  it('lets the first entry of ours name which of the older ones were in force', () => {
    const first = marked(5, old[2].hash, { from: BOB });
    expect(counted(join(old, unmarked(4, { thread: 't', body: 'a later claim' }), first))).toEqual([1, 2, 4, 5]);
  });

  it('names an altered entry on either side of the migration', () => {
    expect(stops(join(old, five, six).replace('body 6', 'body six'))).toEqual(['altered 6']);
    expect(stops(join(old, five, six).replace('body 4', 'body four'))).toEqual(['altered 5']);
  });

  it('is read alike from any line', () => {
    const more = chain(
      [
        { from: BOB, type: 'close', thread: 'u' },
        { from: BOB, type: 'question', thread: 'v' },
        { from: ANN, type: 'close', thread: 'v' },
        { from: ANN, type: 'question', thread: 'w' },
      ],
      eight,
    );
    const file = join(old, ours, more);
    const whole = readWhole(file, reader);
    let judged = 0;
    for (let start = file.indexOf('\n', 1); start > 0; start = file.indexOf('\n', start + 1)) {
      const reading = readFrom(file, start, reader);
      if (!reading) continue;
      judged += 1;
      expect(reading.state).toEqual(whole.state);
      expect(reading.stops).toEqual([]);
    }
    expect(judged).toBeGreaterThan(5);
  });

  it('may have archived everything before: the number goes on, chained to nothing that is known', () => {
    const emptied = readerOf({ formatSince: SINCE, base: { number: 4, hash: undefined } });
    const pointer = '> Older closed threads relocate verbatim to archive/ (see archive/INDEX.md).\n';
    expect(readWhole(pointer, emptied).state.seq).toBe(4);
    const first = marked(5, '0'.repeat(64), { from: ANN, type: 'question' });
    const second = marked(6, first.hash, { from: BOB });
    expect(stops(pointer + join(first, second), emptied)).toEqual([]);
    expect(counted(pointer + join(first, second), emptied)).toEqual([5, 6]);
    const outOfTurn = marked(6, first.hash, { from: ANN });
    expect(stops(pointer + join(first, outOfTurn), emptied)).toEqual(['against-rules 6']);
  });
});

describe('a migrated channel that was compacted (format.md 5)', () => {
  const base = (entry: Written) =>
    `> Entries up to MSG-${entry.number} are in archive/ (see archive/INDEX.md). <!-- debate base MSG-${entry.number} sha256:${entry.hash} -->\n`;

  it('goes on from a base line behind the migration', () => {
    expect(stops(base(seven) + join(eight))).toEqual([]);
    expect(counted(base(seven) + join(eight))).toEqual([8]);
    expect(readWhole(base(seven), reader).state).toMatchObject({ seq: 7, hash: seven.hash });
    const next = chain(
      [
        { from: BOB, thread: 'u' },
        { from: ANN, thread: 'u' },
      ],
      eight,
    );
    expect(stops(base(seven) + join(eight, next))).toEqual([]);
    expect(stops(base(seven) + join(next))).toEqual(['missing-beginning 8']);
  });

  it('goes on from a base line before it, and from one right at it', () => {
    expect(stops(base(old[1]) + join(old[2], ours))).toEqual([]);
    expect(counted(base(old[1]) + join(old[2], ours))).toEqual([4, 5, 6, 7, 8]);
    const opening = marked(5, sha('x'), { from: ANN, type: 'question' });
    const atIt = { number: 4, hash: sha('x') };
    expect(stops(base({ ...opening, ...atIt }) + join(opening))).toEqual([]);
    expect(stops(base({ ...opening, number: 4, hash: sha('y') }) + join(opening))).toEqual(['altered 5']);
  });
});
