import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chooseScheduler, schedulers } from '../../../src/watcher/schedule/choose-scheduler.js';
import type { SchedulerName, SchedulerWorld } from '../../../src/watcher/schedule/scheduler.js';
import { difficult, entryOf } from './entries.js';

let folder: string;
let world: SchedulerWorld;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'debate-schedule-'));
  world = { environment: { PATH: `${folder}:/usr/bin:/bin`, TABLE: join(folder, 'table') }, home: folder, uid: 1000 };
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A program of the scheduler's name that behaves like it as far as we use it, and writes down how it was called. */
function program(name: string, script: string): void {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\necho "${name} $*" >> '${join(folder, 'calls')}'\n${script}\n`);
  chmodSync(path, 0o755);
}

function calls(): readonly string[] {
  const path = join(folder, 'calls');
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
}

const CRONTAB = `
case "$1" in
  -l) test -f "$TABLE" || { echo "no crontab for ann" >&2; exit 1; }; cat "$TABLE";;
  -) cat > "$TABLE";;
esac`;
const SYSTEMCTL = `
case "$2" in
  restart) : > "$TABLE";;
  disable) rm -f "$TABLE";;
  is-active) test -f "$TABLE" && echo active || { echo inactive; exit 3; };;
esac`;
const LAUNCHCTL = `
case "$1" in
  bootstrap) test -f "$TABLE" && { echo "Bootstrap failed: 5" >&2; exit 5; }; : > "$TABLE";;
  bootout) rm "$TABLE" 2>/dev/null || exit 3;;
  print) test -f "$TABLE";;
esac`;

describe.each<[SchedulerName, string, string]>([
  ['cron', 'crontab', CRONTAB],
  ['systemd', 'systemctl', SYSTEMCTL],
  ['launchd', 'launchctl', LAUNCHCTL],
])('a schedule of %s', (name, tool, script) => {
  const scheduler = schedulers[name];
  const { key } = entryOf();

  it('is not installed, then installed, then removed, and says so', async () => {
    program(tool, script);
    expect(await scheduler.status(key, world)).toEqual({ ok: true, installed: undefined });
    expect(await scheduler.install(entryOf(), world)).toMatchObject({ ok: true, changed: true });
    expect(await scheduler.status(key, world)).toEqual({
      ok: true,
      installed: { text: expect.stringContaining('watch-once'), path: entryOf().environment.PATH },
    });
    expect(await scheduler.remove(key, world)).toMatchObject({ ok: true, changed: true });
    expect(await scheduler.status(key, world)).toEqual({ ok: true, installed: undefined });
    expect(await scheduler.remove(key, world)).toMatchObject({ ok: true, changed: false });
  });

  it('is replaced by installing again, and one of another channel stays', async () => {
    program(tool, script);
    await scheduler.install(entryOf(), world);
    expect(await scheduler.install(entryOf(), world)).toMatchObject({ ok: true, changed: false });
    expect(await scheduler.install(entryOf({ config: '/new/watcher.json' }), world)).toMatchObject({
      ok: true,
      changed: true,
    });
    expect(await scheduler.status(key, world)).toMatchObject({
      installed: { text: expect.stringContaining('/new/watcher.json') },
    });
    if (name === 'cron') {
      await scheduler.install(entryOf(difficult), world);
      await scheduler.remove('collab-ffffffff', world);
    }
    expect(await scheduler.status(key, world)).toMatchObject({
      installed: { text: expect.stringContaining('/new/watcher.json') },
    });
  });

  it('printed is what would be installed, and printing touches nothing', async () => {
    program(tool, script);
    const rendered = scheduler.render(entryOf());
    expect([calls(), readdirSync(folder)]).toEqual([[], [tool]]);
    await scheduler.install(entryOf(), world);
    const state = await scheduler.status(key, world);
    const installed = state.ok ? state.installed?.text.trimEnd() : state.problem;
    expect('text' in rendered ? rendered.text.trimEnd() : rendered.problem).toBe(installed);
  });

  it('that the scheduler refuses is told in its words', async () => {
    program(tool, 'echo "you are not allowed to do this" >&2; exit 1');
    expect(await scheduler.install(entryOf(), world)).toEqual({
      ok: false,
      problem: expect.stringMatching(new RegExp(`^${tool} .* ended with 1: you are not allowed to do this$`)),
    });
  });

  it('without the scheduler is told so', async () => {
    const problem = `${tool} is not installed, or not on the PATH`;
    const nowhere = { ...world, environment: { PATH: join(folder, 'nowhere') } };
    expect(await scheduler.install(entryOf(), nowhere)).toEqual({ ok: false, problem });
  });
});

describe('a crontab', () => {
  it('that cannot be read is never taken for an empty one and overwritten', async () => {
    writeFileSync(join(folder, 'table'), 'MAILTO=ann\n');
    program('crontab', 'test "$1" = -l && { echo "crontab: cannot open" >&2; exit 1; }; cat > "$TABLE"');
    expect(await schedulers.cron.install(entryOf(), world)).toMatchObject({ ok: false });
    expect(await schedulers.cron.remove(entryOf().key, world)).toMatchObject({ ok: false });
    expect(readFileSync(join(folder, 'table'), 'utf8')).toBe('MAILTO=ann\n');
  });

  it('keeps its other lines, byte for byte', async () => {
    writeFileSync(join(folder, 'table'), 'MAILTO=ann\n\n# mine\n0 1 * * * x\t\n');
    program('crontab', CRONTAB);
    await schedulers.cron.install(entryOf(), world);
    await schedulers.cron.remove(entryOf().key, world);
    expect(readFileSync(join(folder, 'table'), 'utf8')).toBe('MAILTO=ann\n\n# mine\n0 1 * * * x\t\n');
  });
});

it('the units of systemd lie where XDG_CONFIG_HOME says', async () => {
  program('systemctl', SYSTEMCTL);
  const elsewhere = { ...world, environment: { ...world.environment, XDG_CONFIG_HOME: join(folder, 'my config') } };
  expect(await schedulers.systemd.install(entryOf(), elsewhere)).toMatchObject({
    notices: [expect.stringContaining('loginctl enable-linger')],
  });
  expect(readdirSync(join(folder, 'my config/systemd/user')).sort()).toEqual([
    'debate-watch-collab-0a1b2c3d.service',
    'debate-watch-collab-0a1b2c3d.timer',
  ]);
});

it('a folder that cannot be written to is told, not thrown', async () => {
  program('systemctl', SYSTEMCTL);
  writeFileSync(join(folder, '.config'), 'a file in the way');
  expect(await schedulers.systemd.install(entryOf(), world)).toEqual({
    ok: false,
    problem: expect.stringContaining('.config'),
  });
});

describe('the scheduler that a machine offers', () => {
  it.each([
    ['darwin', ['crontab'], 'launchd'],
    ['linux', ['crontab', 'systemctl'], 'cron'],
    ['linux', ['systemctl'], 'systemd'],
    ['linux', [], undefined],
  ] as const)('on %s with %j is %s', (platform, programs, expected) => {
    expect(chooseScheduler(platform, (program) => (programs as readonly string[]).includes(program))).toBe(expected);
  });
});
