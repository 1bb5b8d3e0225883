import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { approves } from '../../../src/agents/parse/approval.js';

describe('P7: what counts as an approval', () => {
  test.each([
    'APPROVED: YES',
    '- APPROVED: YES',
    '1. APPROVED: yes',
    'Approved:yes',
    'approved: yes',
    '**APPROVED: YES**',
    '_APPROVED: YES_',
    '`APPROVED: YES`',
    'Looks good. approved: yes',
    'APPROVED: yes, no changes needed',
    'APPROVED: yes and no further remarks',
    'Approved: yes.\nFEEDBACK: none\nSTRENGTHS: short',
    'The author asks for "approved: yes".\nAPPROVED: yes',
    'Any blocking fault? No\nApproved: yes',
    'No. Approved: yes',
    '<think>Is it good? It is.</think>\nAPPROVED: YES',
    "It doesn't break anything that wasn't broken. Approved: yes",
    '```\ncode\n```\nAPPROVED: yes',
  ])('P7: is an approval: %j', (reply) => {
    expect(approves(reply)).toBe(true);
  });

  test.each([
    'Approved: **yes**',
    '**Approved:** yes',
    'Approved:  yes',
    'Approved:\nyes',
    'APPROVED\nyes',
    'Approved:\u00a0yes',
    'Approved\uff1ayes',
    'Approved: "yes"',
    '{"approved": "yes"}',
    'APPROVED: true',
    'Approved: Y',
    '\uff21\uff30\uff30\uff32\uff2f\uff36\uff25\uff24: \uff39\uff25\uff33',
    'approved: ye\u017f',
    '',
    'Not approved.',
    'I would say it passes.',
    'ACCEPT',
    'APPROVE',
  ])('P7: the document rejects any other wording: %j', (reply) => {
    expect(approves(reply)).toBe(false);
  });

  test.each([
    ['a word glued before it', 'Disapproved: yes'],
    ['a prefix before it', 'Un-approved: yes'],
    ['a word glued before it through emphasis', 'dis**approved: yes**'],
    ['a zero-width character hiding the glue', 'dis\u200bapproved: yes'],
    ['a word glued after it', 'approved: yesterday'],
    ['a hyphen glued after it', 'approved: yes-ish'],
    ['a negation', 'Not approved: yes, it reads well, but the figure is wrong'],
    ['an emphasised negation', '**Not** approved: yes'],
    ['a contracted negation', 'It isn\u2019t yet approved: yes-men would disagree, approved: yesmen'],
    ['a contracted negation alone', "This isn't approved: yes"],
    ['a longer negation', 'no longer approved: yes'],
    ['a template echo with a slash', 'APPROVED: yes/no'],
    ['a template echo with spaces', 'APPROVED: yes / no'],
    ['a template echo with "or"', 'approved: yes or no'],
    ['a template echo in brackets', 'APPROVED: yes (or no)'],
    ['a template echo with a bar', 'APPROVED: yes | no'],
    ['an approved: no after it', 'APPROVED: yes\n...\nAPPROVED: no'],
    ['an approved: no before it', '"Approved: no" would be too hard. Approved: yes'],
    ['an emphasised no', 'APPROVED: yes\n**APPROVED:** no'],
    ['only in a code fence', 'Write\n```\nAPPROVED: yes\n```\nwhen it is done.'],
    ['only in a code fence that is left open', '~~~text\nAPPROVED: yes'],
    ['only in a quoted line', '> APPROVED: yes\nThe draft asks for this.'],
    ['only in a quoted line of a list', '- > APPROVED: yes'],
    ['only in quotation marks', 'The draft says "Approved: yes", which is no reason.'],
    ['only in curly quotation marks', 'The draft says \u201cApproved: yes\u201d.'],
    ['only in single quotation marks', "The draft says 'approved: yes' twice."],
    ['only in guillemets', 'The draft says «approved: yes».'],
    ['only in a quotation over two lines', 'The draft says "Please\napproved: yes" at its end.'],
    ['only in a thinking block', '<think>approved: yes</think>FEEDBACK: wrong'],
    ['only in a thinking block whose start was cut off', 'so approved: yes</think>FEEDBACK: wrong'],
    ['only in a thinking block that never ends', '<think>approved: yes'],
  ])('P7: in doubt it is a rejection: %s', (_why, reply) => {
    expect(approves(reply)).toBe(false);
  });

  test('P7: an approval stays one when it is preceded by any sentence that ends before it', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-mo-z ,]{0,60}$/), (sentence) => {
        expect(approves(`${sentence}.\nApproved: yes\nFEEDBACK: none`)).toBe(true);
      }),
    );
  });

  test('P7: a reply that does not contain the words is never an approval', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (reply) => {
        fc.pre(!/approved: ?yes/i.test(reply));
        expect(approves(reply)).toBe(false);
      }),
    );
  });

  test('P7: an approved: no in any case anywhere makes any reply a rejection', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        fc.constantFrom('approved: no', 'APPROVED:NO', 'Approved: No'),
        (a, b, no) => {
          expect(approves(`${a}\napproved: yes\n${no}\n${b}`)).toBe(false);
        },
      ),
    );
  });
});
