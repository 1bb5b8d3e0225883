import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadWatcherConfig } from '../../../src/watcher/config/load.js';
import type { ResolvedConfig } from '../../../src/watcher/config/resolve.js';
import type { WatcherConfig } from '../../../src/watcher/config/watcher-config.js';

let folder: string;
let root: string;
let file: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'debate-config-')));
  root = join(folder, 'collab');
  file = join(folder, 'watcher.json');
  mkdirSync(root);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function load(written: unknown, environment: Record<string, string> = {}): ResolvedConfig {
  writeFileSync(file, typeof written === 'string' ? written : JSON.stringify(written));
  return loadWatcherConfig(file, {
    environment,
    home: '/home/ann',
    locate: (configured) => ({ root: configured ?? root, name: 'collab' }),
  });
}

function loaded(written: unknown, environment: Record<string, string> = {}): WatcherConfig {
  const result = load(written, environment);
  if (!result.ok) throw new Error(result.problems.join('\n'));
  return result.config;
}

function problems(written: unknown): readonly string[] {
  const result = load(written);
  if (result.ok) throw new Error('it was accepted');
  return result.problems.map((problem) => problem.replace(`${file}: `, ''));
}

describe('the flat keys of the published config', () => {
  const published = {
    state_path: '/somewhere/outside/the/channel/watcher-state.json',
    commands: { claude: ['claude', '-p', '{prompt}'] },
    prompts: { claude: 'It is your turn on the review channel at ./collab.' },
    debounce_seconds: { claude: 600 },
    retry_seconds: 1800,
  };

  it('keep working: the prompt goes where {prompt} stands and standard input is closed', () => {
    const { parties, statePath } = loaded(published);
    expect(statePath).toBe('/somewhere/outside/the/channel/watcher-state.json');
    expect(parties).toEqual({
      claude: {
        party: 'claude',
        command: ['claude', '-p', '{prompt}'],
        prompt: 'It is your turn on the review channel at ./collab.',
        stdin: 'none',
        cwd: folder,
        env: {},
        envPassthrough: undefined,
        debounceSeconds: 600,
        retrySeconds: 1800,
        timeoutSeconds: 1800,
        graceSeconds: 10,
        worktree: undefined,
        checksBefore: [],
      },
    });
  });

  it('a number of seconds holds for every party, a map for the parties it names (decision 26)', () => {
    const { parties } = loaded({
      commands: { a: ['x'], b: ['y'] },
      timeout_seconds: 7,
      retry_seconds: { a: 5 },
      grace_seconds: { b: 0.5 },
    });
    expect(parties.a).toMatchObject({ timeoutSeconds: 7, retrySeconds: 5, graceSeconds: 10, debounceSeconds: 0 });
    expect(parties.b).toMatchObject({ timeoutSeconds: 7, retrySeconds: 1800, graceSeconds: 0.5 });
  });

  it('a party without a command is known and never woken', () => {
    expect(loaded({ debounce_seconds: { a: 5 } }).parties.a).toMatchObject({ command: undefined, debounceSeconds: 5 });
  });

  it('a party called like a property of every object is an ordinary party', () => {
    expect(loaded({ commands: { a: ['x'] } }).parties.constructor).toBeUndefined();
    expect(loaded({ commands: { constructor: ['x'] } }).parties.constructor).toMatchObject({
      command: ['x'],
      prompt: undefined,
    });
  });
});

