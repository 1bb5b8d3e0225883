import { describe, expect, it } from 'vitest';
import { EMPTY_STATE } from '../../../src/protocol/core/state.js';
import { ENTRY_TYPES } from '../../../src/protocol/core/words.js';
import { stateAfter, verdictOn } from './drafts.js';
import { ANN, BOB, OWNER } from './mailbox.js';

const opened = stateAfter([{ type: 'review-request', thread: 't' }]);
const closed = stateAfter([
  { type: 'question', thread: 't' },
  { sender: BOB, type: 'close' },
]);

describe('rule 1: the form (DESIGN.md 5)', () => {
  it('knows six types', () => {
    expect(verdictOn(EMPTY_STATE, { thread: 't', type: 'remark' })).toBe('unknown-type');
    for (const type of ENTRY_TYPES) expect(verdictOn(opened, { sender: BOB, type }), type).toBe('admitted');
  });

  it('knows the two parties and the supervisor', () => {
    expect(verdictOn(EMPTY_STATE, { thread: 't', sender: 'eve' })).toBe('unknown-sender');
  });

  it('wants a slug for a thread', () => {
    for (const thread of ['T', 'a b', '-a', 'a\nb', 'a|b', 'ä', 'a\u2028b'])
      expect(verdictOn(EMPTY_STATE, { thread }), thread).toBe('bad-slug');
  });

  it('wants refs on one line, after any separator (field case R1)', () => {
    for (const refs of ['a\nb', 'a\u2028b', 'a\vb', ' a', 'a ', '-'])
      expect(verdictOn(EMPTY_STATE, { thread: 't', refs }), JSON.stringify(refs)).toBe('bad-refs');
    expect(verdictOn(EMPTY_STATE, { thread: 't', refs: 'a | b@4e9f21c' })).toBe('admitted');
  });

  it('wants a body', () => {
    expect(verdictOn(EMPTY_STATE, { thread: 't', body: '' })).toBe('empty-body');
  });

  it('wants no forged line and no reserved trailer in it', () => {
    expect(verdictOn(EMPTY_STATE, { thread: 't', body: 'x\n## MSG-1 | y' })).toBe('forged-line');
    expect(verdictOn(EMPTY_STATE, { thread: 't', body: 'x\n\nDebate-Turn: bob' })).toBe('reserved-trailer');
    expect(verdictOn(EMPTY_STATE, { thread: 't', body: 'x\0' })).toBe('bad-bytes');
  });
});

describe("rule 2: what is the supervisor's alone", () => {
  it('is force, an explicit turn, a cap and acceptance', () => {
    for (const change of [{ force: true }, { turn: BOB }, { cap: 20 }, { accept: true }])
      expect(verdictOn(opened, { sender: BOB, ...change }), JSON.stringify(change)).toBe('supervisor-only');
  });

  it("is not asking, which is a party's", () => {
    expect(verdictOn(opened, { sender: OWNER, ask: true })).toBe('party-only');
    expect(verdictOn(opened, { sender: BOB, ask: true })).toBe('admitted');
  });

  it('names a party for the turn', () => {
    expect(verdictOn(opened, { sender: OWNER, turn: OWNER })).toBe('bad-turn');
    expect(verdictOn(opened, { sender: OWNER, turn: 'eve' })).toBe('bad-turn');
    expect(verdictOn(opened, { sender: OWNER, turn: ANN })).toBe('admitted');
  });
});

