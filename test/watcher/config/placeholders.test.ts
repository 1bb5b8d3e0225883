import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expand, fill, PLACEHOLDERS, placeholdersIn, variablesIn } from '../../../src/watcher/config/placeholders.js';

const name = fc.constantFrom(...PLACEHOLDERS);
const all = fc.record(
  Object.fromEntries(PLACEHOLDERS.map((each) => [each, fc.string({ unit: 'binary' })])) as Record<
    (typeof PLACEHOLDERS)[number],
    fc.Arbitrary<string>
  >,
);
/** Text of braces, dollars and names: what an argv of JSON and shell looks like to the placeholders. */
const template = fc
  .array(
    fc.oneof(
      fc.constantFrom('{', '}', '$', `\${`, '{{', '"', ':', 'thread', 'party', '{thread}', '{seq}'),
      fc.string(),
    ),
  )
  .map((parts) => parts.join(''));

describe('placeholders of the watcher config', () => {
  it('every listed name in braces becomes its value', () => {
    fc.assert(
      fc.property(name, all, fc.string(), fc.string(), (each, values, before, after) => {
        fc.pre(!/[{}]/.test(before + after));
        expect(fill(`${before}{${each}}${after}`, values)).toBe(before + values[each] + after);
      }),
    );
  });

  it('are filled in one pass: what a value brings is never looked at again', () => {
    expect(fill('{thread} {party}', { thread: '{party}{prompt}', party: 'glm', prompt: 'x' })).toBe(
      '{party}{prompt} glm',
    );
    fc.assert(
      fc.property(name, name, (outer, inner) => {
        expect(fill(`{${outer}}`, { [inner]: 'again', [outer]: `{${inner}}` })).toBe(`{${inner}}`);
      }),
    );
  });

  it('a value is text, never a pattern of the replacement ($&, $1)', () => {
    expect(fill('<{prompt}>', { prompt: "$& $1 $` $' $$" })).toBe("<$& $1 $` $' $$>");
  });

  it('other braces are literal, so that MCP JSON in an argument survives', () => {
    const mcp = `{"mcpServers":{"chan":{"command":"node","args":["{channel_root}/s.js"],"env":{"A":"\${HOME}"}}}}`;
    expect(fill(mcp, { channel_root: '/c' })).toBe(mcp.replace('{channel_root}', '/c'));
    expect(JSON.parse(fill(mcp, { channel_root: '/c' })).mcpServers.chan.args).toEqual(['/c/s.js']);
  });

  it('text without a listed name comes back unchanged', () => {
    fc.assert(
      fc.property(template, all, (text, values) => {
        fc.pre(placeholdersIn(text).size === 0);
        expect(fill(text, values)).toBe(text);
      }),
    );
  });

  it('a name without a value stays as it was written', () => {
    fc.assert(
      fc.property(template, (text) => {
        expect(fill(text, {})).toBe(text);
      }),
    );
  });

  it('a dollar and braces stand for a variable only where variables are expanded', () => {
    expect(fill(`\${HOME} {seq}`, { seq: '4' })).toBe(`\${HOME} 4`);
    expect(expand(`\${HOME}/{seq}`, { HOME: '/h' }, { seq: '4' })).toEqual({ ok: true, text: '/h/4' });
    expect(expand('$HOME {HOME} $', { HOME: '/h' })).toEqual({ ok: true, text: '$HOME {HOME} $' });
  });

  it('variables and names are filled in the same single pass', () => {
    const expanded = expand(`\${A}{thread}`, { A: `{thread}\${B}`, B: 'x' }, { thread: `\${A}` });
    expect(expanded).toEqual({ ok: true, text: `{thread}\${B}\${A}` });
  });

  it('a variable that nobody has set is named, once, and never becomes an empty text', () => {
    expect(expand(`\${TOKEN}\${TOKEN}\${OTHER}`, { OTHER: undefined })).toEqual({
      ok: false,
      missing: ['TOKEN', 'OTHER'],
    });
    expect(expand(`\${toString}`, {})).toEqual({ ok: false, missing: ['toString'] });
    expect([...variablesIn(`a \${X} \${Y_1} $Z \${1}`)]).toEqual(['X', 'Y_1']);
  });
});
