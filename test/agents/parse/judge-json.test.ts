import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonObjectIn } from '../../../src/agents/parse/json-object.js';
import { decisionOf, rulingOf } from '../../../src/agents/parse/ruling.js';

describe('A14, J8: the JSON object in a reply', () => {
  const bare = '{"answer": "no", "why": "It says {so}, and \\"so\\"."}';

  test.each([
    ['bare', bare],
    ['in a code fence', `\`\`\`json\n${bare}\n\`\`\``],
    ['in a code fence with a sentence after it', `\`\`\`json\n${bare}\n\`\`\`\nHope this helps {really}.`],
    ['after a sentence', `Here is my response: ${bare}`],
    ['after braces that are no JSON', `Of {yes, no} I pick: ${bare}`],
    ['with a second object after it', `${bare}\n{"answer": "yes"}`],
  ])('A14: is accepted without a retry: %s', (_name, reply) => {
    expect(jsonObjectIn(reply)).toEqual({ answer: 'no', why: 'It says {so}, and "so".' });
  });

  test('A14: a code fence inside a string is part of the string', () => {
    const reply = JSON.stringify({ answer: '```js\nx\n```', why: 'y' });
    expect(jsonObjectIn(reply)).toEqual({ answer: '```js\nx\n```', why: 'y' });
  });

  test.each([
    ['cut in the middle of a string', '{"answer": "no", "why": "It sa'],
    ['cut behind a complete inner object', '{"ruling": {"answer": "no"}, "why": "It sa'],
    ['an invalid escape', '{"answer": "\\$5", "why": "x"}'],
    ['a raw newline in a string', '{"answer": "a\nb", "why": "x"}'],
    ['single quotes', "{'answer': 'no'}"],
    ['prose', "I'd say PASS"],
    ['a list', '[{"answer": "no"}]'],
    ['a text', '"no"'],
    ['nothing', ''],
  ])('A14: is not valid JSON and nothing is guessed: %s', (_name, reply) => {
    expect(jsonObjectIn(reply)).toBeUndefined();
  });

  test('A14: any object comes back the same from a fence with words around it', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
        const json = JSON.stringify(object);
        expect(jsonObjectIn(`My ruling:\n\`\`\`json\n${json}\n\`\`\`\nThat is all.`)).toEqual(JSON.parse(json));
      }),
    );
  });
});

describe('A13, J4: what a judge said', () => {
  test.each([
    ['{"answer": " no ", "why": "x"}', { answer: 'no', why: 'x' }],
    ['{"answer": "no"}', { answer: 'no', why: '' }],
    ['{"answer": 42, "why": "x"}', { answer: '42', why: 'x' }],
  ])('A13: %s is a ruling', (reply, ruling) => {
    expect(rulingOf(reply)).toEqual(ruling);
  });

  test.each([
    '{"answer": "", "why": "x"}',
    '{"answer": " "}',
    '{"why": "x"}',
    '{"answer": null}',
    '{"answer": ["no"]}',
    '{}',
  ])('A14: %s has no answer and is invalid', (reply) => {
    expect(rulingOf(reply)).toBeUndefined();
  });

  test.each([
    ['{"decided": true, "answer": "no", "reason": "x"}', true],
    ['{"decided": "true", "answer": "no"}', true],
    ['{"decided": "TRUE", "answer": "no"}', true],
    ['{"decided": false, "answer": "no"}', false],
    ['{"decided": "false", "answer": "no"}', false],
    ['{"decided": "yes", "answer": "no"}', false],
    ['{"decided": 1, "answer": "no"}', false],
    ['{"answer": "no"}', false],
  ])('J4: only true decides: %s', (reply, decided) => {
    expect(decisionOf(reply)).toMatchObject({ decided, answer: 'no' });
  });

  test('J8: a reply without valid JSON is no decision, neither way', () => {
    expect(decisionOf('decided: true, answer: no')).toBeUndefined();
  });
});
