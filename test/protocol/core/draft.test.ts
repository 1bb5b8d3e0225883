import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { admit } from '../../../src/protocol/core/admit.js';
import { normaliseBody } from '../../../src/protocol/core/body.js';
import { defectOf } from '../../../src/protocol/core/defect.js';
import { authoredBody, type Draft, isSameDraft } from '../../../src/protocol/core/draft.js';
import { factsOf, toEntry } from '../../../src/protocol/core/facts.js';
import { Scanner } from '../../../src/protocol/core/scan.js';
import type { State } from '../../../src/protocol/core/state.js';
import type { Entry } from '../../../src/protocol/core/words.js';
import { draft, NOTHING_ELSE, RULES, stateAfter } from './drafts.js';
import { ANN, BOB, marked, OWNER } from './mailbox.js';

const opened = stateAfter([{ type: 'review-request', thread: 't' }]);

const paragraph = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
  fc.constantFrom(
    'APPROVE: 27 passed.',
    'Seen-by: bob',
    'a: b\nc: d',
    '> Debate-Turn: bob',
    'Debate: yes',
    '```',
    '- x',
    'x\n \ny',
    'Key: value\n',
  ),
);
const body = fc.array(paragraph, { minLength: 1, maxLength: 4 }).map((all) => normaliseBody(all.join('\n\n')).body);

const given: fc.Arbitrary<Partial<Draft>> = fc.oneof(
  fc.record({
    sender: fc.constant(BOB),
    type: fc.constantFrom('info', 'question', 'close', 'fix-report'),
    body,
    ask: fc.boolean(),
    checks: fc.subarray(['tests 4e9f21c exit 1 log sha256:aa', 'lint 4e9f21c exit 0 log sha256:bb']),
    refs: fc.constantFrom('', 'x@4e9f21c', 'a | b'),
  }),
  fc.record({
    sender: fc.constant(BOB),
    type: fc.constant('verdict'),
    body,
    decision: fc.constantFrom('approve', 'request-changes'),
  }),
  fc.record({
    sender: fc.constant(OWNER),
    body,
    turn: fc.constantFrom(undefined, ANN, BOB),
    cap: fc.constantFrom(undefined, 5, 999_999),
  }),
  fc.record({ sender: fc.constant(OWNER), body, force: fc.constant(true), thread: fc.constantFrom('t', 'aside') }),
  fc.record({ sender: fc.constant(OWNER), body, accept: fc.constant(true), turn: fc.constant(ANN) }),
);
const defects = Array.from({ length: 200 }, (_, i) => defectOf('altered', i + 1, i, i));

/** What every reader makes of an admitted draft, once it is in the file. */
function recordedEntry(state: State, change: Partial<Draft>) {
  const asked = draft(change);
  const about = change.accept ? { ...NOTHING_ELSE, defects } : NOTHING_ELSE;
  const verdict = admit(state, { ...RULES, maxBodyBytes: 1 << 20 }, asked, about);
  if (!verdict.ok) return undefined;
  const { raw } = marked(2, 'a'.repeat(64), {
    from: asked.sender,
    type: asked.type,
    thread: verdict.facts.thread,
    refs: asked.refs || '-',
    body: verdict.body,
  });
  const found: { entry: Entry; facts: ReturnType<typeof factsOf> }[] = [];
  const scanner = new Scanner(
    { entry: (scanned) => found.push({ entry: toEntry(scanned, 'h'), facts: factsOf(scanned) }) },
    { start: 0, cutFirstLine: false },
  );
  scanner.push(Buffer.from(raw));
  scanner.end();
  return { asked, verdict, found };
}

describe('what is admitted is what is read (DESIGN.md 5: post and verify can never disagree)', () => {
  it('holds for facts, body and refs of any draft', () => {
    let admitted = 0;
    fc.assert(
      fc.property(given, (change) => {
        const recorded = recordedEntry(opened, change);
        if (!recorded) return;
        admitted += 1;
        const { asked, verdict, found } = recorded;
        expect(found).toHaveLength(1);
        expect(found[0]?.facts).toEqual(verdict.facts);
        expect(found[0]?.entry).toMatchObject({ body: verdict.body, refs: asked.refs, sender: asked.sender });
      }),
      { numRuns: 400 },
    );
    expect(admitted).toBeGreaterThan(100);
  });

  it('holds for the same draft, which is known again by type, refs, body, and the thread if it was given (decisions.md 11)', () => {
    fc.assert(
      fc.property(given, (change) => {
        const recorded = recordedEntry(opened, change);
        if (!recorded?.found[0]) return;
        const { asked, found } = recorded;
        const { entry } = found[0] ?? { entry: undefined };
        if (!entry) return;
        expect(isSameDraft(asked, entry)).toBe(true);
        expect(isSameDraft({ ...asked, thread: entry.thread }, entry)).toBe(true);
        expect(isSameDraft({ ...asked, thread: 'another' }, entry)).toBe(false);
        expect(isSameDraft({ ...asked, refs: 'y@7654321' }, entry)).toBe(false);
        expect(isSameDraft({ ...asked, body: `${asked.body}!` }, entry)).toBe(false);
        expect(isSameDraft({ ...asked, sender: ANN }, entry)).toBe(false);
        expect(isSameDraft({ ...asked, turn: asked.turn === BOB ? ANN : BOB }, entry)).toBe(false);
        expect(isSameDraft({ ...asked, cap: 77 }, entry)).toBe(false);
        expect(isSameDraft({ ...asked, ask: !asked.ask }, entry)).toBe(false);
        expect(isSameDraft({ ...asked, accept: !asked.accept }, entry)).toBe(false);
      }),
      { numRuns: 300 },
    );
  });
});

describe("the tool's trailers", () => {
  it('form a paragraph of their own, below everything that the author wrote', () => {
    const verdict = admit(
      opened,
      RULES,
      draft({ sender: BOB, type: 'verdict', decision: 'approve', ask: true }),
      NOTHING_ELSE,
    );
    expect(verdict).toMatchObject({ body: 'text\n\nDecision: approve\n\nDebate-Ask: yes' });
  });

  it("are not part of what the author wrote; in an entry without a marker nothing is the tool's (format.md 3f)", () => {
    const text = 'text\n\nDebate-Turn: bob';
    expect(authoredBody({ body: text, marked: true })).toBe('text');
    expect(authoredBody({ body: text, marked: false })).toBe(text);
  });

  it('accept any number of defects', () => {
    const recorded = recordedEntry(opened, { sender: OWNER, accept: true, turn: ANN });
    expect(recorded?.found[0]?.facts.accepts).toHaveLength(defects.length);
  });
});
