import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandOnPath } from '../../src/process/find-command.js';
import { schedulers } from '../../src/watcher/schedule/choose-scheduler.js';
import { parseCronExpression } from '../../src/watcher/schedule/cron-expression.js';
import type { SchedulerWorld } from '../../src/watcher/schedule/scheduler.js';
import { calendarOf, systemdService, systemdTimer, systemdUnitName } from '../../src/watcher/schedule/systemd-units.js';
import { difficult, entryOf } from '../watcher/schedule/entries.js';

// These tests make a user of their own and run the machine's own schedulers, so they need root and those programs.
const NEEDED = ['crontab', 'cron', 'useradd', 'userdel', 'setpriv', 'systemd-analyze', 'pgrep'];
const SYSTEMD = '/lib/systemd/systemd';
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const user = `debate-${process.pid}`;

let folder: string;
let uid: number;
let gid: number;

beforeAll(() => {
  const missing = NEEDED.filter((program) => commandOnPath(program, PATH) === undefined);
  if (!existsSync(SYSTEMD)) missing.push(SYSTEMD);
  if (process.getuid?.() !== 0) missing.push('root');
  if (missing.length > 0) throw new Error(`test:system needs ${missing.join(', ')}`);
  execFileSync('useradd', ['--create-home', '--shell', '/bin/sh', user]);
  uid = Number(execFileSync('id', ['-u', user], { encoding: 'utf8' }));
  gid = Number(execFileSync('id', ['-g', user], { encoding: 'utf8' }));
  folder = mkdtempSync(join(tmpdir(), 'debate-system-'));
  chmodSync(folder, 0o755);
});

afterAll(() => {
  execFileSync('userdel', ['--remove', user], { stdio: 'ignore' });
  rmSync(folder, { recursive: true, force: true });
});

function script(path: string, text: string): string {
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
}

/** The real crontab, for the user of this test. */
function cronWorld(): SchedulerWorld {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  script(join(bin, 'crontab'), `#!/bin/sh\nexec /usr/bin/crontab -u ${user} "$@"\n`);
  return { environment: { PATH: `${bin}:${PATH}` }, home: `/home/${user}`, uid };
}

describe('the real crontab', () => {
  it('takes the line of a difficult root, gives it back whole, and is empty after removing', async () => {
    const world = cronWorld();
    const entry = entryOf(difficult);
    expect(await schedulers.cron.status(entry.key, world)).toEqual({ ok: true, installed: undefined });
    expect(await schedulers.cron.install(entry, world)).toMatchObject({ ok: true, changed: true });
    const rendered = schedulers.cron.render(entry);
    expect(await schedulers.cron.status(entry.key, world)).toEqual({
      ok: true,
      installed: { text: 'text' in rendered ? rendered.text.trimEnd() : '', path: entry.environment.PATH },
    });
    expect(await schedulers.cron.install(entry, world)).toMatchObject({ ok: true, changed: false });
    expect(await schedulers.cron.remove(entry.key, world)).toMatchObject({ ok: true, changed: true });
    expect(await schedulers.cron.status(entry.key, world)).toEqual({ ok: true, installed: undefined });
  });
});

describe('the real cron daemon', () => {
  it('starts what was installed with the very arguments and PATH, whatever is in them', async () => {
    const world = cronWorld();
    const out = join(folder, 'arrived');
    writeFileSync(out, '');
    chownSync(out, uid, gid);
    const program = script(join(folder, "an 'echo' for 100%"), `#!/bin/sh\nprintf '%s\\0' "$PATH" "$@" > ${out}\n`);
    const entry = { ...entryOf({ ...difficult, schedule: '* * * * *' }), program };
    expect(await schedulers.cron.install(entry, world)).toMatchObject({ ok: true });

    try {
      await expect
        .poll(() => readFileSync(out, 'utf8').split('\0').slice(0, -1), { timeout: 150_000, interval: 500 })
        .toEqual([entry.environment.PATH, ...entry.args]);
    } finally {
      await schedulers.cron.remove(entry.key, world);
    }
  });
});

describe('the real systemd', () => {
  const entry = () => entryOf({ ...difficult, node: process.execPath, tool: join(folder, 'tool.js') });

  function writeUnits(): string {
    const units = join(folder, 'units');
    mkdirSync(units, { recursive: true });
    const name = systemdUnitName(entry().key);
    writeFileSync(join(units, `${name}.service`), systemdService(entry()));
    writeFileSync(join(units, `${name}.timer`), systemdTimer(entry()));
    return units;
  }

  function runtimeFolder(): string {
    const runtime = join(folder, 'run');
    mkdirSync(runtime, { recursive: true });
    chownSync(runtime, uid, gid);
    return runtime;
  }

  it('finds nothing wrong with the units of a difficult root', () => {
    const timer = join(writeUnits(), `${systemdUnitName(entry().key)}.timer`);
    const env = { PATH, XDG_RUNTIME_DIR: runtimeFolder() };
    expect(execFileSync('systemd-analyze', ['verify', '--user', timer], { env, encoding: 'utf8', stdio: 'pipe' })).toBe(
      '',
    );
  });

  it('reads from them the very arguments and PATH', () => {
    const { key, program, args, environment } = entry();
    const told = execFileSync(
      'setpriv',
      [
        '--reuid',
        user,
        '--regid',
        user,
        '--clear-groups',
        SYSTEMD,
        '--user',
        '--test',
        `--unit=${systemdUnitName(key)}.service`,
      ],
      {
        env: { HOME: `/home/${user}`, XDG_RUNTIME_DIR: runtimeFolder(), SYSTEMD_UNIT_PATH: `${writeUnits()}:` },
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
        maxBuffer: 1 << 26,
      },
    );
    // The dump shows the command as shell words, and a dollar sign still doubled: that is undone when it is executed.
    const commands = [...told.matchAll(/^\s*Command Line: (.*)$/gm)].map(([, command = '']) => shellWords(command));
    expect(commands).toContainEqual([program, ...args.map((arg) => arg.replaceAll('$', '$$$$'))]);
    expect([...told.matchAll(/^\s*Environment: (.*)$/gm)].map(([, variable]) => variable)).toEqual(
      expect.arrayContaining(Object.entries(environment).map(([name, value]) => `${name}=${value}`)),
    );
  });

  it.each([
    ['*/3 * * * *', '14:12:00', '14:15:00'],
    ['0,30 14-16 * * 1', '14:30:00', '15:00:00'],
    ['*/7 * * 7 *', '14:14:00', '14:21:00'],
  ])('means the same moments by %s as cron does', (schedule, ...moments) => {
    const expression = parseCronExpression(schedule);
    const calendar = 'problem' in expression ? expression.problem : calendarOf(expression);
    const told = execFileSync(
      'systemd-analyze',
      ['calendar', '--iterations=2', '--base-time=2026-07-06 14:11:02 UTC', calendar],
      { encoding: 'utf8', env: { PATH, TZ: 'UTC' } },
    );
    for (const moment of moments) expect(told).toContain(`Mon 2026-07-06 ${moment} UTC`);
  });
});

/** The words of a command as systemd shows it: bare, or in double quotes with backslashes before what a shell minds. */
function shellWords(command: string): readonly string[] {
  return [...command.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, quoted, bare]) =>
    quoted === undefined ? (bare ?? '') : quoted.replaceAll(/\\(.)/g, '$1'),
  );
}
