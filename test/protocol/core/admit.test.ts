import { describe, expect, it } from 'vitest';
import { admit } from '../../../src/protocol/core/admit.js';
import { defectOf } from '../../../src/protocol/core/defect.js';
import type { Draft } from '../../../src/protocol/core/draft.js';
import type { RefusalCode } from '../../../src/protocol/core/refusal.js';
import { EMPTY_STATE } from '../../../src/protocol/core/state.js';
import { draft, NOTHING_ELSE, RULES, stateAfter, verdictOn } from './drafts.js';
import { ANN, BOB, OWNER } from './mailbox.js';

const opened = stateAfter([{ type: 'review-request', thread: 't' }]);
const closed = stateAfter([{ sender: BOB, type: 'close' }], {}, opened);
const full = stateAfter([{ sender: BOB }, { sender: ANN }, { sender: BOB }], {}, opened);
const altered = defectOf('altered', 1, 0, 1);
const fork = defectOf('fork', 2, 90, 9);
const conflict = defectOf('conflict', 0, 99, 12);
const missing = defectOf('missing-beginning', 1, 0, 1);

describe('rule 7: if_seq', () => {
  it('refuses a draft that answers a state which the channel has left', () => {
    expect(verdictOn(opened, { sender: BOB }, { ifSeq: 1 })).toBe('admitted');
    expect(verdictOn(opened, { sender: BOB }, { ifSeq: 0 })).toBe('moved-on');
    expect(verdictOn(opened, { sender: BOB }, { ifSeq: 2 })).toBe('seq-ahead');
  });

  it('says moved-on to whoever is out of turn by now, too: that is what it has to read', () => {
    expect(verdictOn(opened, { sender: ANN }, { ifSeq: 0 })).toBe('moved-on');
  });
});

describe('rule 8: evidence', () => {
  const rules = { requireEvidence: { verdict: ['tests', 'lint'] } };
  const ran = (name: string) => `${name} 4e9f21c exit 1 log sha256:aa`;

  it("is required of a type in the form of the tool's own record; what the check returned does not matter", () => {
    expect(verdictOn(opened, { sender: BOB, type: 'verdict' }, {}, rules)).toBe('evidence-missing');
    expect(verdictOn(opened, { sender: BOB, type: 'verdict', checks: [ran('tests')] }, {}, rules)).toBe(
      'evidence-missing',
    );
    expect(verdictOn(opened, { sender: BOB, type: 'verdict', checks: [ran('tests'), ran('lint')] }, {}, rules)).toBe(
      'admitted',
    );
    expect(verdictOn(opened, { sender: BOB, type: 'info' }, {}, rules)).toBe('admitted');
  });

  it('of another name that begins alike is none', () => {
    expect(verdictOn(opened, { sender: BOB, type: 'verdict', checks: [ran('tests-2'), ran('lint')] }, {}, rules)).toBe(
      'evidence-missing',
    );
  });

  it('is not required of the supervisor', () => {
    expect(verdictOn(opened, { sender: OWNER, type: 'verdict' }, {}, rules)).toBe('admitted');
  });
});

describe('what binds only at admission', () => {
  it('is the size of a body, in bytes: it is never cut', () => {
    expect(verdictOn(opened, { sender: BOB, body: 'x'.repeat(1024) })).toBe('admitted');
    expect(verdictOn(opened, { sender: BOB, body: 'x'.repeat(1025) })).toBe('body-too-large');
    expect(verdictOn(opened, { sender: BOB, body: 'ä'.repeat(513) })).toBe('body-too-large');
  });

  it('is a secret, a citation that is no commit, a key', () => {
    expect(verdictOn(opened, { sender: BOB }, { secret: 'github' })).toBe('secret');
    expect(verdictOn(opened, { sender: BOB }, { unknownCommits: ['x@4e9f21c'] })).toBe('no-such-commit');
    for (const key of ['', '--', 'a--b', 'a b', '-a', 'x'.repeat(129)])
      expect(verdictOn(opened, { sender: BOB }, { key }), key).toBe('bad-key');
  });

  it('is the cap as it is configured now', () => {
    expect(verdictOn(full, { sender: ANN })).toBe('at-cap');
    expect(verdictOn(full, { sender: ANN }, {}, { threadCap: 5 })).toBe('admitted');
  });

  it('lets a supervisor force past a secret, a citation and a size, and past nothing else (decisions.md 8)', () => {
    const body = 'x'.repeat(2000);
    const about = { secret: 'github', unknownCommits: ['x@4e9f21c'] };
    const forced = admit(opened, RULES, draft({ sender: OWNER, force: true, body }), { ...NOTHING_ELSE, ...about });
    expect(forced).toMatchObject({ ok: true, body, facts: { forced: false } });
    expect(verdictOn(opened, { sender: OWNER, body }, about)).toBe('body-too-large');
    expect(verdictOn(opened, { sender: OWNER, force: true, body: 'x\0' })).toBe('bad-bytes');
    expect(verdictOn(opened, { sender: OWNER, force: true, type: 'remark' })).toBe('unknown-type');
    expect(verdictOn(opened, { sender: OWNER, force: true, turn: 'eve' })).toBe('bad-turn');
  });
});

