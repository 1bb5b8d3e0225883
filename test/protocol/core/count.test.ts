import { describe, expect, it } from 'vitest';
import { ZERO_HASH } from '../../../src/protocol/core/words.js';
import {
  ANN,
  BOB,
  chain,
  entryText,
  join,
  marked,
  OWNER,
  readerOf,
  readFrom,
  readWhole,
  type Said,
  scanInPieces,
  sha,
  unmarked,
  type Written,
} from './mailbox.js';

/** A thread of ann and bob that stays open. */
const TALK: readonly Said[] = [
  { from: ANN, type: 'review-request', body: 'one' },
  { from: BOB, type: 'verdict', body: 'two' },
  { from: ANN, type: 'fix-report', body: 'three' },
  { from: BOB, type: 'verdict', body: 'four' },
  { from: ANN, type: 'info', body: 'five' },
  { from: BOB, type: 'info', body: 'six' },
];
const talk = chain(TALK);
const [one, two, three, four, five, six] = talk as readonly [Written, Written, Written, Written, Written, Written];

function counted(file: string, reader = readerOf()): readonly number[] {
  return readWhole(file, reader).entries.map((entry) => entry.seq);
}

function stops(file: string, reader = readerOf()): readonly string[] {
  return readWhole(file, reader).stops.map((defect) => `${defect.kind} ${defect.seq}`);
}

function bodies(file: string): readonly string[] {
  return readWhole(file).entries.map((entry) => entry.body);
}

/** The same entry with other words under the old marker. */
function withOtherText(entry: Written): string {
  return entry.raw.replace(/\n\n([a-z]+)\n\n/, '\n\n$1 indeed\n\n');
}

/** The same entry with another stated hash. */
function withOtherMarker(entry: Written): string {
  return entry.raw.replace(entry.hash, sha('something else'));
}

describe('which entries count (DESIGN.md 4.2)', () => {
  it('are those that are complete and whose number is the next one', () => {
    expect(counted(join(talk))).toEqual([1, 2, 3, 4, 5, 6]);
    expect(stops(join(talk))).toEqual([]);
    expect(readWhole(join(talk)).state).toMatchObject({ seq: 6, hash: six.hash, thread: 't', turn: ANN });
  });

  it('are none in an empty mailbox, and in one of text only', () => {
    for (const file of ['', '\n', 'Some words.\n', '# CHANNEL\n\n'])
      expect(readWhole(file)).toMatchObject({ entries: [], stops: [], state: { seq: 0, hash: ZERO_HASH, thread: '' } });
  });

  it('are the first ones of two complete claims to a number: a single second claim is void, named, and stops nothing', () => {
    const late = marked(3, two.hash, { from: ANN, type: 'info', body: 'late' });
    for (const file of [join(talk.slice(0, 3), late), join(talk.slice(0, 3), late, four, five, six)]) {
      expect(bodies(file)).not.toContain('late');
      expect(stops(file)).toEqual([]);
      expect(readWhole(file).voided).toMatchObject([{ number: 3, why: 'not the next number' }]);
    }
  });

  it('are the first ones of claims that state the same hash too: the later has another key, and is void (field case L1)', () => {
    const says = { from: BOB, type: 'verdict', body: 'four' };
    const twin = marked(4, three.hash, { ...says, key: 'other-writer' });
    expect(twin.hash).toBe(four.hash);
    for (const rest of [[], [five], [five, six]]) {
      const file = join(one, two, three, four, twin, rest);
      expect(readWhole(file).entries[3]?.key).toBe('k4');
      expect(counted(file)).toEqual([1, 2, 3, 4, ...rest.map(({ number }) => number)]);
      expect(stops(file)).toEqual([]);
    }
  });

  it('are the first ones also where a copy of an old entry and a late claim over it are appended (field case L2)', () => {
    const late = marked(4, three.hash, { from: BOB, body: 'late' });
    const file = join(talk, three.raw, late);
    expect(bodies(file)).toEqual(['one', 'two', 'three', 'four', 'five', 'six']);
    expect(stops(file)).toEqual([]);
  });

  it('are the first ones where other words stand under a copied marker', () => {
    const file = join(one, two, three, four, withOtherText(four), five);
    expect(bodies(file)).toEqual(['one', 'two', 'three', 'four', 'five']);
    expect(stops(file)).toEqual([]);
  });

  it('are no entries without a marker, whoever wrote them (field case R2)', () => {
    const byHand = unmarked(4, { from: BOB, type: 'close', body: 'by hand' });
    const file = join(talk.slice(0, 3), byHand);
    expect(readWhole(file)).toMatchObject({
      state: { seq: 3, thread: 't', turn: BOB },
      stops: [],
      voided: [{ number: 4, why: 'unmarked' }],
    });
    expect(counted(join(talk.slice(0, 3), byHand, four, five))).toEqual([1, 2, 3, 4, 5]);
  });

  it('are no torn entries: the next one takes the number (field case R12)', () => {
    const torn = four.raw.slice(0, -6);
    expect(counted(join(talk.slice(0, 3), torn))).toEqual([1, 2, 3]);
    const retried = join(talk.slice(0, 3), torn, four, five);
    expect(counted(retried)).toEqual([1, 2, 3, 4, 5]);
    expect(stops(retried)).toEqual([]);
  });

  it('are judged by the chain of hashes also where the end is all that is left to judge from', () => {
    const withoutThree = join(one, two, four, five, six);
    expect(readWhole(withoutThree).state.seq).toBe(6);
    expect(readFrom(withoutThree, withoutThree.indexOf('## MSG-2') - 1)).toBeUndefined();
  });
});

