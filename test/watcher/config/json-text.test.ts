import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJsonText } from '../../../src/watcher/config/json-text.js';

function accepted(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('the JSON of a config that a person wrote', () => {
  it('is read as JSON.parse reads it', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 2, '\t'), (json, space) => {
        const text = JSON.stringify(JSON.parse(json), undefined, space);
        expect(parseJsonText(text)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
    );
  });

  it('is refused exactly where JSON.parse refuses it, whatever a slip of the hand did to it', () => {
    const slip = fc.constantFrom('', ',', '{', '}', '[', ']', '"', ':', '//', '\\', '01', '-', 'tru', '\n', '1e', '.5');
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.nat(4), slip, (json, seed, cut, put) => {
        const at = seed % (json.length + 1);
        const text = json.slice(0, at) + put + json.slice(at + cut);
        const parsed = parseJsonText(text);
        fc.pre(parsed.ok || !parsed.problem.includes('a second time'));
        expect(parsed.ok).toBe(accepted(text));
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    ['{\n  "a": 1,\n  "b" 2\n}', 'line 3, column 7: expected a colon after the key, found "2"'],
    ['{\n  "a": x\n}', 'line 2, column 8: expected a value, found "x"'],
    ['{ "a": 1', 'line 1, column 9: expected "," or "}", but the file ends here'],
    ['', 'line 1, column 1: expected a value, but the file ends here'],
    ['{ "a": [1, 2, ] }', 'line 1, column 15: there is a comma before "]", which JSON does not allow'],
    ['{ "a": 1, }', 'line 1, column 11: there is a comma before "}", which JSON does not allow'],
    ['{\n  // mine\n}', 'line 2, column 3: JSON has no comments'],
    ["{ 'a': 1 }", 'line 1, column 3: expected a key in double quotes, found "\'"'],
    ['{} {}', 'line 1, column 4: expected the end of the file, found "{"'],
  ])('%j is refused with the line and what is wrong there', (text, problem) => {
    expect(parseJsonText(text)).toEqual({ ok: false, problem });
  });

  it('a key that stands twice in one object is refused, since JSON.parse would drop the first silently', () => {
    const problem = 'line 2, column 1: the key "a" stands here a second time';
    expect(parseJsonText('{"a": {"b": 1},\n"a": {}}')).toEqual({ ok: false, problem });
    expect(parseJsonText('{"a": {"b": 1}, "b": [{"b": 1}, {"b": 1}]}').ok).toBe(true);
  });

  it('a byte order mark is accepted', () => {
    expect(parseJsonText('\uFEFF{"a": 1}')).toEqual({ ok: true, value: { a: 1 } });
  });
});
