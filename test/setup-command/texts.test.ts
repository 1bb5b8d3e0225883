import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tomlArray, tomlString } from '../../src/harness/mcp-server.js';
import { differenceOf } from '../../src/setup/difference.js';
import { mergeJson, mergeToml } from '../../src/setup/merge-text.js';
import { watcherText } from '../../src/setup/watcher-file.js';

const lines = fc.array(fc.constantFrom('a', 'b', 'c', '', '- d'), { maxLength: 30 }).map((all) => all.join('\n'));

describe('the difference that is shown before something is overwritten', () => {
  it('shows two lines around a change and cuts the rest', () => {
    const before = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';
    expect(differenceOf(before, before.replace('five', '5'))).toEqual([
      '  ...',
      '  three',
      '  four',
      '- five',
      '+ 5',
      '  six',
      '  seven',
    ]);
  });

  it('is empty for equal texts only', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const changed = differenceOf(`${before}\n`, `${after}\n`).filter((line) => /^[-+] /.test(line));
        expect(changed.length === 0).toBe(before === after);
      }),
    );
  });

  it('removes and adds exactly what makes the new text of the old one', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const count = (text: string, line: string) => text.split('\n').filter((each) => each === line).length;
        const shown = differenceOf(`${before}\n`, `${after}\n`);
        for (const line of ['a', 'b', 'c', '- d']) {
          const added = shown.filter((each) => each === `+ ${line}`).length;
          const removed = shown.filter((each) => each === `- ${line}`).length;
          expect(added - removed).toBe(count(after, line) - count(before, line));
        }
      }),
    );
  });
});

describe('settings of a harness with the server laid over them', () => {
  const server = { mcpServers: { debate: { command: 'node' } } };

  it('keeps all that a JSON file says besides', () => {
    const before = '{"theme":"dark","mcpServers":{"other":{"command":"x"},"debate":{"command":"old","timeout":1}}}';
    const merged = mergeJson(before, server);
    expect(merged.ok && JSON.parse(merged.text)).toEqual({
      theme: 'dark',
      mcpServers: { other: { command: 'x' }, debate: { command: 'node', timeout: 1 } },
    });
  });

  it('changes nothing the second time, whatever was there', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (old) => {
        const once = mergeJson(JSON.stringify(old), server);
        expect(once.ok && mergeJson(once.text, server)).toEqual(once);
      }),
    );
  });

  it.each(['{ // comment\n}', '[]', '3', '{'])('leaves %s to its owner', (before) => {
    expect(mergeJson(before, server).ok).toBe(false);
  });

  it('puts a TOML table at the end, once, and leaves a file that has such a table to its owner', () => {
    const table = 'mcp_servers.debate';
    const text = '[mcp_servers.debate]\ncommand = "node"\n';
    const merged = mergeToml('model = "x"', table, text);
    expect(merged).toEqual({ ok: true, text: `model = "x"\n\n${text}` });
    expect(merged.ok && mergeToml(merged.text, table, text)).toEqual(merged);
    expect(mergeToml(undefined, table, text)).toEqual({ ok: true, text });
    for (const old of [
      '[mcp_servers.debate]\ncommand = "y"\n',
      '[mcp_servers."debate"]\n',
      'mcp_servers = { debate = { command = "y" } }\n',
    ])
      expect(mergeToml(old, table, text).ok, old).toBe(false);
    expect(mergeToml('[mcp_servers.other]\ncommand = "debate"\n', table, text).ok).toBe(true);
  });
});

describe('texts in TOML', () => {
  it('are one line without a raw quote, control character or DEL inside', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const written = tomlString(text);
        expect(written.slice(1, -1).replaceAll(/\\./g, '')).not.toMatch(/["\u0000-\u001f\u007f]/);
        expect(JSON.parse(written)).toBe(text);
      }),
    );
  });

  it('make an array', () => {
    expect(tomlArray(['a', 'b "c"'])).toBe('["a", "b \\"c\\""]');
  });
});

describe('a watcher.json that was there already', () => {
  const settings = { root: '/r', envFile: 'agents.env', seats: { claude: { command: ['claude'] }, codex: undefined } };
  const written = (old: Record<string, unknown>) => JSON.parse(watcherText(old, settings));

  it('keeps mirrors, budgets and other parties', () => {
    const kept = { mirror: ['stdout'], budget: { max_invocations_per_hour: 3 }, stale_seconds: 60 };
    expect(written({ ...kept, parties: { other: { command: ['x'] }, codex: { command: ['old'] } } })).toEqual({
      root: '/r',
      env_file: 'agents.env',
      ...kept,
      parties: { other: { command: ['x'] }, claude: { command: ['claude'] } },
    });
  });

  it('drops what the flat keys say of these parties, which the loader would refuse beside the other form', () => {
    expect(
      written({ commands: { claude: ['a'], other: ['b'] }, prompts: { codex: 'p' }, debounce_seconds: 5 }),
    ).toMatchObject({ commands: { other: ['b'] }, debounce_seconds: 5 });
    expect(written({ prompts: { codex: 'p' } })).not.toHaveProperty('prompts');
  });

  it('names this channel and keeps the env_file that it had', () => {
    expect(written({ root: '/old', env_file: '~/keys' })).toMatchObject({ root: '/r', env_file: '~/keys' });
  });
});
