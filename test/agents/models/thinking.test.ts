import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stripThinking } from '../../../src/agents/models/thinking.js';

describe('X1: thinking is stripped before an executor sees a text', () => {
  it.each([
    ['no tags at all', 'approved: yes', 'approved: yes'],
    ['a block before the answer', '<think>approved: yes</think>APPROVED: no', 'APPROVED: no'],
    ['a block over lines', '<think>\nHm.\n</think>\n\nACCEPT\n', 'ACCEPT\n'],
    ['only the closing tag', 'Let me see.\n</think>\nACCEPT', 'ACCEPT'],
    ['several blocks: up to the last', '<think>a</think>one<think>b</think>two', 'two'],
    ['a block that never closes', '<think>and so on', ''],
    ['a block that never closes, after an answer', 'ACCEPT\n<think>wait', 'ACCEPT'],
    ['other case and the long name', '<Thinking>x</THINKING >ACCEPT', 'ACCEPT'],
    ['only thoughts', '<think>x</think>', ''],
    [
      'tags that are quoted are text about tags',
      'The parser drops `</think>` wrongly.',
      'The parser drops `</think>` wrongly.',
    ],
    ['quoted opening tag', 'It never closes "<think>".', 'It never closes "<think>".'],
    ['other tags', '<thinker>x</thinker> < think >', '<thinker>x</thinker> < think >'],
  ])('%s', (_, text, answer) => {
    expect(stripThinking(text)).toBe(answer);
  });

  it('property: a text without a tag is byte-identical', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        fc.pre(!/think/i.test(text));
        expect(stripThinking(text)).toBe(text);
      }),
    );
  });

  it('property: no thought survives a closed block, wherever the answer stands', () => {
    const piece = fc.constantFrom('a', '\n', ' ', '<', '>', '</', '<think>', '**');
    fc.assert(
      fc.property(fc.array(piece), fc.string(), (thought, answer) => {
        fc.pre(!/think/i.test(answer) && answer.trim() === answer && !/^["'`]/.test(answer));
        expect(stripThinking(`<think>${thought.join('')} SECRET</think>\n${answer}`)).toBe(answer);
      }),
    );
  });
});