describe('an altered entry (field case R13, format.md 2)', () => {
  const cases: readonly (readonly [string, (entry: Written) => string])[] = [
    ['text', withOtherText],
    ['marker', withOtherMarker],
  ];

  it.each(cases)(
    'whose %s was changed is named alone, keeps its number, and the entries after it stay in force',
    (_what, change) => {
      for (const [index, entry] of talk.entries()) {
        const file = join(talk.slice(0, index), change(entry), talk.slice(index + 1));
        expect(counted(file), `MSG-${index + 1}`).toEqual([1, 2, 3, 4, 5, 6]);
        expect(stops(file), `MSG-${index + 1}`).toEqual([`altered ${index + 1}`]);
      }
    },
  );

  it('moves nothing: an altered close closes nothing', () => {
    const says = [...TALK.slice(0, 2), { from: ANN, type: 'close', body: 'three' }];
    const closing = chain(says).at(-1) as Written;
    const file = join(one, two, withOtherText(closing));
    expect(readWhole(file).state).toMatchObject({ seq: 3, thread: 't', turn: ANN });
  });

  it('stops nobody once its thread was closed', () => {
    const says: Said[] = [...TALK.slice(0, 3), { from: BOB, type: 'close' }];
    const [a, b, c, d] = chain(says) as readonly [Written, Written, Written, Written];
    expect(stops(join(a, withOtherText(b), c, d))).toEqual([]);
  });

  it('lets no late claim before it count: the first one over the same predecessor stands (DESIGN.md 4.2)', () => {
    const late = marked(2, one.hash, { from: BOB, body: 'late' });
    const file = join(one, two, late, withOtherText(three), four);
    expect(bodies(file)).toEqual(['one', 'two', 'three indeed', 'four']);
    expect(stops(file)).toEqual(['altered 3']);
    for (const between of [join(withOtherText(two), late), join(two, withOtherText(late))])
      expect(bodies(join(one, between, withOtherText(three), four))[1]).toMatch(/^two/);
  });

  it('of a second side names the fork too: the claim of its own side stands before it', () => {
    const [twoB, threeB, fourB] = chain(
      [{ from: BOB, body: 'zwei' }, { body: 'drei' }, { from: BOB }],
      one,
    ) as readonly [Written, Written, Written];
    const file = join(one, two, three, twoB, withOtherText(threeB), fourB);
    expect(stops(file)).toEqual(['fork 2', 'altered 3']);
  });

  it('is one edited byte, wherever it stands in text or marker', () => {
    const file = join(talk.slice(0, 4));
    const from = file.indexOf('two');
    const to = file.indexOf(' key:k2');
    for (let at = from; at < to; at++) {
      if (/[\s<>!-]/.test(file[at] ?? '')) continue;
      const edited = `${file.slice(0, at)}~${file.slice(at + 1)}`;
      const found = stops(edited);
      // A marker that is none any more leaves an entry without one: then MSG-2 is missing.
      expect(['altered 2', 'gap 2'], file.slice(at, at + 9)).toContain(found.join());
    }
  });
});

