import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { namedPlaces, placeText } from '../../../src/agents/seats/named-places.js';

const placesIn = (text: string) => namedPlaces(text).map(placeText);

describe('the places that a finding names', () => {
  test.each([
    ['src/a.mjs:7 is wrong', ['src/a.mjs:7']],
    ['`src/a.mjs:7-12`, and (lib/b.py:3)', ['src/a.mjs:7-12', 'lib/b.py:3']],
    ['README.md:1, Makefile:4', ['README.md:1']],
    ['bin/tool:4', ['bin/tool:4']],
    ['./src/a.ts:2', ['src/a.ts:2']],
    ['src/a.mjs:7 twice: src/a.mjs:7', ['src/a.mjs:7']],
    ['at 11:30 it failed; ratio 3:2; http://localhost:8080/x', []],
    ['src/a.mjs:12-7 runs backwards, src/a.mjs:0 is none', []],
    ['src/a.mjs:5-9@4e9f21c as a citation', ['src/a.mjs:5-9']],
    ['', []],
  ])('%s', (text, expected) => {
    expect(placesIn(text)).toEqual(expected);
  });

  test('a place that is written between blanks is found again, whatever stands around it', () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9_-]{0,8}$/);
    fc.assert(
      fc.property(name, name, fc.integer({ min: 1, max: 99_999 }), fc.lorem(), (folder, file, line, words) => {
        expect(placesIn(`${words} ${folder}/${file}.ts:${line} ${words}`)).toEqual([`${folder}/${file}.ts:${line}`]);
      }),
    );
  });

  test('any text is read in time linear enough, and never more than 20 places come back', () => {
    fc.assert(fc.property(fc.string({ maxLength: 2000 }), (text) => namedPlaces(text).length <= 20));
    expect(namedPlaces('a/'.repeat(50_000)).length).toBe(0);
    expect(namedPlaces('a.'.repeat(50_000)).length).toBe(0);
  });
});
