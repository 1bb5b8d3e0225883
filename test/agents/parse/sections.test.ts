import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sectionsOf } from '../../../src/agents/parse/sections.js';

const JUDGE = ['VERDICT', 'REASONING', 'PRO SUMMARY', 'CON SUMMARY', 'CONFIDENCE'] as const;

function judged(reply: string): Record<string, string> {
  return Object.fromEntries(sectionsOf(reply, JUDGE));
}

describe('D18, D21: the sections of a judge', () => {
  const all = {
    VERDICT: 'Stay.',
    REASONING: 'Cost.\n1. one\n2. two',
    'PRO SUMMARY': 'Scale.',
    'CON SUMMARY': 'Work.',
    CONFIDENCE: '80%',
  };

  test.each([
    [
      'numbers and colons',
      '1. VERDICT: Stay.\n2. REASONING: Cost.\n1. one\n2. two\n3. PRO SUMMARY: Scale.\n4. CON SUMMARY: Work.\n5. CONFIDENCE: 80%',
    ],
    [
      'markdown headings',
      '## 1. Verdict\nStay.\n\n## 2. Reasoning\nCost.\n1. one\n2. two\n\n### Pro Summary\nScale.\n### con summary\nWork.\n## Confidence\n80%',
    ],
    [
      'bold headings',
      '**VERDICT:** Stay.\r\n**REASONING**: Cost.\r\n1. one\r\n2. two\r\n**3. PRO SUMMARY**\r\nScale.\r\n__CON SUMMARY__\r\nWork.\r\n- **Confidence** - 80%',
    ],
    [
      'other numbers',
      '(1) VERDICT\nStay.\n2) REASONING\nCost.\n1. one\n2. two\n3: PRO-SUMMARY:\nScale.\n4.CON_SUMMARY: Work.\n5. CONFIDENCE – 80%',
    ],
  ])('D18: headings in any case, with or without number and markdown: %s', (_name, reply) => {
    expect(judged(reply)).toEqual(all);
  });

  test('D18: a missing section and a blank one are both missing', () => {
    expect(judged('1. VERDICT:\n2. REASONING: because')).toEqual({ REASONING: 'because' });
    expect(judged('I refuse to judge.')).toEqual({});
    expect(judged('')).toEqual({});
  });

  test('D18: a sentence that begins with a heading word is no heading', () => {
    expect(judged('1. VERDICT: Stay.\nVerdict is clear because of cost.\nConfidence in this is low.')).toEqual({
      VERDICT: 'Stay.\nVerdict is clear because of cost.\nConfidence in this is low.',
    });
  });

  test('D18: the first section of a name counts', () => {
    expect(judged('VERDICT: a\nREASONING: b\nVERDICT: c')).toEqual({ VERDICT: 'a', REASONING: 'b' });
  });

  test('P13: the same mechanism reads the sections of a peer reviewer by its own names', () => {
    const reply = 'APPROVED: no\nFEEDBACK:\n- name the date\n- VERDICT: is a word here\nSTRENGTHS: short';
    expect(sectionsOf(reply, ['APPROVED', 'FEEDBACK', 'STRENGTHS']).get('FEEDBACK')).toBe(
      '- name the date\n- VERDICT: is a word here',
    );
  });

  test('D18: what stands under a heading comes back as it was written, without the blank around it', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[ -~]{0,30}$/), { maxLength: 5 }), (lines) => {
        fc.pre(!lines.some((line) => /verdict|reasoning|summary|confidence/i.test(line)));
        const body = lines.join('\n').trim();
        expect(judged(`1. VERDICT\n${body}\n2. REASONING\nx`).VERDICT).toBe(body === '' ? undefined : body);
      }),
    );
  });
});