describe('the fuller form of a party', () => {
  it('sends the prompt on standard input unless the command says {prompt}', () => {
    const { parties } = loaded({
      parties: {
        a: { command: ['codex', 'exec', '-'], prompt: 'go' },
        b: { command: ['claude', '-p', '{prompt}'], prompt: 'go' },
        c: { command: ['script'] },
        d: { command: ['script'], prompt: 'go', stdin: 'none' },
      },
    });
    expect(Object.values(parties).map(({ stdin }) => stdin)).toEqual(['prompt', 'none', 'none', 'none']);
  });

  it('takes every setting that a party can have', () => {
    writeFileSync(join(folder, 'turn.md'), 'Take {thread}.\n');
    const { parties } = loaded({
      timeout_seconds: 9,
      parties: {
        a: {
          command: ['./agent.sh', '{worktree}'],
          prompt_file: 'turn.md',
          env: { TOKEN: `\${TOKEN}` },
          env_passthrough: ['CODEX_HOME'],
          debounce_seconds: 1,
          timeout_seconds: 2,
          worktree: { branch: 'debate/{channel_name}/{thread}', setup: ['npm', 'ci'] },
          checks_before: ['tests'],
        },
      },
    });
    expect(parties.a).toEqual({
      party: 'a',
      command: [join(folder, 'agent.sh'), '{worktree}'],
      prompt: 'Take {thread}.\n',
      stdin: 'prompt',
      cwd: '{worktree}',
      env: { TOKEN: `\${TOKEN}` },
      envPassthrough: ['CODEX_HOME'],
      debounceSeconds: 1,
      retrySeconds: 1800,
      timeoutSeconds: 2,
      graceSeconds: 10,
      worktree: { kind: 'branch', branch: 'debate/{channel_name}/{thread}', setup: ['npm', 'ci'] },
      checksBefore: ['tests'],
    });
    expect(loaded({ parties: { a: { worktree: 'detached' } } }).parties.a?.worktree).toEqual({ kind: 'detached' });
  });

  it.each([
    [
      { parties: { a: {} }, commands: { a: ['x'] } },
      '"commands.a" and "parties.a" name one party: keep the latter and move it there',
    ],
    [
      { parties: { a: {} }, timeout_seconds: { a: 3 } },
      '"timeout_seconds.a" and "parties.a" name one party: keep the latter and move it there',
    ],
    [
      { parties: { a: { prompt: 'x', prompt_file: 'watcher.json' } } },
      '"parties.a" has both "prompt" and "prompt_file": keep one',
    ],
    [{ commands: { a: ['x', '{prompt}'] } }, '"commands.a" uses {prompt}, but the party has no prompt: give it one'],
    [
      { parties: { a: { command: ['x', '{prompt}'], prompt: 'y', stdin: 'prompt' } } },
      '"parties.a" would get its prompt twice: remove {prompt} from the command, or set "stdin" to "none"',
    ],
    [
      { parties: { a: { command: ['x', '{git_dir}'] } } },
      '"parties.a" uses {git_dir}, but the party has no "worktree": give it one',
    ],
    [
      { parties: { a: { prompt_file: 'absent.md' } } },
      '"parties.a.prompt_file" is "absent.md": cannot be read: there is no such file',
    ],
    [{ mirror: ['stdout', 'stdout'] }, '"mirror[1]" stands there twice: remove one of them'],
  ])('%j is refused', (written, problem) => {
    expect(problems(written)).toEqual([problem]);
  });
});

describe('paths', () => {
  it('relative ones are meant from the folder of the config file, and ~ is the home', () => {
    const config = loaded({
      state_path: '~/state/w.json',
      commands: { a: ['bin/agent'], b: ['~/bin/agent'], c: ['agent', './x'] },
      mirror: [{ file: 'log.txt' }, { file: '~/log.txt' }, { command: ['./tell', './x'] }, { file: `\${LOGS}/x` }],
    });
    expect(config.statePath).toBe('/home/ann/state/w.json');
    expect(config.stateFolder).toBe('/home/ann/state');
    expect(config.parties.a?.command).toEqual([join(folder, 'bin/agent')]);
    expect(config.parties.b?.command).toEqual(['/home/ann/bin/agent']);
    expect(config.parties.c?.command).toEqual(['agent', './x']);
    expect(config.mirror).toMatchObject([
      { path: join(folder, 'log.txt') },
      { path: '/home/ann/log.txt' },
      { command: [join(folder, 'tell'), './x'] },
      { path: `\${LOGS}/x` },
    ]);
  });

  it('the root of the config is found from its folder, whatever the working directory', () => {
    expect(loaded({ root: './collab' }).root).toBe(root);
  });

  it('an agent works where the config lies, or beside a channel that holds the config', () => {
    expect(loaded({ commands: { a: ['x'] } }).parties.a?.cwd).toBe(folder);
    file = join(root, 'watcher.json');
    expect(loaded({ commands: { a: ['x'] } }).parties.a?.cwd).toBe(folder);
    expect(loaded({ parties: { a: { cwd: '../sub' } } }).parties.a?.cwd).toBe(join(folder, 'sub'));
    expect(loaded({ parties: { a: { cwd: '{channel_root}/..' } } }).parties.a?.cwd).toBe('{channel_root}/..');
  });

  it('the memory lies in the XDG state directory, in a folder named after the channel and its root', () => {
    const { statePath, channelKey } = loaded({});
    expect(channelKey).toMatch(/^collab-[0-9a-f]{8}$/);
    expect(statePath).toBe(`/home/ann/.local/state/debate/${channelKey}/watcher-state.json`);
    expect(loaded({}, { XDG_STATE_HOME: '/s' }).statePath).toBe(`/s/debate/${channelKey}/watcher-state.json`);
    expect(loaded({}, { XDG_STATE_HOME: 'relative' }).statePath).toBe(statePath);
    mkdirSync(join(folder, 'other/collab'), { recursive: true });
    expect(loaded({ root: 'other/collab' }).channelKey).not.toBe(channelKey);
  });

  it('a memory inside the channel is refused, also through a symbolic link (DESIGN.md 7)', () => {
    symlinkSync(root, join(folder, 'link'));
    for (const path of ['collab/w.json', 'collab', 'link/deep/w.json', 'x/../collab/w.json']) {
      expect(problems({ state_path: path })).toEqual([
        expect.stringMatching(/^"state_path" is ".*", inside the channel/),
      ]);
    }
    expect(loaded({ state_path: 'collab-state/w.json' }).statePath).toBe(join(folder, 'collab-state/w.json'));
  });

  it('two spellings of one root are one channel', () => {
    symlinkSync(root, join(folder, 'link'));
    expect(loaded({ root: 'link' }).channelKey).toBe(loaded({ root: 'collab' }).channelKey);
  });
});