describe('a decision', () => {
  it('is approve or request-changes, rides as a trailer, and only in a verdict', () => {
    const verdict = admit(opened, RULES, draft({ sender: BOB, type: 'verdict', decision: 'approve' }), NOTHING_ELSE);
    expect(verdict).toMatchObject({ ok: true, body: 'text\n\nDecision: approve' });
    expect(verdictOn(opened, { sender: BOB, type: 'info', decision: 'approve' })).toBe('bad-decision');
    expect(verdictOn(opened, { sender: BOB, type: 'verdict', body: 'x\n\nDecision: maybe' })).toBe('bad-decision');
    const two = { sender: BOB, type: 'verdict', body: 'x\n\nDecision: approve', decision: 'request-changes' } as const;
    expect(verdictOn(opened, two)).toBe('bad-decision');
  });

  it('is written once, into the last paragraph when that is one of trailers already', () => {
    const given = { sender: BOB, type: 'verdict', decision: 'approve' } as const;
    const bodyOf = (body: string) => admit(opened, RULES, draft({ ...given, body }), NOTHING_ELSE);
    expect(bodyOf('x\n\nSeen-by: bob')).toMatchObject({ body: 'x\n\nSeen-by: bob\nDecision: approve' });
    expect(bodyOf('x\n\nDecision: approve')).toMatchObject({ body: 'x\n\nDecision: approve' });
  });
});

describe('a defect of the record (DESIGN.md 4.2, decisions.md 4 and 12)', () => {
  it('stops parties and names itself; the supervisor may always post', () => {
    expect(verdictOn(opened, { sender: BOB }, { defects: [altered] })).toBe('record-stopped');
    expect(verdictOn(opened, { sender: OWNER }, { defects: [altered] })).toBe('admitted');
    const refused = admit(opened, RULES, draft({ sender: BOB }), { ...NOTHING_ELSE, defects: [altered] });
    expect(refused).toMatchObject({ objection: { message: expect.stringContaining(altered.message) } });
  });

  it('is accepted with --turn or --type close, one trailer a defect', () => {
    const about = { ...NOTHING_ELSE, defects: [altered, fork, conflict] };
    const accepted = admit(opened, RULES, draft({ sender: OWNER, accept: true, turn: BOB }), about);
    expect(accepted).toMatchObject({
      ok: true,
      body: 'text\n\nDebate-Turn: bob\nDebate-Accept: MSG-1 altered\nDebate-Accept: MSG-2 fork\nDebate-Accept: conflict',
    });
    expect(verdictOn(opened, { sender: OWNER, accept: true, type: 'close' }, about)).toBe('admitted');
    expect(verdictOn(opened, { sender: OWNER, accept: true }, about)).toBe('accept-needs-turn');
  });

  it('is accepted only where there is one', () => {
    expect(verdictOn(opened, { sender: OWNER, accept: true, turn: BOB })).toBe('nothing-to-accept');
  });

  it('tells the way out that helps: a missing beginning is accepted by repair (format.md 2)', () => {
    const refused = admit(opened, RULES, draft({ sender: BOB }), { ...NOTHING_ELSE, defects: [missing] });
    expect(refused).toMatchObject({
      objection: { code: 'record-stopped', hint: expect.stringContaining('--accept-missing') },
    });
    expect(verdictOn(opened, { sender: OWNER, accept: true, turn: BOB }, { defects: [missing] })).toBe(
      'nothing-to-accept',
    );
    const both = { ...NOTHING_ELSE, defects: [missing, fork] };
    expect(admit(opened, RULES, draft({ sender: OWNER, accept: true, turn: BOB }), both)).toMatchObject({
      body: 'text\n\nDebate-Turn: bob\nDebate-Accept: MSG-2 fork',
    });
  });
});

