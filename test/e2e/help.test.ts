import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { describe, expect, it, vi } from 'vitest';
import { formatTrace } from '../../src/agents/trace.js';
import { DEBATE, debate, refusalOf, run } from './run-debate.js';
import { git, say, scratch, textOf } from './scratch.js';

/** Commands whose examples run for long, or in a harness: each has tests of its own. */
const NOT_RUN = /^(demo|watch$|mcp|wait|hook|schedule|setup)\b/;
const EXAMPLES = fileURLToPath(new URL('../../examples', import.meta.url));

// The build puts the version in.
vi.stubGlobal('DEBATE_VERSION', 'not built');
const { makeProgram } = await import('../../src/cli/program.js');
const helps = new Map(helpsOf(makeProgram(undefined), []));

describe('--help of a command (issue 2, section 1)', () => {
  it('is there for every command, with an example that begins with the tool itself', async () => {
    const wanted = ['init', 'post', 'status', 'read', 'log', 'threads', 'verify', 'agent review', 'models check'];
    expect([...helps.keys()]).toEqual(expect.arrayContaining(wanted));
    const asked = ['post', 'agent review', 'schedule print'];
    const ran = await Promise.all(asked.map((name) => debate([...name.split(' '), '--help'])));
    expect(ran).toEqual(asked.map((name) => ({ code: 0, signal: null, out: helps.get(name), err: '' })));
    for (const help of helps.values()) {
      expect(examplesIn(help).length, help).toBeGreaterThan(0);
      for (const example of examplesIn(help)) expect(example).toMatch(/(^|\| )debate [a-z]/);
    }
  });

  it('gives examples that work, one after the other, in a folder as they describe it', async () => {
    const shown = [...helps].filter(([name]) => !NOT_RUN.test(name));
    const init = helps.get('init') ?? '';
    cpSync(repository(), withChannel, { recursive: true });
    for (const example of examplesIn(init)) {
      const made = await run('sh', ['-c', example.replace(/^debate /, `"${process.execPath}" "${DEBATE}" `)], {
        cwd: withChannel,
      });
      expect(made.code, made.err).toBe(0);
    }
    await Promise.all(
      shown.map(async ([name, help]) => {
        const folder = workplace(name, help);
        for (const example of examplesIn(help)) {
          const ran = await run('sh', ['-c', example], { cwd: folder, env: environment(name, folder) });
          const refusal = /\[[a-z-]+\]$/m.exec(ran.err)?.[0];
          expect({ example, code: ran.code, refusal }).toEqual({ example, code: 0, refusal: undefined });
          if (name in SAYS) expect(ran.out).toContain('posted MSG-2');
        }
      }),
    );
  });

  it('names itself in the help of the program, and the version that the package has', async () => {
    expect((await debate(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
    const { code, out } = await debate(['help', 'post']);
    expect(code).toBe(0);
    expect(out).toContain('Usage: debate post');
  });
});

describe('wrong usage ends with 2 and says what is near (DESIGN.md 7)', () => {
  const near = [
    { line: 'statsu', near: 'status' },
    { line: 'agent reviw', near: 'review' },
    { line: 'status --stale-aftr 3', near: '--stale-after' },
    { line: 'post --tpye info', near: '--type' },
  ];
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
    'trace',
    'setup',
    'eval --executor vote',
  ];
  const words = (line: string) => line.split(' ').filter((word) => word !== '');

  it('of a command or an option, required ones too', async () => {
    await Promise.all(
      near.map(async (each) => {
        const ran = await debate(words(each.line));
        expect(ran).toMatchObject({ code: 2, out: '' });
        expect(ran.err).toMatch(/^debate: unknown [^\n]+ \[usage\]\n/);
        expect(ran.err).toContain(`Did you mean ${each.near}?`);
      }),
    );
  });

  it('also where the help of a command is asked for that is none', async () => {
    for (const [line, near] of [
      ['help nope', ''],
      ['help statsu', 'Did you mean status?'],
      ['help agent reviw', 'Did you mean review?'],
    ] as const) {
      const ran = await debate(words(line));
      expect(ran).toMatchObject({ code: 2, out: '', err: expect.stringContaining(near) });
      expect(ran.err).toMatch(/^debate: unknown command '[a-z]+' \[usage\]\n/);
    }
  });

  it('for whatever is missing, doubled, or no value of its option; with --json as one refusal (issue 2, section 1)', async () => {
    const cwd = scratch();
    const lines = [...near, ...wrong.map((line) => ({ line, near: undefined }))];
    await Promise.all(
      lines.map(async (each) => {
        const ran = await debate([...words(each.line), '--json'], { cwd });
        expect(ran.err, each.line).not.toMatch(/^$|\n\s+at |unexpected/);
        const { code, message, hint } = refusalOf(ran);
        expect({ line: each.line, exit: ran.code, code }).toEqual({ line: each.line, exit: 2, code: 'usage' });
        expect(message).not.toMatch(/^$|^error/);
        expect(hint).toMatch(each.near === undefined ? /./ : `Did you mean ${each.near}?`);
      }),
    );
  });
});

/** Every command that does something, as its words (`post`, `hook stop`), and its help: in this process, to be quick. */
function helpsOf(command: Command, above: readonly string[]): readonly (readonly [string, string])[] {
  if (command.commands.length > 0) return command.commands.flatMap((each) => helpsOf(each, [...above, each.name()]));
  let help = '';
  command.configureOutput({
    writeOut: (text) => {
      help += text;
    },
  });
  command.outputHelp();
  return [[above.join(' '), help]];
}

function examplesIn(help: string): readonly string[] {
  const [, after = ''] = help.split(/\nExamples?:\n/);
  return after
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** What the one model of a seat says, on the turn that its command takes. */
const SAYS: Readonly<Record<string, string>> = {
  'agent review': 'ACCEPT',
  'agent debate': 'Three levels are enough.\nAnswer: three',
  'agent produce': '<<<FILE parser.txt\nparse three levels\nFILE>>>\n\nParse three levels',
};

/**
 * A repository with a commit, the channel that the example of `init` makes, what the help of a command shows of files, and what
 * its examples name beside that.
 */
function workplace(command: string, help: string): string {
  const folder = scratch();
  const root = join(folder, 'collab');
  cpSync(command === 'init' ? repository() : withChannel, folder, { recursive: true });
  symlinkSync(EXAMPLES, join(folder, 'examples'));
  writeFileSync(join(folder, 'watcher.json'), JSON.stringify(watcherConfig(command)));
  const [model = ''] = Object.keys(MODELS);
  writeFileSync(join(folder, `${model}.json`), JSON.stringify({ replies: [SAYS[command] ?? 'Here.'] }));
  mkdirSync(join(folder, 'traces'));
  writeFileSync(join(folder, 'traces', 'retry-MSG-2-codex-4e9f21c0aa31.trace.jsonl'), formatTrace(TRACE));
  mkdirSync(join(folder, 'bin'));
  symlinkSync(DEBATE, join(folder, 'bin', 'debate'));
  const [, file = '', keys = ''] = /\n[^\n]*\b(debate|watcher)\.json\b[^\n]*:\n((?: {2}.*\n)+)/.exec(help) ?? [];
  if (file === 'watcher') writeFileSync(join(folder, 'watcher.json'), keys);
  if (file === 'debate') {
    const config = { ...JSON.parse(textOf(root, 'debate.json')), ...JSON.parse(`{${keys}}`) };
    writeFileSync(join(root, 'debate.json'), JSON.stringify(config));
  }
  const task = { type: 'question', thread: 'parser', body: 'How deep?' };
  if (command === 'agent review') {
    const refs = `parser@${git(folder, 'rev-parse', '--short', 'HEAD')}`;
    say(root, { ...task, as: 'claude', type: 'review-request', refs });
  } else if (command === 'agent produce') {
    git(folder, 'worktree', 'add', '-q', '-b', 'parser', join(folder, 'tree'));
    say(root, { ...task, as: 'owner', turn: 'codex' });
  } else if (NEEDS_A_TURN.includes(command)) say(root, { ...task, as: command === 'claim' ? 'codex' : 'claude' });
  return folder;
}

/** Commands of a party on whose turn they are run. */
const NEEDS_A_TURN = ['claim', 'agent debate'];

/** A copy of the repository with the channel that the help of `init` makes. */
const withChannel = scratch();

let made = '';

/** A repository with a commit, made once. */
function repository(): string {
  if (made !== '') return made;
  made = scratch();
  git(made, 'init', '-q');
  writeFileSync(join(made, 'parser.txt'), 'parse\n');
  git(made, 'add', '-A');
  git(made, 'commit', '-qm', 'parser');
  return made;
}

const MODELS = { local: { kind: 'script', file: 'local.json' } };

function watcherConfig(command: string): Record<string, unknown> {
  const config = { state_path: join(scratch(), 'state.json'), commands: {}, prompts: {} };
  const [group, kind] = command.split(' ');
  if (group === 'models') return { ...config, models: MODELS };
  if (group !== 'agent') return config;
  const debaters = { variant: 'vote', debaters: [{ model: 'local', name: 'local' }] };
  const seat = { kind, ...(kind === 'debate' ? debaters : { model: 'local' }) };
  return { ...config, models: MODELS, seats: { codex: seat } };
}

const TRACE = {
  executor: 'checked-review',
  recordedAt: '2026-07-06T14:11:02.000Z',
  models: ['local'],
  settings: {},
  steps: [{ kind: 'model', decidedBy: 'model', title: 'Review', detail: 'ACCEPT', durationSeconds: 1 }],
} as const;

/** The environment in which a shell finds `debate`, with a home of its own; a producer's is the one of a woken turn. */
function environment(command: string, folder: string): Record<string, string> {
  const home = {
    PATH: `${join(folder, 'bin')}:${process.env.PATH ?? ''}`,
    HOME: folder,
    XDG_STATE_HOME: join(folder, 'state'),
  };
  if (command !== 'agent produce') return home;
  return { ...home, DEBATE_ROOT: join(folder, 'collab'), DEBATE_WORKTREE: join(folder, 'tree') };
}
