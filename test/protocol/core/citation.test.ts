import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { almostCitations, citationsIn } from '../../../src/protocol/core/citation.js';

const name = fc.stringMatching(/^[a-z][a-z0-9/._-]{0,10}$/);
const commit = fc.stringMatching(/^[0-9a-f]{7,40}$/);

describe('citations (DESIGN.md 4.1)', () => {
  it('are name@<7 to 40 hex>, in order, between blanks, commas and semicolons', () => {
    expect(citationsIn('parser@3c21cd3, see notes; api@4e9f21c0')).toEqual([
      { name: 'parser', commit: '3c21cd3' },
      { name: 'api', commit: '4e9f21c0' },
    ]);
  });

  it('are found whatever stands around them', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(name, commit), { maxLength: 4 }),
        fc.constantFrom(' ', ', ', ';', ',,'),
        (all, gap) => {
          const refs = all.map(([who, what]) => `${who}@${what}`).join(gap);
          expect(citationsIn(refs)).toEqual(all.map(([who, what]) => ({ name: who, commit: what })));
          expect(almostCitations(refs)).toEqual([]);
        },
      ),
    );
  });

  it('are none with six digits, 41 digits, capitals, or no name', () => {
    for (const word of ['x@abc123', `x@${'a'.repeat(41)}`, 'x@4E9F21C', '@4e9f21c', 'x@', 'x', 'a@b@4e9f21c', ''])
      expect(citationsIn(word), word).toEqual([]);
  });

  it('are worth a notice when they only look like one (issue: `x@abc123`)', () => {
    expect(almostCitations('x@abc123 y@4e9f21c z@4E9F21C me@example.org')).toEqual(['x@abc123', 'z@4E9F21C']);
  });
});