describe('every refusal', () => {
  const corrections = stateAfter(
    ['c1', 'c2', 'c3', 'c4'].map((thread) => ({ type: 'close', thread })),
    {},
    closed,
  );
  const cases: readonly (readonly [RefusalCode, Parameters<typeof verdictOn>, string])[] = [
    ['unknown-type', [EMPTY_STATE, { thread: 't', type: 'x' }], 'review-request'],
    ['unknown-sender', [EMPTY_STATE, { thread: 't', sender: 'eve' }], ANN],
    ['bad-slug', [EMPTY_STATE, { thread: 'A B' }], 'lower-case'],
    ['bad-refs', [EMPTY_STATE, { thread: 't', refs: 'a\nb' }], '--refs'],
    ['empty-body', [EMPTY_STATE, { thread: 't', body: '' }], '--body'],
    ['forged-line', [EMPTY_STATE, { thread: 't', body: '## MSG-1 | x' }], '> '],
    ['reserved-trailer', [EMPTY_STATE, { thread: 't', body: 'Debate-Ask: yes' }], '> '],
    ['supervisor-only', [opened, { sender: BOB, turn: ANN }], '--ask'],
    ['party-only', [opened, { sender: OWNER, ask: true }], '--ask'],
    ['thread-needed', [EMPTY_STATE, {}], '--thread'],
    ['cannot-open', [EMPTY_STATE, { thread: 't', type: 'verdict' }], 'review-request'],
    ['already-closed', [closed, { thread: 't', type: 'close' }], 'fresh slug'],
    ['turn-required', [EMPTY_STATE, { thread: 't', sender: OWNER }], '--turn'],
    ['bad-turn', [opened, { sender: OWNER, turn: 'eve' }], ANN],
    ['thread-open', [opened, { sender: BOB, thread: 'u' }], 'closed'],
    ['thread-open', [opened, { sender: OWNER, thread: 'u' }], '--force'],
    ['not-your-turn', [opened, { sender: ANN }], 'Stop'],
    ['at-cap', [full, {}], 'close'],
    ['cap-not-longer', [opened, { sender: OWNER, cap: 2 }], 'above 4'],
    ['too-many-corrections', [corrections, { type: 'close', thread: 'c5' }], 'info'],
    ['moved-on', [opened, { sender: BOB }, { ifSeq: 0 }], 'debate read --since 0'],
    ['seq-ahead', [opened, { sender: BOB }, { ifSeq: 9 }], 'debate read'],
    ['bad-key', [opened, { sender: BOB }, { key: '--' }], 'letters'],
    ['bad-decision', [opened, { sender: BOB, decision: 'approve' }], '--decision'],
    ['body-too-large', [opened, { sender: BOB, body: 'x'.repeat(1025) }], 'cite'],
    ['bad-bytes', [opened, { sender: BOB, body: 'a\0b' }], 'Remove'],
    ['secret', [opened, { sender: BOB }, { secret: 'github' }], 'Remove'],
    ['no-such-commit', [opened, { sender: BOB }, { unknownCommits: ['x@4e9f21c'] }], 'Commit first'],
    [
      'evidence-missing',
      [opened, { sender: BOB, type: 'verdict' }, {}, { requireEvidence: { verdict: ['tests'] } }],
      '--check tests',
    ],
    ['nothing-to-accept', [opened, { sender: OWNER, accept: true, turn: BOB }], 'without --accept'],
    ['accept-needs-turn', [opened, { sender: OWNER, accept: true }, { defects: [altered] }], '--turn'],
    ['record-stopped', [opened, { sender: BOB }, { defects: [altered] }], '--accept'],
  ];

  it.each(cases)(
    '%s says in one sentence what and why, and what to do now',
    (code, [state, change, about, rules], remedy) => {
      const verdict = admit(state, { ...RULES, ...rules }, draft(change), { ...NOTHING_ELSE, ...about });
      if (verdict.ok) throw new Error('it was admitted');
      const { message, hint } = verdict.objection;
      expect(verdict.objection.code).toBe(code);
      expect(hint).toContain(remedy);
      for (const sentence of [message, hint]) {
        expect(sentence).toMatch(/[.?]$/);
        expect(sentence.split('\n')).toHaveLength(1);
      }
    },
  );

  it('does not echo a secret or a long key', () => {
    const key = `--${'s'.repeat(200)}`;
    const verdict = admit(opened, RULES, draft({ sender: BOB }), { ...NOTHING_ELSE, key });
    expect(JSON.stringify(verdict).length).toBeLessThan(400);
  });

  it('offers force to the supervisor alone', () => {
    const hintFor = (sender: string, change: Partial<Draft> = {}) => {
      const verdict = admit(opened, RULES, draft({ sender, ...change }), { ...NOTHING_ELSE, secret: 'github' });
      return verdict.ok ? '' : verdict.objection.hint;
    };
    expect(hintFor(OWNER)).toContain('--force');
    expect(hintFor(BOB)).not.toContain('--force');
  });
});