describe('rule 3: no thread is open', () => {
  it('is opened by a party with review-request, question or info, and nothing else opens one', () => {
    for (const type of ENTRY_TYPES) {
      const expected = ['verdict', 'fix-report'].includes(type) ? 'cannot-open' : 'admitted';
      expect(verdictOn(EMPTY_STATE, { type, thread: 't' }), type).toBe(expected);
    }
    expect(stateAfter([{ type: 'question', thread: 't' }])).toMatchObject({ thread: 't', turn: BOB, openedAt: 1 });
  });

  it('needs the draft to name a thread', () => {
    expect(verdictOn(EMPTY_STATE, {})).toBe('thread-needed');
    expect(verdictOn(closed, { sender: OWNER, turn: ANN })).toBe('thread-needed');
  });

  it('lets a one-shot correction be recorded with close under another slug: it opens nothing and wakes nobody', () => {
    const corrected = stateAfter([{ type: 'close', thread: 'correction-1' }], {}, closed);
    expect(corrected).toMatchObject({ thread: '', turn: '', corrections: 1, lastClosed: 'correction-1' });
  });

  it('refuses a second close of the thread that was closed last', () => {
    expect(verdictOn(closed, { type: 'close', thread: 't' })).toBe('already-closed');
    expect(verdictOn(closed, { type: 'close', thread: 't', sender: OWNER })).toBe('already-closed');
  });

  it('lets at most thread_cap corrections follow each other; a thread or the supervisor ends the row', () => {
    const corrections = ['c1', 'c2', 'c3', 'c4'].map((thread) => ({ type: 'close', thread }));
    const full = stateAfter(corrections, {}, closed);
    expect(verdictOn(full, { type: 'close', thread: 'c5' })).toBe('too-many-corrections');
    expect(verdictOn(full, { type: 'close', thread: 'c5', sender: OWNER })).toBe('admitted');
    expect(verdictOn(full, { type: 'info', thread: 'c5' })).toBe('admitted');
    const again = stateAfter(
      [
        { type: 'info', thread: 'x' },
        { sender: BOB, type: 'close' },
      ],
      {},
      full,
    );
    expect(verdictOn(again, { type: 'close', thread: 'c5' })).toBe('admitted');
  });

  it('lets a slug be opened again, with its cap counted from the latest opening (decisions.md 9)', () => {
    const full = stateAfter([
      { type: 'question', thread: 't' },
      { sender: BOB },
      { sender: ANN },
      { sender: BOB },
      { sender: ANN, type: 'close' },
      { type: 'question', thread: 't', sender: ANN },
    ]);
    expect(full).toMatchObject({ thread: 't', turn: BOB, spoken: 1, openedAt: 6 });
  });
});

describe('rule 4: a thread is open', () => {
  it('takes entries of its own slug only', () => {
    expect(verdictOn(opened, { sender: BOB, thread: 'other' })).toBe('thread-open');
    expect(verdictOn(opened, { sender: OWNER, thread: 'other' })).toBe('thread-open');
  });

  it('takes entries of the party whose turn it is only: the other one is refused, also with a close', () => {
    for (const type of ENTRY_TYPES) expect(verdictOn(opened, { sender: ANN, type }), type).toBe('not-your-turn');
  });

  it('lets the supervisor record under another slug by force: it never closes or re-points the open thread', () => {
    for (const type of ENTRY_TYPES) {
      const beside = stateAfter([{ sender: OWNER, type, thread: 'aside', force: true }], {}, opened);
      expect(beside, type).toMatchObject({ thread: 't', turn: BOB, spoken: 1, seq: 2 });
    }
  });

  it('never lets force re-point or lengthen the open thread from beside it', () => {
    expect(verdictOn(opened, { sender: OWNER, thread: 'aside', force: true, turn: ANN })).toBe('thread-open');
    expect(verdictOn(opened, { sender: OWNER, thread: 'aside', force: true, cap: 20 })).toBe('thread-open');
  });

  it('takes force without another slug as an ordinary entry (decisions.md 8)', () => {
    expect(verdictOn(opened, { sender: OWNER, force: true })).toBe('admitted');
    expect(verdictOn(EMPTY_STATE, { sender: OWNER, thread: 't', turn: ANN, force: true })).toBe('admitted');
  });
});

