import { describe, expect, it } from 'vitest';
import { newestCitation } from '../../src/protocol/core/citation.js';
import { type Draft, PLAIN_DRAFT } from '../../src/protocol/core/draft.js';
import { judgeEvidence, renderEvidence } from '../../src/protocol/core/evidence.js';
import { EMPTY_STATE } from '../../src/protocol/core/state.js';
import type { Entry } from '../../src/protocol/core/words.js';

const commit = '4e9f21c0'.repeat(5);
const ran = (name: string, at = commit) =>
  renderEvidence({ name, commit: at, exit: 1, durationSeconds: 12.3, log: 'ab'.repeat(32) });
const verdict: Draft = {
  ...PLAIN_DRAFT,
  sender: 'bob',
  type: 'verdict',
  refs: 'parser@4e9f21c',
  body: 'text',
  decision: 'approve',
};
const required = { verdict: ['tests', 'lint'] };
const judged = (change: Partial<Draft>, cited?: { name: string; commit: string }) =>
  judgeEvidence(required, { ...verdict, ...change }, cited);

describe('rule 8: required evidence', () => {
  it('is the record of every check that is required, at the commit that the draft cites, whatever it returned', () => {
    expect(judged({ checks: [ran('tests'), ran('lint')] })).toBeUndefined();
    expect(judged({ checks: [ran('tests')] })?.code).toBe('evidence-missing');
    expect(judged({ checks: [] })?.code).toBe('evidence-missing');
  });

  it('at another commit than the cited one is none', () => {
    const other = 'abcdef01'.repeat(5);
    expect(judged({ checks: [ran('tests', other), ran('lint')] })?.message).toContain('of tests at');
    expect(judged({ refs: 'old@abcdef0 parser@4e9f21c', checks: [ran('tests'), ran('lint')] })).toBeUndefined();
  });

  it('is not asked of other types', () => {
    expect(judged({ type: 'info' })).toBeUndefined();
    expect(judgeEvidence({}, { ...verdict, type: 'constructor' }, undefined)).toBeUndefined();
  });

  it('that is missing is refused with the command that satisfies it', () => {
    expect(judged({})?.hint).toBe(
      'Give it with the draft: `debate post --as bob --type verdict --decision approve --refs parser@4e9f21c --check tests --check lint --body-file FILE`.',
    );
  });

  it('of a draft that cites nothing: the command cites what the thread cited last', () => {
    expect(judged({ refs: '' }, { name: 'parser', commit: 'abcdef0' })?.hint).toContain(
      '--refs parser@abcdef0 --check',
    );
    expect(judged({ refs: '' })?.hint).toContain('--refs NAME@COMMIT --check');
  });

  it('puts nothing into that command that a shell would run', () => {
    expect(judged({ refs: '' }, { name: "$(id)'`id`", commit: 'abcdef0' })?.hint).toContain(
      "--refs '$(id)`id`@abcdef0'",
    );
  });
});

describe('the newest citation of the open thread', () => {
  const entry = (seq: number, thread: string, refs: string): Entry => ({
    ...{
      seq,
      thread,
      refs,
      timestamp: '',
      sender: 'ann',
      type: 'info',
      body: '',
      trailers: [],
      hash: '',
      key: 'k',
      marked: true,
    },
  });
  const entries = [
    entry(1, 'a', 'a@1111111'),
    entry(2, 'b', 'b@2222222, b@3333333'),
    entry(3, 'other', 'c@4444444'),
    entry(4, 'b', 'MSG-2'),
  ];

  it('is the last one of the newest entry of the thread that has one', () => {
    expect(newestCitation(entries, { ...EMPTY_STATE, thread: 'b', openedAt: 2 })).toEqual({
      name: 'b',
      commit: '3333333',
    });
  });

  it('is none when no thread is open, or none of its entries cites', () => {
    expect(newestCitation(entries, EMPTY_STATE)).toBeUndefined();
    expect(newestCitation(entries, { ...EMPTY_STATE, thread: 'b', openedAt: 4 })).toBeUndefined();
  });
});
