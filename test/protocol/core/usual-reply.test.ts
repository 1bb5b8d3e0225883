import { describe, expect, it } from 'vitest';
import { EMPTY_STATE } from '../../../src/protocol/core/state.js';
import { usualReply } from '../../../src/protocol/core/usual-reply.js';
import type { Entry, EntryType } from '../../../src/protocol/core/words.js';

const RULES = { supervisor: 'owner', threadCap: 12, requireEvidence: {} };

/** Entries of one open thread, from what was said: the sender, the type, and what it decides. */
function answerOf(...said: readonly (readonly [sender: string, type: EntryType, decision?: string])[]): string {
  const entries: Entry[] = said.map(([sender, type, decision], at) => ({
    ...{ seq: at + 1, timestamp: '', sender, type, thread: 't', refs: '', body: 'x', hash: '', key: '', marked: true },
    trailers: decision === undefined ? [] : [{ key: 'Decision', value: decision }],
  }));
  const state = { ...EMPTY_STATE, seq: said.length, thread: 't', openedAt: 1, turn: 'alpha' };
  return usualReply({ state, entries }, 'alpha', RULES).type;
}

describe('how a thread is usually answered', () => {
  it('is by the last word of the other party', () => {
    expect(answerOf(['beta', 'review-request'])).toBe('verdict');
    expect(answerOf(['beta', 'verdict', 'request-changes'], ['alpha', 'fix-report'])).toBe('fix-report');
    expect(answerOf(['alpha', 'review-request'], ['beta', 'verdict', 'approve'])).toBe('close');
    expect(answerOf(['beta', 'question'])).toBe('info');
  });

  it('is the same after a remark of the supervisor, whose own request is answered where the other party said nothing', () => {
    expect(answerOf(['alpha', 'review-request'], ['beta', 'verdict', 'approve'], ['owner', 'info'])).toBe('close');
    expect(answerOf(['beta', 'review-request'], ['owner', 'question'])).toBe('verdict');
    expect(answerOf(['owner', 'review-request'])).toBe('verdict');
    expect(answerOf(['owner', 'question'])).toBe('info');
  });
});
