import { describe, expect, it } from 'vitest';
import type { CommandPlace, FoundCommand } from '../../../src/process/find-command.js';
import { resolveConfig } from '../../../src/watcher/config/resolve.js';
import type { WrittenConfig } from '../../../src/watcher/config/schema.js';
import type { WatcherConfig } from '../../../src/watcher/config/watcher-config.js';
import { judgePrograms, judgeVariables } from '../../../src/watcher/doctor/commands.js';
import { judgeClock, judgeDiskSpace, judgeGit, judgeNode } from '../../../src/watcher/doctor/machine.js';
import { judgePrompts } from '../../../src/watcher/doctor/prompts.js';
import { type Driving, judgeSchedule } from '../../../src/watcher/doctor/schedule.js';
import { latestMoments } from '../../../src/watcher/schedule/moments.js';

function config(written: WrittenConfig, envFile: Record<string, string> = {}): WatcherConfig {
  const place = { path: '/c/watcher.json', home: '/h', environment: {}, promptFiles: {}, envFile };
  const resolved = resolveConfig(written, { ...place, channel: { root: '/c/collab', name: 'collab' } });
  if (!resolved.ok) throw new Error(resolved.problems.join('\n'));
  return resolved.config;
}

const cron = { variables: { PATH: '/usr/bin:/bin', HOME: '/h' }, of: 'cron' };

describe('the machine', () => {
  it('needs Node 20 or newer', () => {
    expect(judgeNode('20.11.0').level).toBe('ok');
    expect(judgeNode('18.20.4')).toMatchObject({ level: 'problem', text: 'Node 18.20.4 is too old' });
  });

  it('needs git where a party works in a worktree, and is better with it everywhere', () => {
    expect(judgeGit('git version 2.39.5', true).level).toBe('ok');
    expect([judgeGit(undefined, false).level, judgeGit(undefined, true).level]).toEqual(['warning', 'problem']);
  });

  it('needs a clock that can be right, and a disk that agrees with it', () => {
    const now = new Date('2026-07-06T14:11:02Z');
    expect(judgeClock(now, new Date('2026-07-06T14:11:02.900Z')).level).toBe('ok');
    expect(judgeClock(new Date('1970-01-01T00:10:00Z'), undefined).level).toBe('problem');
    expect(judgeClock(now, new Date('2026-07-06T14:12:02Z'))).toMatchObject({
      level: 'warning',
      text: "the clock of the channel's disk is 60.0 s ahead",
    });
  });

  it('needs room for entries and logs', () => {
    expect(judgeDiskSpace('/c', 1e9).level).toBe('ok');
    expect(judgeDiskSpace('/c', 1e8).level).toBe('warning');
    expect(judgeDiskSpace('/c', 1e6)).toMatchObject({ level: 'problem', text: '0 MB free at /c' });
    expect(judgeDiskSpace('/c', undefined).level).toBe('warning');
  });
});

describe('the programs of the config', () => {
  const installed = ['/usr/bin/codex', '/home/ann/.local/bin/claude', '/c/agent.sh'];
  const find = (program: string, { path = '' }: CommandPlace): FoundCommand => {
    const files = program.includes('/') ? [program] : path.split(':').map((folder) => `${folder}/${program}`);
    const file = files.find((each) => installed.includes(each));
    return file === undefined ? { kind: 'not-found', message: `${program}: not found.` } : { kind: 'found', file };
  };
  const shellPath = '/home/ann/.local/bin:/usr/bin';
  const judge = (written: WrittenConfig, envFile = {}) =>
    judgePrograms(config(written, envFile), cron, shellPath, find);

  it('are looked for on the PATH of the scheduler, not of the shell (W7)', () => {
    expect(judge({ commands: { a: ['codex'], b: ['claude'] } })).toEqual([
      { level: 'ok', about: 'command of a', text: '/usr/bin/codex is found by cron' },
      {
        level: 'problem',
        about: 'command of b',
        text: 'claude is not found by cron, whose PATH is /usr/bin:/bin',
        remedy:
          'it is /home/ann/.local/bin/claude in this terminal: run "debate schedule install" here, or name that path',
      },
    ]);
  });

  it('are looked for on the PATH that env_file or env sets, where one does', () => {
    const PATH = '/home/ann/.local/bin';
    expect(judge({ commands: { a: ['claude'] } }, { PATH })[0]?.level).toBe('ok');
    expect(judge({ parties: { a: { command: ['claude'], env: { PATH: `${PATH}:\${PATH}` } } } })[0]?.level).toBe('ok');
  });

  it('given by a path must be there and executable', () => {
    expect(judge({ commands: { a: ['./agent.sh'], b: ['./absent.sh'] } })).toMatchObject([
      { level: 'ok' },
      { level: 'problem', text: '/c/absent.sh is not there, or not executable' },
    ]);
  });

  it('that are installed nowhere are said to be', () => {
    expect(judge({ mirror: [{ command: ['notify'] }] })).toMatchObject([
      { level: 'problem', about: 'command of a mirror', remedy: 'install notify' },
    ]);
  });

  it('include what prepares a worktree, and leave out what only a run can know', () => {
    const worktree = { branch: 'debate/{thread}', setup: ['npm', 'ci'] };
    const findings = judge({ parties: { a: { command: ['{worktree}/run'], worktree }, b: {} } });
    expect(findings.map(({ level, text }) => `${level}: ${text.split(',')[0]}`)).toEqual([
      'ok: {worktree}/run is found when it runs',
      'problem: npm is not found by cron',
      'ok: b is never woken: it has no command',
    ]);
  });
});

