import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { DEBATE, debate, run } from './run-debate.js';
import { git, makeChannel, say, scratch, textOf } from './scratch.js';

/** Commands whose examples run for long, or in a harness: each has tests of its own. */
const NOT_RUN = /^(demo|watch|mcp|wait|hook|schedule|setup|agent|models|trace|eval)\b/;

let commands: readonly string[] = [];

beforeAll(async () => {
  commands = await commandsOf([]);
});

describe('--help of a command (issue 2, section 1)', () => {
  it('is there for every command, with an example that begins with the tool itself', async () => {
    expect(commands).toEqual(expect.arrayContaining(['init', 'post', 'status', 'read', 'log', 'threads', 'verify']));
    for (const ran of await Promise.all(commands.map((name) => debate([...name.split(' '), '--help'])))) {
      expect(ran).toMatchObject({ code: 0, err: '' });
      expect(examplesIn(ran.out).length, ran.out).toBeGreaterThan(0);
      for (const example of examplesIn(ran.out)) expect(example).toMatch(/(^|\| )debate [a-z]/);
    }
  });

  it('gives examples that work, one after the other, in a folder as they describe it', async () => {
    const shown = commands.filter((each) => !NOT_RUN.test(each));
    await Promise.all(
      shown.map(async (name) => {
        const { out } = await debate([...name.split(' '), '--help']);
        const folder = workplace(name);
        for (const example of examplesIn(out)) {
          const ran = await run('sh', ['-c', example], { cwd: folder, env: onPath(folder) });
          const refusal = /\[[a-z-]+\]$/m.exec(ran.err)?.[0];
          expect({ example, code: ran.code, refusal }).toEqual({ example, code: 0, refusal: undefined });
        }
      }),
    );
  }, 60_000);

  it('names itself in the help of the program, and the version that the package has', async () => {
    expect((await debate(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
    const { code, out } = await debate(['help', 'post']);
    expect(code).toBe(0);
    expect(out).toContain('Usage: debate post');
  });
});

describe('wrong usage ends with 2 and says what is near (DESIGN.md 7)', () => {
  it('of a command or an option, required ones too', async () => {
    const cases = [
      { args: ['statsu'], near: 'status' },
      { args: ['status', '--stale-aftr', '3'], near: '--stale-after' },
      { args: ['post', '--tpye', 'info'], near: '--type' },
    ];
    await Promise.all(
      cases.map(async ({ args, near }) => {
        const ran = await debate(args);
        expect(ran).toMatchObject({ code: 2, out: '' });
        expect(ran.err).toContain(`Did you mean ${near}?`);
      }),
    );
  });

  it('for whatever is missing, doubled, or no value of its option', async () => {
    const wrong = [
      '',
      'init --parties a,b',
      'init --root x --parties a,b,c',
      'init --root x --parties a,b --format 3',
      'post --as alpha --body x',
      'post --type info --as alpha',
      'post --type info --as alpha --body x --body-file y',
      'post --type verdict --as alpha --body x --decision maybe',
      'post --type info --as alpha --body x --if-seq one',
      'read --last -1',
      'status --stale-after soon',
      'status too many',
      'watch-once',
      'migrate',
    ];
    const cwd = scratch();
    await Promise.all(
      wrong.map(async (line) => {
        const ran = await debate(
          line.split(' ').filter((word) => word !== ''),
          { cwd },
        );
        expect({ line, code: ran.code, out: ran.out }).toEqual({ line, code: 2, out: '' });
        expect(ran.err, line).not.toMatch(/^$|\n\s+at |unexpected/);
      }),
    );
  });
});

/** Every command that does something, as its words: `post`, `hook stop`. */
async function commandsOf(words: readonly string[]): Promise<readonly string[]> {
  const { out } = await debate([...words, '--help']);
  const at = out.indexOf('\nCommands:');
  if (at < 0) return [words.join(' ')];
  // The examples come after the commands, and begin with the tool's own name.
  const [listed = ''] = out.slice(at).split(/\nExamples?:/);
  const names = [...listed.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map((found) => found[1] ?? '');
  const deeper = names.filter((name) => name !== 'help').map((name) => commandsOf([...words, name]));
  return (await Promise.all(deeper)).flat();
}

function examplesIn(help: string): readonly string[] {
  const [, after = ''] = help.split(/\nExamples?:\n/);
  return after
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** A repository with a commit, a channel of claude and codex in ./collab, and a watcher config. */
function workplace(command: string): string {
  const folder = scratch();
  const root = join(folder, 'collab');
  git(folder, 'init', '-q');
  writeFileSync(join(folder, 'parser.txt'), 'parse\n');
  git(folder, 'add', '-A');
  git(folder, 'commit', '-qm', 'parser');
  const state = join(scratch(), 'state.json');
  writeFileSync(join(folder, 'watcher.json'), JSON.stringify({ state_path: state, commands: {}, prompts: {} }));
  if (command === 'init') return folder;
  makeChannel(root, { parties: ['claude', 'codex'], format: command === 'migrate' ? 1 : 2 });
  const config = JSON.parse(textOf(root, 'debate.json'));
  writeFileSync(join(root, 'debate.json'), JSON.stringify({ ...config, checks: { tests: { command: ['true'] } } }));
  const opener = command === 'claim' ? 'codex' : 'claude';
  if (command !== 'post') say(root, { as: opener, type: 'question', thread: 'parser', body: 'How deep?' });
  return folder;
}

/** The environment in which a shell finds `debate`, and a home of its own. */
function onPath(folder: string): Record<string, string> {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  try {
    symlinkSync(DEBATE, join(bin, 'debate'));
  } catch {
    // The second example of a command finds the link of the first.
  }
  return { PATH: `${bin}:${process.env.PATH ?? ''}`, HOME: folder, XDG_STATE_HOME: join(folder, 'state') };
}