describe('an error of the config names the key, the value and what is expected', () => {
  it.each([
    [
      { retry_seconds: '30m' },
      '"retry_seconds" is "30m": expected a number of seconds from 0 up, or a map from party to seconds',
    ],
    [{ debounce_seconds: { a: -1 } }, '"debounce_seconds.a" is -1: expected a number of seconds from 0 up'],
    [
      { commands: { bob: '/bin/echo hi' } },
      '"commands.bob" is "/bin/echo hi": expected a list of texts, the program first, as in ["claude", "-p"]',
    ],
    [
      { commands: { bob: [] } },
      '"commands.bob" is []: expected a list of texts, the program first, as in ["claude", "-p"]',
    ],
    [{ commands: { bob: ['x', 1] } }, '"commands.bob[1]" is 1: expected a text'],
    [
      { commands: { Bob: ['x'] } },
      '"commands.Bob" cannot have that name: expected a party: lower-case letters, digits and hyphens',
    ],
    [{ commands: 0 }, '"commands" is 0: expected a map from party to its command'],
    [{ parties: { a: { stdin: 'open' } } }, '"parties.a.stdin" is "open": expected "prompt" or "none"'],
    [
      { parties: { a: { worktree: 'attached' } } },
      '"parties.a.worktree" is "attached": expected "detached", or { "branch": NAME } with, if wanted, "setup": a list of texts',
    ],
    [
      { parties: { a: { env: { DEBATE_PARTY: 'b' } } } },
      '"parties.a.env.DEBATE_PARTY" cannot have that name: expected a name that does not begin with DEBATE_: those the watcher itself sets for a run',
    ],
    [
      { budget: { max_invocations_per_hour: 0 } },
      '"budget.max_invocations_per_hour" is 0: expected a whole number from 1 up',
    ],
    [{ mirror_body: 'some' }, '"mirror_body" is "some": expected "summary" or "full"'],
    [{ mirror: [{ webhook: 'ftp://x' }] }, '"mirror[0].webhook" is "ftp://x": expected an http or https address'],
    [
      { mirror: ['stdin'] },
      '"mirror[0]" is "stdin": expected "stdout", { "file": PATH }, { "command": [PROGRAM, ...] } or { "webhook": URL }',
    ],
    [
      { schedule: '@hourly' },
      '"schedule" is "@hourly": expected a cron expression, as in "*/3 * * * *"; it needs five fields (minute hour day month weekday) and has 1',
    ],
    [
      { schedule: '60 * * * *' },
      '"schedule" is "60 * * * *": expected a cron expression, as in "*/3 * * * *"; "60" is no minute between 0 and 59',
    ],
    [
      { state_path: `\${HOME}/w.json` },
      `"state_path" is "\${HOME}/w.json": expected a path without a variable: \${NAME} stands only in mirrors, env and model settings`,
    ],
    [[1, 2], 'the config is [1,2]: expected an object with the settings of a watcher'],
    [null, 'the config is null: expected an object with the settings of a watcher'],
  ])('%j', (written, problem) => {
    expect(problems(written)).toEqual([problem]);
  });

  it('an unknown key is refused, with the near one where there is one', () => {
    expect(problems({ debounce: 3, retrySeconds: 4 })).toEqual([
      expect.stringMatching(/^"debounce" is no known key: known are .*debounce_seconds/),
      '"retrySeconds" is no known key: did you mean "retry_seconds"?',
    ]);
    expect(problems({ parties: { a: { comand: ['x'] } } })).toEqual([
      '"parties.a.comand" is no known key: did you mean "command"?',
    ]);
  });

  it.each([
    [{ parties: { codx: {} } }, '"parties.codx" is no party of the channel: did you mean "codex"?'],
    [{ parties: { owner: {} } }, '"parties.owner" is no party of the channel: its parties are claude and codex'],
    [{ commands: { cluade: ['x'] } }, '"commands.cluade" is no party of the channel: did you mean "claude"?'],
    [{ retry_seconds: { codx: 5 } }, '"retry_seconds.codx" is no party of the channel: did you mean "codex"?'],
    [{ commands: { codex: ['x'], gemini: ['y'] } }, undefined],
  ])('a name that is no party of the channel is refused, with the near one: %j', (config, problem) => {
    const path = join(folder, 'watcher.json');
    writeFileSync(path, JSON.stringify(config));
    const found = loadWatcherConfig(path, {
      environment: {},
      home: '/h',
      locate: () => ({ root, name: 'collab', parties: ['claude', 'codex'] }),
    });
    expect(found.ok ? undefined : found.problems).toEqual(problem && [`${path}: ${problem}`]);
  });

  it('a file that is no JSON is refused with the line', () => {
    expect(problems('{\n  "commands": {\n')).toEqual([
      'line 3, column 1: expected a key in double quotes, but the file ends here',
    ]);
  });

  it('a file that cannot be read is refused with the reason', () => {
    const surroundings = { environment: {}, home: '/h', locate: () => ({ root, name: 'collab' }) };
    const absent = join(folder, 'absent.json');
    const told = (path: string) => {
      const result = loadWatcherConfig(path, surroundings);
      return result.ok ? [] : result.problems;
    };
    expect(told(absent)).toEqual([`${absent}: cannot be read: there is no such file`]);
    expect(told(folder)).toEqual([`${folder}: cannot be read: it is a folder`]);
    writeFileSync(file, Buffer.from([0xff, 0xfe, 0x41]));
    expect(told(file)).toEqual([`${file}: cannot be read: it is not UTF-8 text`]);
  });

  it('a channel that cannot be found is told in the words of whoever looked for it', () => {
    writeFileSync(file, '{}');
    const surroundings = { environment: {}, home: '/h', locate: () => ({ problem: '"root" is missing' }) };
    expect(loadWatcherConfig(file, surroundings)).toEqual({ ok: false, problems: [`${file}: "root" is missing`] });
  });
});