describe('the variables of the config', () => {
  it('must be set where ticks run, which a terminal does not show', () => {
    const written: WrittenConfig = {
      parties: { a: { command: ['x'], env: { A: `\${TOKEN}`, B: `\${KEY}` } } },
      mirror: [{ webhook: `\${HOOK}` }],
      models: { m: { key: `\${constructor}` } },
    };
    expect(judgeVariables(config(written, { TOKEN: 'x' }), cron)).toMatchObject([
      { level: 'problem', about: 'variable HOOK' },
      { level: 'problem', about: 'variable KEY', remedy: 'set it in env_file' },
      { level: 'ok', about: 'variable TOKEN' },
      { level: 'problem', about: 'variable constructor' },
    ]);
  });
});

describe('prompts that compose nothing (DESIGN.md 8)', () => {
  const judge = (party: NonNullable<WrittenConfig['parties']>[string]) =>
    judgePrompts(config({ parties: { a: party } }))[0];

  it.each([
    [{ command: ['claude', '-p'], prompt: 'Take your turn on {thread} at {channel_root}.' }],
    [{ command: ['claude', '-p', '{prompt}'], prompt: 'Take your turn: answer with {"ok": true}.' }],
    [{ command: ['sh', '-c', 'exec claude -p "$1"', 'sh', '{prompt}'], prompt: 'go' }],
    [{ command: ['script'] }],
  ])('%j is fine', (party) => {
    expect(judge(party)).toMatchObject({ level: 'ok' });
  });

  it.each([
    [{ command: ['sh', '-c', 'claude -p "{prompt}"'], prompt: 'go' }, 'problem', 'into the text of a shell script'],
    [{ command: ['bash', '-lc', 'claude -p "$(tail CHANNEL.md)"'] }, 'warning', 'reads CHANNEL.md into the run'],
    [{ command: ['claude'], prompt: 'go', stdin: 'none' as const }, 'warning', 'the prompt reaches nobody'],
    [{ command: ['claude'], prompt: 'Look at $(git log)' }, 'warning', '"$(" stays in the prompt as it is written'],
    [{ command: ['claude'], prompt: `Look at \${HOME}` }, 'warning', `"\${HOME}" stays in the prompt`],
    [{ command: ['claude'], prompt: 'Take {tread}.' }, 'warning', '{tread} stays in the prompt as it is written'],
  ])('%j is not', (party, level, text) => {
    expect(judge(party)).toMatchObject({ level, text: expect.stringContaining(text) });
  });

  it('the near placeholder is suggested', () => {
    expect(judge({ command: ['x'], prompt: '{tread}' })).toMatchObject({ remedy: 'write {thread}' });
    expect(judge({ command: ['x'], prompt: '{body}' })).toMatchObject({
      remedy: expect.stringContaining('known are {prompt}'),
    });
  });

  it('a party that is never woken needs none', () => {
    expect(judge({})).toBeUndefined();
  });
});

describe('who drives the channel', () => {
  const now = new Date('2026-07-06T14:11:02Z');
  const installed = { ok: true, installed: { text: 'the line', path: '/bin' } } as const;
  const nothing = { ok: true, installed: undefined } as const;
  const driving: Driving = {
    scheduler: 'systemd',
    state: installed,
    expected: 'the line\n',
    daemon: undefined,
    schedule: '*/3 * * * *',
    lastTickAt: new Date('2026-07-06T14:09:01Z'),
    now,
  };
  const levels = (change: Partial<Driving>) => judgeSchedule({ ...driving, ...change }).map(({ level }) => level);

  it('is fine where the schedule is installed as it should be and the last tick was the last one due', () => {
    expect(levels({})).toEqual(['ok', 'ok']);
    expect(levels({ lastTickAt: new Date('2026-07-06T14:06:01Z') })).toEqual(['ok', 'ok']);
  });

  it('is a problem where a schedule is installed and no tick comes', () => {
    expect(judgeSchedule({ ...driving, lastTickAt: new Date('2026-07-06T11:00:00Z') })[1]).toEqual({
      level: 'problem',
      about: 'last tick',
      text: 'the last tick was 2026-07-06T11:00:00.000Z, and one was due at 2026-07-06T14:06:00.000Z',
      remedy: 'see what systemd logged',
    });
  });

  it.each<[string, Partial<Driving>, readonly string[]]>([
    ['nothing is installed', { state: nothing }, ['warning', 'ok']],
    [
      'nothing is installed and nothing was ever seen',
      { state: nothing, lastTickAt: undefined },
      ['warning', 'warning'],
    ],
    ['something else is installed', { expected: 'another line' }, ['warning', 'ok']],
    ['the scheduler cannot be asked', { state: { ok: false, problem: 'not allowed' } }, ['warning', 'ok']],
    ['there is no scheduler', { scheduler: undefined, state: undefined }, ['warning', 'ok']],
    ['the last tick lies in the future', { lastTickAt: new Date('2026-07-07T00:00:00Z') }, ['ok', 'warning']],
  ])('is worth a look where %s', (_, change, expected) => {
    expect(levels(change)).toEqual(expected);
  });

  it('the moments of a schedule are found backwards, the newest first, and none beyond eight days', () => {
    const weekly = { minutes: [30], hours: [9], days: range(1, 31), months: range(1, 12), weekdays: [1] };
    expect(latestMoments(weekly, now, 1, 'utc')).toEqual([new Date('2026-07-06T09:30:00Z')]);
    expect(latestMoments(weekly, now, 2, 'utc')).toEqual([
      new Date('2026-07-06T09:30:00Z'),
      new Date('2026-06-29T09:30:00Z'),
    ]);
    expect(latestMoments({ ...weekly, weekdays: range(0, 6), days: [1], months: [1] }, now, 1, 'utc')).toEqual([]);
  });
});

function range(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