describe('a gap', () => {
  it('is named by the first missing number, and the entries after it stay in force', () => {
    for (const [gone, kept] of [
      [3, [one, two, four, five, six]],
      [2, [one, three, four, five]],
    ] as const) {
      expect(stops(join(kept))).toEqual([`gap ${gone}`]);
      expect(readWhole(join(kept)).state.seq).toBe(kept.at(-1)?.number);
    }
  });

  it('is not filled by a claim that was forged long before: what counted since stays in force', () => {
    const forged = marked(4, sha('nothing'), { from: BOB, body: 'forged' });
    const file = join(one, forged, two, three, five, six);
    expect(bodies(file)).toEqual(['one', 'two', 'three', 'five', 'six']);
    // The forged claim itself looks like another side, as format.md 2 says.
    expect(stops(file)).toEqual(['fork 2', 'gap 4']);
  });

  it('before the last entry, which nothing links to yet, lets that entry not count', () => {
    const file = join(one, two, four);
    expect(stops(file)).toEqual(['gap 3']);
    expect(readWhole(file).state.seq).toBe(2);
  });
});

describe('a missing beginning (field case R3)', () => {
  it('stops, naming the first missing number', () => {
    expect(stops(join(six))).toEqual(['missing-beginning 1']);
    expect(stops(join(three, four, five, six))).toEqual(['missing-beginning 1']);
  });

  it('lets the one entry that is left count: no number is given twice (field case L5)', () => {
    const late = marked(6, five.hash, { from: BOB, body: 'late' });
    for (const file of [join(six), join(six, late), join(late, six)]) {
      expect(counted(file)).toEqual([6]);
      expect(stops(file)).toEqual(['missing-beginning 1']);
    }
    const next = marked(7, six.hash, { from: OWNER, thread: 't' });
    expect(counted(join(six, next))).toEqual([6, 7]);
  });

  it('is accepted by the number in the config: the entries count from there on', () => {
    const reader = readerOf({ base: { number: 2, hash: undefined } });
    expect(stops(join(three, four, five, six), reader)).toEqual([]);
    expect(counted(join(three, four, five, six), reader)).toEqual([3, 4, 5, 6]);
    expect(stops(join(four, five, six), reader)).toEqual(['missing-beginning 3']);
  });

  it('is none where the base line says what was archived, and the chain goes on from its hash (decisions.md 16)', () => {
    const line = (hash: string) =>
      `> Entries up to MSG-2 are in archive/ (see archive/INDEX.md). <!-- debate base MSG-2 sha256:${hash} -->\n`;
    const [c, d, e] = chain([{ type: 'question' }, { from: BOB }, {}], two) as readonly [Written, Written, Written];
    expect(stops(line(two.hash) + join(c, d))).toEqual([]);
    expect(counted(line(two.hash) + join(c, d))).toEqual([3, 4]);
    expect(stops(line(one.hash) + join(c, d))).toEqual(['altered 3']);
    expect(stops(line(two.hash) + join(d, e))).toEqual(['missing-beginning 3']);
    expect(readWhole(line(two.hash)).state).toMatchObject({ seq: 2, hash: two.hash });
    // The base line overrides the base of the config.
    expect(stops(line(two.hash) + join(c, d), readerOf({ base: { number: 1, hash: undefined } }))).toEqual([]);
  });

  it('goes on from the accepted number where no entry is left', () => {
    expect(readWhole('', readerOf({ base: { number: 6, hash: undefined } })).state.seq).toBe(6);
  });
});

