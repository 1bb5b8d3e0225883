import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reviewTurn, reviewVerdict } from '../../../src/agents/parse/review-turn.js';

describe('R3, R4: a turn is a check or a verdict', () => {
  it.each([
    ['CHECK: price of HLV-2201', 'price of HLV-2201'],
    ['  check: lower case', 'lower case'],
    ['Check:ratio: 3:1', 'ratio: 3:1'],
    ['CHECK:', ''],
    ['CHECK: one\nand more', 'one\nand more'],
  ])('%j is a check', (reply, query) => {
    expect(reviewTurn(reply)).toEqual({ kind: 'check', query });
  });

  it.each(['', 'CHECK price', 'I want to CHECK: price', '**CHECK:** price', 'Checks: none', 'CHECK : price'])(
    '%j is no check, so it is the verdict, verbatim',
    (reply) => {
      expect(reviewTurn(reply)).toMatchObject({ kind: 'verdict', verdict: reply.trim(), decision: 'neither' });
    },
  );

  it('property: a turn is a check exactly if its trimmed upper-case form starts with CHECK:', () => {
    const piece = fc.constantFrom('check', 'CHECK:', 'Check:', ' ', '\n', 'accept', ':', 'x');
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const reply = pieces.join('');
        const turn = reviewTurn(reply);
        expect(turn.kind === 'check').toBe(reply.trim().toUpperCase().startsWith('CHECK:'));
        if (turn.kind === 'verdict') expect(turn.verdict).toBe(reply.trim());
      }),
    );
  });
});

describe('what a verdict decides', () => {
  it.each([
    ['ACCEPT', 'accept', 'ACCEPT'],
    [' accept. ', 'accept', 'accept.'],
    ['**ACCEPT**', 'accept', '**ACCEPT**'],
    ['ACCEPT: both figures are in the bulletin', 'accept', 'ACCEPT: both figures are in the bulletin'],
    ['ACCEPT\nThe bulletin agrees.', 'accept', 'ACCEPT\nThe bulletin agrees.'],
    ['REJECT: it costs $46.00', 'reject', 'it costs $46.00'],
    ['Reject the price', 'reject', 'the price'],
    ['**REJECT:** it costs $46.00', 'reject', 'it costs $46.00'],
    ['REJECT', 'reject', ''],
    ['REJECTED: wrong', 'reject', 'wrong'],
  ])('%j is %s', (reply, decision, reason) => {
    expect(reviewVerdict(reply)).toEqual({ verdict: reply.trim(), decision, reason });
  });

  it.each([
    '',
    'ACCEPTABLE',
    'Acceptance is near',
    'REJECTION',
    'ACCEPT or REJECT: <reason>',
    'ACCEPT/REJECT',
    'REJECT or ACCEPT',
    'accept the draft? No.',
    'ACCEPT\n\nREJECT: on second thought, no',
    'I would ACCEPT',
    'NOT ACCEPT',
    'approved: yes',
    'APPROVE',
    "I can't help with that.",
    'CHECK: more',
  ])('%j is neither: in doubt nothing is accepted', (reply) => {
    expect(reviewVerdict(reply).decision).toBe('neither');
  });
});