describe('rule 5: the cap', () => {
  const full = stateAfter([{ type: 'question', thread: 't' }, { sender: BOB }, { sender: ANN }, { sender: BOB }]);

  it('leaves a party nothing but close', () => {
    for (const type of ENTRY_TYPES)
      expect(verdictOn(full, { type }), type).toBe(type === 'close' ? 'admitted' : 'at-cap');
  });

  it('does not count the supervisor, who may always speak', () => {
    const chatty = stateAfter([{ sender: OWNER }, { sender: OWNER }, { sender: OWNER }], {}, opened);
    expect(chatty.spoken).toBe(1);
    expect(verdictOn(full, { sender: OWNER })).toBe('admitted');
    expect(verdictOn(stateAfter([{ sender: OWNER }], {}, full), { type: 'info' })).toBe('at-cap');
  });

  it('is lengthened by the supervisor for one thread', () => {
    const longer = stateAfter([{ sender: OWNER, cap: 6 }], {}, full);
    expect(verdictOn(longer, {})).toBe('admitted');
    const used = stateAfter([{ sender: ANN }, { sender: BOB }], {}, longer);
    expect(verdictOn(used, {})).toBe('at-cap');
    const next = stateAfter(
      [
        { sender: ANN, type: 'close' },
        { type: 'info', thread: 'u' },
      ],
      {},
      used,
    );
    expect(next.cap).toBeUndefined();
  });

  it('is never shortened, and is a whole number that the record can hold', () => {
    for (const cap of [4, 3, 0, -1])
      expect(verdictOn(full, { sender: OWNER, cap }), String(cap)).toBe('cap-not-longer');
    for (const cap of [4.5, Number.NaN, 1_000_000, 1e21])
      expect(verdictOn(full, { sender: OWNER, cap }), String(cap)).toBe('cap-not-longer');
    expect(verdictOn(full, { sender: OWNER, cap: 999_999 })).toBe('admitted');
  });

  it('may be set by the supervisor with the opening', () => {
    const short = stateAfter([{ sender: OWNER, thread: 't', turn: ANN, cap: 1 }, { sender: ANN }]);
    expect(verdictOn(short, { sender: BOB })).toBe('at-cap');
    expect(verdictOn(short, { sender: BOB, type: 'close' })).toBe('admitted');
  });
});

describe('rule 6: the turn', () => {
  it('passes to the other party, and close clears thread and turn', () => {
    expect(stateAfter([{ sender: BOB }], {}, opened)).toMatchObject({ thread: 't', turn: ANN });
    expect(stateAfter([{ sender: BOB, type: 'close' }], {}, opened)).toMatchObject({
      thread: '',
      turn: '',
      lastClosed: 't',
    });
  });

  it('is never taken by the supervisor, who may post at any time', () => {
    for (const type of ENTRY_TYPES.filter((each) => each !== 'close'))
      expect(stateAfter([{ sender: OWNER, type }], {}, opened), type).toMatchObject({ thread: 't', turn: BOB });
    expect(stateAfter([{ sender: OWNER, type: 'close' }], {}, opened)).toMatchObject({ thread: '', turn: '' });
  });

  it('is re-pointed by the supervisor in an open thread', () => {
    expect(stateAfter([{ sender: OWNER, turn: ANN }], {}, opened)).toMatchObject({ turn: ANN });
  });

  it('is named by the supervisor who opens a thread, with the three opening types only (decisions.md 9)', () => {
    expect(verdictOn(EMPTY_STATE, { sender: OWNER, thread: 't' })).toBe('turn-required');
    for (const type of ['verdict', 'fix-report'])
      expect(verdictOn(EMPTY_STATE, { sender: OWNER, thread: 't', type, turn: ANN }), type).toBe('cannot-open');
    for (const type of ['review-request', 'question', 'info'])
      expect(stateAfter([{ sender: OWNER, thread: 't', type, turn: ANN }]), type).toMatchObject({
        thread: 't',
        turn: ANN,
      });
  });

  it("is anybody's in an old record where nobody is due", () => {
    const nobody = { ...opened, turn: '' };
    expect(verdictOn(nobody, { sender: ANN })).toBe('admitted');
    expect(verdictOn(nobody, { sender: BOB })).toBe('admitted');
    expect(stateAfter([{ sender: ANN }], {}, nobody).turn).toBe(BOB);
  });

  it('stays between those who speak in the thread when the config names others since', () => {
    const renamed = { parties: ['carl', 'dora'] as [string, string] };
    expect(verdictOn(opened, { sender: OWNER, turn: ANN }, {}, renamed)).toBe('admitted');
    expect(verdictOn(opened, { sender: OWNER, turn: 'carl' }, {}, renamed)).toBe('admitted');
    expect(verdictOn(opened, { sender: OWNER, turn: BOB }, {}, renamed)).toBe('bad-turn');
  });
});

describe('--ask', () => {
  it('passes the turn as always and stands until the supervisor has spoken', () => {
    const asked = stateAfter([{ sender: BOB, ask: true }], {}, opened);
    expect(asked).toMatchObject({ turn: ANN, asked: 2 });
    expect(stateAfter([{ sender: ANN }], {}, asked).asked).toBe(2);
    expect(stateAfter([{ sender: OWNER }], {}, asked).asked).toBe(0);
    expect(stateAfter([{ sender: ANN, type: 'close' }], {}, asked).asked).toBe(0);
  });
});