describe('a fork (field case R5)', () => {
  const other = chain(
    [
      { from: BOB, type: 'verdict', body: 'FOUR' },
      { from: ANN, body: 'FIVE' },
      { from: BOB, body: 'SIX' },
    ],
    three,
  );
  const [fourB, fiveB, sixB] = other as readonly [Written, Written, Written];

  it('is two whole sides one after the other, in either order, of any length', () => {
    expect(stops(join(one, two, three, four, five, fourB, fiveB))).toEqual(['fork 4']);
    expect(stops(join(one, two, three, fourB, fiveB, four, five))).toEqual(['fork 4']);
    expect(stops(join(one, two, three, four, five, six, fourB, fiveB))).toEqual(['fork 4']);
    expect(stops(join(one, two, three, four, fourB, fiveB))).toEqual(['fork 4']);
    expect(stops(join(one, two, three, four, five, six, fourB, fiveB, sixB))).toEqual(['fork 4']);
  });

  it('is none where one side has a single entry that came late', () => {
    expect(stops(join(one, two, three, four, five, fourB))).toEqual([]);
    expect(bodies(join(one, two, three, four, five, fourB))).not.toContain('FOUR');
  });

  it('stops nobody after the supervisor has accepted it', () => {
    const before = join(one, two, three, four, five, fourB, fiveB);
    const accept = marked(6, fiveB.hash, { from: OWNER, body: 'seen\n\nDebate-Turn: ann\nDebate-Accept: MSG-4 fork' });
    expect(stops(before + accept.raw)).toEqual([]);
    expect(readWhole(before + accept.raw).state).toMatchObject({ seq: 6, thread: 't', turn: ANN });
  });
});

describe('the conflict markers of a merge (field case R5)', () => {
  const nine = (body: string) => marked(4, three.hash, { from: BOB, body });
  const file = `${join(one, two, three)}<<<<<<< HEAD${nine('ours').raw}=======${nine('theirs').raw}>>>>>>> side\n`;

  it('outside entries stop until a person resolved the merge', () => {
    expect(readWhole(file).stops.map(({ kind }) => kind)).toContain('conflict');
    const resolved = join(one, two, three, nine('ours'));
    expect(stops(resolved)).toEqual([]);
  });

  it('inside a body are just text', () => {
    const body = '<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> side';
    expect(
      stops(
        join(
          chain([
            { type: 'question', body },
            { from: BOB, body },
          ]),
        ),
      ),
    ).toEqual([]);
  });
});

describe('text outside entries (format.md 1.6)', () => {
  it('is listed, never obeyed', () => {
    const file = join(one, 'a remark\n', two, 'more\nlines\n');
    expect(counted(file)).toEqual([1, 2]);
    expect(stops(file)).toEqual([]);
    expect(readWhole(file).strays.map(({ first, lines }) => [first, lines])).toEqual([
      ['a remark', 1],
      ['more', 2],
    ]);
  });
});

describe('the torn tail (decisions.md 13)', () => {
  it('is what stands behind the last complete entry, without the blanks around it', () => {
    expect(readWhole(join(one, two)).tornTail).toBe('');
    expect(readWhole(join(one, two, three.raw.slice(0, -9))).tornTail).toBe(three.raw.slice(0, -9).trim());
    expect(readWhole(join(one, two, 'stray\n')).tornTail).toBe('stray');
    expect(readWhole(join(one, unmarked(2), two)).tornTail).toBe('');
    expect(readWhole('> Older entries are in archive/.\n').tornTail).toBe('');
    expect(readWhole('> Older entries are in archive/.\n\n## MSG-8 | 20').tornTail).toBe('## MSG-8 | 20');
  });
});

describe('the fence (decisions.md 16)', () => {
  it('voids what is appended behind it', () => {
    const fence = `\n<!-- debate fence cut:MSG-1 sha256:${one.hash} -->\n`;
    const reading = readWhole(join(one, two, fence, three));
    expect(reading.state.seq).toBe(2);
    expect(reading.fence).toMatchObject({ number: 1, hash: one.hash });
  });
});

describe('a reader (DESIGN.md 4.1)', () => {
  it('returns the same entries whatever the line endings (field case R4)', () => {
    const plain = readWhole(join(talk));
    for (const file of [join(talk).replaceAll('\n', '\r\n'), `\uFEFF${join(talk)}`, join(talk).slice(0, -1)]) {
      const found = readWhole(file);
      expect(found.entries).toEqual(plain.entries);
      expect(found.state).toEqual(plain.state);
      expect(found.stops).toEqual([]);
    }
  });

  it('chains as format.md 1.3 says: over the stated hash of the entry before and the text from ## to the last non-blank', () => {
    expect(two.hash).toBe(sha(`${one.hash}\n${entryText(2, TALK[1])}`));
    expect(scanInPieces(join(talk)).entries[1]?.text).toBe(entryText(2, TALK[1]));
  });
});
