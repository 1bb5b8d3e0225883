import { describe, expect, it } from 'vitest';
import { type Facts, plainFacts } from '../../../src/protocol/core/facts.js';
import { advance, type Stand } from '../../../src/protocol/core/fold.js';
import { EMPTY_STATE, type State } from '../../../src/protocol/core/state.js';
import { stateAfter } from './drafts.js';
import { ANN, BOB, chain, join, OWNER, readerOf, readWhole, type Said } from './mailbox.js';

const NAMES = { parties: [ANN, BOB] as [string, string], supervisor: OWNER };
const opened = stateAfter([{ type: 'review-request', thread: 't' }]);

function stand(change: Partial<Stand> = {}): Stand {
  return {
    seq: 2,
    hash: 'f6'.repeat(32),
    timestamp: 'later',
    published: false,
    altered: false,
    broken: false,
    ...change,
  };
}

function facts(sender: string, type: string, thread: string, change: Partial<Facts> = {}): Facts {
  return { ...plainFacts(sender, type, thread, false), ...change };
}

function whereItStands({ thread, turn, openedAt, spoken, cap, asked }: State) {
  return { thread, turn, openedAt, spoken, cap, asked };
}

/** The verdict on entries that were written by hand with good markers: whatever they break, they count. */
function readSays(says: readonly Said[], reader = readerOf()) {
  return readWhole(join(chain(says)), reader);
}

const open: Said = { type: 'review-request', thread: 't' };

describe('an entry that counts and breaks the rules (field case R2, decisions.md 3)', () => {
  const broken: readonly (readonly [string, Said])[] = [
    ['out of turn', { from: ANN }],
    ['by nobody of this channel', { from: 'eve' }],
    ['under another slug', { from: BOB, thread: 'u' }],
    ['of an unknown type', { from: BOB, type: 'remark' }],
    ["with the supervisor's trailer from a party", { from: BOB, body: 'x\n\nDebate-Turn: bob' }],
    ['with a forged force', { from: BOB, thread: 'u', body: 'x\n\nDebate-Forced: yes' }],
    ['with a forged acceptance', { from: ANN, body: 'x\n\nDebate-Turn: ann\nDebate-Accept: MSG-1 altered' }],
    ['by the supervisor under another slug without force', { from: OWNER, type: 'close', thread: 'u' }],
    ['with a question from the supervisor to itself', { from: OWNER, body: 'x\n\nDebate-Ask: yes' }],
    ['with a cap that is no number', { from: OWNER, body: 'x\n\nDebate-Cap: many' }],
    [
      'that re-points from beside the thread',
      { from: OWNER, thread: 'u', body: 'x\n\nDebate-Forced: yes\nDebate-Turn: ann' },
    ],
    ['under no slug', { from: BOB, thread: 'Not A Slug' }],
  ];

  it.each(broken)('%s: it takes its number, moves nothing, and stops the parties by its name', (_name, said) => {
    const before = readSays([open]);
    const { state, stops } = readSays([open, said]);
    expect(stops).toMatchObject([{ kind: 'against-rules', seq: 2 }]);
    expect(state.seq).toBe(2);
    if (said.from !== 'eve') expect(whereItStands(state)).toEqual(whereItStands(before.state));
  });

  it('opens nothing when it could not have opened', () => {
    for (const said of [
      { type: 'verdict' },
      { type: 'fix-report' },
      { from: OWNER },
      { from: OWNER, type: 'verdict', body: 'x\n\nDebate-Turn: ann' },
      { from: OWNER, body: 'x\n\nDebate-Forced: yes' },
    ] as readonly Said[])
      expect(readSays([said]), JSON.stringify(said)).toMatchObject({
        state: { seq: 1, thread: '', turn: '' },
        stops: [{ kind: 'against-rules', seq: 1 }],
      });
  });

  it('does not make what follows it wrong: the entry of the party whose turn it is is in order', () => {
    const { state, stops } = readSays([open, { from: ANN }, { from: BOB, type: 'verdict' }]);
    expect(stops.map((defect) => defect.seq)).toEqual([2]);
    expect(state).toMatchObject({ seq: 3, thread: 't', turn: ANN, spoken: 2 });
  });

  it('stops nobody any more after an unforced close', () => {
    const { state, stops } = readSays([open, { from: ANN }, { from: BOB, type: 'close' }]);
    expect(stops).toEqual([]);
    expect(state).toMatchObject({ seq: 3, thread: '', lastClosed: 't' });
  });

  it('still stops after a close that the rules refuse, and after one by force', () => {
    expect(readSays([open, { from: ANN }, { from: ANN, type: 'close' }]).stops.map(({ seq }) => seq)).toEqual([2, 3]);
    const forced: Said = { from: OWNER, type: 'close', thread: 'u', body: 'x\n\nDebate-Forced: yes' };
    expect(readSays([open, { from: ANN }, forced])).toMatchObject({ state: { thread: 't' }, stops: [{ seq: 2 }] });
  });

  it('clears no thread by repetition: closes under other slugs are no corrections while it is open', () => {
    const closes = Array.from({ length: 6 }, (_, i): Said => ({ from: OWNER, type: 'close', thread: `c${i}` }));
    const { state, stops } = readSays([open, ...closes], readerOf({ threadCap: 2 }));
    expect(state).toMatchObject({ thread: 't', turn: BOB });
    expect(stops.map(({ seq }) => seq)).toEqual([2, 3, 4, 5, 6, 7]);
  });

  it('reads no reserved trailer outside the paragraph that the tool writes', () => {
    const { state, stops } = readSays([open, { from: OWNER, body: 'Debate-Turn: ann' }]);
    expect(stops).toEqual([]);
    expect(state.turn).toBe(BOB);
  });
});

