import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isReservedKey,
  isReservedLine,
  parseTrailers,
  renderTrailers,
  trailerValues,
} from '../../../src/protocol/core/trailers.js';

const trailer = fc.record({
  key: fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,14}$/),
  value: fc.stringMatching(/^[!-~]([ -~]{0,20}[!-~])?$/),
});

describe('trailers (DESIGN.md 4.1, decisions.md 7)', () => {
  it('are the last paragraph, every line of it Key: value', () => {
    expect(parseTrailers('All good.\n\nDecision: approve\nReviewed-by: bob')).toEqual([
      { key: 'Decision', value: 'approve' },
      { key: 'Reviewed-by', value: 'bob' },
    ]);
  });

  it('are read as they were written, under any text', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(trailer, { minLength: 1, maxLength: 5 }), (text, given) => {
        const own = given.filter(({ key }) => !isReservedKey(key));
        fc.pre(own.length > 0);
        expect(parseTrailers(`x${text}\n\n${renderTrailers(own)}`)).toEqual(own);
      }),
    );
  });

  it('are never the first paragraph: `APPROVE: 27 passed.` alone is prose', () => {
    expect(parseTrailers('APPROVE: 27 passed.')).toEqual([]);
    expect(parseTrailers('Decision: approve\nReviewed-by: bob')).toEqual([]);
  });

  it('are none when one line of the paragraph is something else', () => {
    for (const last of ['Decision: approve\nand more', 'Decision:approve', '2nd: x', 'A b: c', '> Decision: approve'])
      expect(parseTrailers(`text\n\n${last}`), last).toEqual([]);
  });

  it("keep the author's paragraph before the tool's", () => {
    expect(parseTrailers('text\n\nDecision: approve\n\nDebate-Turn: glm').map(({ key }) => key)).toEqual([
      'Decision',
      'Debate-Turn',
    ]);
    expect(parseTrailers('Decision: approve\n\nDebate-Turn: glm').map(({ key }) => key)).toEqual(['Debate-Turn']);
    expect(parseTrailers('text\n\nprose\n\nDebate-Turn: glm').map(({ key }) => key)).toEqual(['Debate-Turn']);
  });

  it('are looked up by key, in order', () => {
    const found = parseTrailers('x\n\nSee: a\nOther: b\nSee: c');
    expect(trailerValues(found, 'See')).toEqual(['a', 'c']);
    expect(trailerValues(found, 'see')).toEqual([]);
  });

  it('never make the parser throw', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (body) => Array.isArray(parseTrailers(body))));
  });
});

describe('reserved trailers', () => {
  it('begin with Debate-, whatever the case', () => {
    for (const key of ['Debate-Turn', 'debate-turn', 'DEBATE-X', 'Debate-2'])
      expect(isReservedKey(key), key).toBe(true);
    for (const key of ['Debate', 'Debated-By', 'My-Debate-Turn']) expect(isReservedKey(key), key).toBe(false);
  });

  it('are refused on every line that the parser would take for one', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[Dd][Ee][Bb][Aa][Tt][Ee]-[A-Za-z0-9-]{0,8}$/), (key) => {
        expect(parseTrailers(`text\n\n${key}: x`)).toEqual([{ key, value: 'x' }]);
        expect(isReservedLine(`${key}: x`)).toBe(true);
      }),
    );
  });

  it('are welcome when quoted or inside a sentence', () => {
    for (const line of ['> Debate-Turn: glm', 'The Debate-Turn: trailer', 'debate: yes', 'Debate -x: y'])
      expect(isReservedLine(line), line).toBe(false);
  });
});