describe('the env_file', () => {
  it('is read if it is its owner alone who may', () => {
    writeFileSync(join(folder, 'secrets.env'), 'TOKEN=abc\n', { mode: 0o600 });
    expect(loaded({ env_file: 'secrets.env' }).envFile).toEqual({ TOKEN: 'abc' });
  });

  it.each([0o640, 0o604, 0o620, 0o644])('is refused with mode %i, which lets others in', (mode) => {
    writeFileSync(join(folder, 'secrets.env'), 'TOKEN=abc\n');
    chmodSync(join(folder, 'secrets.env'), mode);
    expect(problems({ env_file: 'secrets.env' })).toEqual([
      `"env_file" is ${JSON.stringify(join(folder, 'secrets.env'))}: others may read or change it (mode 0${mode.toString(8)}): chmod 600 it, since it holds secrets`,
    ]);
  });

  it('is refused with the line that cannot be read, and never echoed', () => {
    writeFileSync(join(folder, 'secrets.env'), 'A=1\nghp_secret\n', { mode: 0o600 });
    const [problem] = problems({ env_file: 'secrets.env' });
    expect(problem).toMatch(/line 2 is no NAME=value$/);
    expect(problem).not.toContain('ghp_secret');
  });
});

it('what the config does not say has its default (decision 26, issue 3)', () => {
  expect(loaded({})).toMatchObject({
    path: file,
    folder,
    root,
    channelName: 'collab',
    parties: {},
    mirror: [{ kind: 'stdout', key: 'stdout' }],
    mirrorBody: 'summary',
    budget: { maxInvocationsPerHour: 12, maxInvocationsPerThread: undefined },
    staleSeconds: 7200,
    schedule: '* * * * *',
    maxConcurrentAgents: 4,
    models: {},
    seats: {},
  });
});

it('what a model or a seat says is left to their own schemas', () => {
  const config = loaded({ models: { m: { any: [`\${KEY}`] } }, seats: { glm: { model: 'm' } } });
  expect([config.models, config.seats]).toEqual([{ m: { any: [`\${KEY}`] } }, { glm: { model: 'm' } }]);
});