describe('an acceptance (decisions.md 4)', () => {
  const accept = (rest: string, change: Said = {}): Said => ({ from: OWNER, ...change, body: `seen\n\n${rest}` });

  it('restarts the fold: the thread goes on with whom it names, and earlier defects stop nobody', () => {
    const turn = accept('Debate-Turn: bob\nDebate-Accept: MSG-2 against-rules');
    const { state, stops } = readSays([open, { from: ANN }, turn]);
    expect(stops).toEqual([]);
    expect(state).toMatchObject({ seq: 3, thread: 't', turn: BOB, spoken: 0, openedAt: 3 });
  });

  it('closes when it is a close, whatever was open', () => {
    const close = accept('Debate-Accept: MSG-2 against-rules', { type: 'close' });
    expect(readSays([open, { from: ANN }, close])).toMatchObject({
      stops: [],
      state: { thread: '', turn: '', lastClosed: 't' },
    });
  });

  it('must say how the thread goes on, or it is itself against the rules', () => {
    const { stops } = readSays([open, { from: ANN }, accept('Debate-Accept: MSG-2 against-rules')]);
    expect(stops.map(({ seq }) => seq)).toEqual([2, 3]);
  });

  it('leaves later defects as they are', () => {
    const turn = accept('Debate-Turn: bob\nDebate-Accept: MSG-2 against-rules');
    expect(readSays([open, { from: ANN }, turn, { from: ANN }]).stops.map(({ seq }) => seq)).toEqual([4]);
  });
});

describe('what the published tool admitted', () => {
  it('is not judged again (DESIGN.md 4.2)', () => {
    const step = advance(opened, NAMES, facts(ANN, 'verdict', 't'), stand({ published: true }));
    expect(step).toMatchObject({ state: { thread: 't', turn: BOB, seq: 2 } });
    expect(step.objection).toBeUndefined();
  });

  it('folds by its rules: any close clears; the supervisor opens with any type and nobody due (format.md 3f)', () => {
    const close = advance(opened, NAMES, facts(ANN, 'close', 'other'), stand({ published: true }));
    expect(close.state).toMatchObject({ thread: '', turn: '' });
    const opening = advance(EMPTY_STATE, NAMES, facts(OWNER, 'verdict', 'x'), stand({ published: true }));
    expect(opening.state).toMatchObject({ thread: 'x', turn: '', openedAt: 2 });
    const aside = advance(opened, NAMES, facts(OWNER, 'info', 'aside'), stand({ published: true }));
    expect(aside.state).toMatchObject({ thread: 't', turn: BOB });
  });
});

describe('an altered entry, and what follows something missing', () => {
  it('keeps its number and moves nothing (decisions.md 3)', () => {
    const step = advance(opened, NAMES, facts(BOB, 'close', 't'), stand({ altered: true }));
    expect(step.objection).toBeUndefined();
    expect(step.state).toMatchObject({ thread: 't', turn: BOB, seq: 2, updatedAt: 'later', unsure: true });
  });

  it('is not held against the entries after it, until the next close', () => {
    const unsure = advance(opened, NAMES, facts(BOB, 'info', 't'), stand({ altered: true })).state;
    const next = advance(unsure, NAMES, facts(ANN, 'info', 't'), stand({ seq: 3 }));
    expect(next).toMatchObject({ state: { turn: BOB, unsure: true } });
    expect(next.objection).toBeUndefined();
    const closed = advance(next.state, NAMES, facts(BOB, 'close', 't'), stand({ seq: 4 }));
    expect(closed.state).toMatchObject({ thread: '', unsure: false });
  });
});

describe('a change of the config', () => {
  const renamed = readerOf({ parties: ['carl', 'dora'], supervisor: OWNER });

  it('never makes an old, closed thread wrong (DESIGN.md 5)', () => {
    const says: Said[] = [open, { from: BOB, type: 'verdict' }, { from: ANN, type: 'close' }];
    expect(readSays(says, renamed)).toMatchObject({ stops: [], state: { seq: 3, thread: '' } });
    const byOwner: Said[] = [
      { from: OWNER, type: 'question', body: 'x\n\nDebate-Turn: ann' },
      { from: ANN },
      { from: BOB },
      { from: ANN, type: 'close' },
      { from: 'carl', type: 'question', thread: 'u' },
    ];
    expect(readSays(byOwner, renamed)).toMatchObject({ stops: [], state: { seq: 5, thread: 'u', turn: 'dora' } });
  });

  it('stops in an open thread whose party it no longer names', () => {
    expect(readSays([open, { from: BOB }], renamed).stops.map(({ seq }) => seq)).toEqual([1, 2]);
  });
});

describe('since when the turn is parked (issue: status)', () => {
  it("is the last party's entry, the opening, or the supervisor's re-pointing; a remark does not reset it", () => {
    expect(opened.parkedSince).toBe('time 1');
    const remark = stateAfter([{ sender: OWNER }], {}, opened);
    expect(remark).toMatchObject({ parkedSince: 'time 1', updatedAt: 'time 2' });
    expect(stateAfter([{ sender: OWNER, turn: ANN }], {}, opened).parkedSince).toBe('time 2');
    expect(stateAfter([{ sender: BOB }], {}, opened).parkedSince).toBe('time 2');
    expect(stateAfter([{ sender: BOB, type: 'close' }], {}, opened).parkedSince).toBe('');
  });
});
