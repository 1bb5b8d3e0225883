import { describe, expect, it } from 'vitest';
import type { State } from '../../../src/protocol/core/state.js';
import { bindWoken } from '../../../src/protocol/core/wake.js';
import type { Entry } from '../../../src/protocol/core/words.js';
import { stateAfter } from './drafts.js';
import { ANN, BOB, OWNER } from './mailbox.js';

const WAKE = { id: 'run7', party: BOB, seq: 1 };

function entry(seq: number, sender: string, key = ''): Entry {
  return {
    seq,
    sender,
    key,
    timestamp: '',
    type: 'info',
    thread: 't',
    refs: '',
    body: '',
    trailers: [],
    hash: '',
    marked: true,
  };
}

function bound(state: State, sender: string, explicit: number | undefined, entries: readonly Entry[]): number | string {
  const found = bindWoken(WAKE, sender, explicit, state, entries, OWNER);
  return found.ok ? found.ifSeq : found.objection.code;
}

const opened = stateAfter([{ type: 'review-request', thread: 't' }]);

describe('rule 9: a process that was woken (DESIGN.md 5)', () => {
  it('posts as its party only, never as another or as the supervisor (field case W13)', () => {
    expect(bound(opened, ANN, undefined, [entry(1, ANN)])).toBe('woken-as-another');
    expect(bound(opened, OWNER, undefined, [entry(1, ANN)])).toBe('woken-as-another');
  });

  it('answers the entry that it was woken for, unless it says otherwise', () => {
    expect(bound(opened, BOB, undefined, [entry(1, ANN)])).toBe(1);
    expect(bound(opened, BOB, 1, [entry(1, ANN)])).toBe(1);
    expect(bound(opened, BOB, 0, [entry(1, ANN)])).toBe(0);
  });

  it("answers, after its own post, that post: the implicit if_seq is this run's own last entry (format.md 4)", () => {
    const state = stateAfter([{ sender: BOB }], {}, opened);
    const entries = [entry(1, ANN), entry(2, BOB, 'run7-abc')];
    expect(bound(state, BOB, undefined, entries)).toBe(2);
    expect(bound(state, BOB, undefined, [entry(1, ANN), entry(2, BOB, 'run70-abc')])).toBe(1);
  });

  it('may answer the newest entry by name when only the supervisor has spoken since and the turn is still its own (field case W14)', () => {
    const state = stateAfter([{ sender: OWNER }], {}, opened);
    const entries = [entry(1, ANN), entry(2, OWNER)];
    expect(bound(state, BOB, 2, entries)).toBe(2);
    expect(bound(state, BOB, undefined, entries)).toBe(1);
  });

  it('is refused a seq that it was not woken for', () => {
    const spoken = stateAfter([{ sender: BOB }, { sender: ANN }], {}, opened);
    expect(bound(spoken, BOB, 3, [entry(1, ANN), entry(2, BOB), entry(3, ANN)])).toBe('moved-on');
    const moved = stateAfter([{ sender: OWNER, turn: ANN }], {}, opened);
    expect(bound(moved, BOB, 2, [entry(1, ANN), entry(2, OWNER)])).toBe('moved-on');
    const twice = stateAfter([{ sender: OWNER }, { sender: OWNER }], {}, opened);
    expect(bound(twice, BOB, 2, [entry(1, ANN), entry(2, OWNER), entry(3, OWNER)])).toBe('moved-on');
  });

  it('is refused where the entries in between cannot be seen', () => {
    const state = stateAfter([{ sender: OWNER }, { sender: OWNER }], {}, opened);
    expect(bound(state, BOB, 3, [entry(3, OWNER)])).toBe('moved-on');
  });
});
