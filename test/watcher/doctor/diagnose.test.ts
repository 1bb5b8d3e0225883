import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadWatcherConfig } from '../../../src/watcher/config/load.js';
import { type DoctorWorld, diagnoseMachine } from '../../../src/watcher/doctor/diagnose.js';
import { probeAppend, probeDiskSpace, probeFileEvents, probeWrite } from '../../../src/watcher/doctor/probe.js';
import { schedulers } from '../../../src/watcher/schedule/choose-scheduler.js';
import { scheduleEntry } from '../../../src/watcher/schedule/entry.js';

let folder: string;
let world: DoctorWorld;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'debate-doctor-')));
  mkdirSync(join(folder, 'collab'));
  mkdirSync(join(folder, 'bin'));
  program('agent', 'exit 0');
  program(
    'crontab',
    'case "$1" in -l) cat "$HOME/table" 2>/dev/null || { echo "no crontab" >&2; exit 1; };; -) cat > "$HOME/table";; esac',
  );
  world = {
    environment: { PATH: `${folder}/bin:/usr/bin:/bin`, HOME: folder },
    home: folder,
    uid: 1000,
    now: new Date(),
    platform: 'linux',
    nodeVersion: process.versions.node,
    node: process.execPath,
    tool: '/opt/debate/main.cjs',
    channelId: '',
    lastTickAt: undefined,
    daemon: undefined,
  };
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function program(name: string, script: string): void {
  writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'bin', name), 0o755);
}

function config(more: Record<string, unknown> = {}) {
  const path = join(folder, 'watcher.json');
  const written = { root: 'collab', commands: { a: ['agent', '{prompt}'] }, prompts: { a: 'go' }, ...more };
  writeFileSync(path, JSON.stringify(written));
  const loaded = loadWatcherConfig(path, {
    environment: {},
    home: folder,
    locate: (root) => ({ root: root ?? '', name: 'collab' }),
  });
  if (!loaded.ok) throw new Error(loaded.problems.join('\n'));
  return loaded.config;
}

async function installSchedule(PATH: string): Promise<void> {
  const { channelKey: key, root, path, schedule } = config();
  const { node, tool } = world;
  const entry = scheduleEntry({
    key,
    root,
    config: path,
    channelId: '',
    schedule,
    node,
    tool,
    environment: { PATH },
  });
  if ('problem' in entry) throw new Error(entry.problem);
  expect(await schedulers.cron.install(entry, world)).toMatchObject({ ok: true });
}

const levelsOf = async () =>
  Object.fromEntries((await diagnoseMachine(config(), world)).map(({ about, level }) => [about, level]));

describe('debate doctor on this machine', () => {
  it('finds nothing wrong with a channel that is scheduled and ticks', async () => {
    await installSchedule(world.environment.PATH ?? '');
    world = { ...world, lastTickAt: world.now };
    expect((await diagnoseMachine(config(), world)).filter(({ level }) => level !== 'ok')).toEqual([]);
  });

  it('finds that a command is on the PATH of the terminal and not on that of the schedule (W7)', async () => {
    await installSchedule('/usr/bin:/bin');
    expect(await levelsOf()).toMatchObject({ 'command of a': 'problem', schedule: 'warning', 'last tick': 'warning' });
  });

  it('says that nothing drives a channel which nobody scheduled', async () => {
    expect(await levelsOf()).toMatchObject({ 'command of a': 'ok', schedule: 'warning', 'last tick': 'warning' });
  });

  it('finds that a mirror has no file to append to: escalations would go nowhere', async () => {
    const findings = await diagnoseMachine(config({ mirror: [{ file: 'absent/mirror.txt' }] }), world);
    expect(findings).toContainEqual(expect.objectContaining({ about: 'mirror file', level: 'problem' }));
  });

  it('looks for the file of a mirror where a tick writes it, its variables filled in', async () => {
    const fileOf = async (file: string) =>
      (await diagnoseMachine(config({ mirror: [{ file }] }), world)).find(({ about }) => about === 'mirror file');
    expect(await fileOf(`\${HOME}/mirror.log`)).toMatchObject({ level: 'ok', text: expect.stringContaining(folder) });
    expect(await fileOf(`\${HOME}/absent/mirror.log`)).toMatchObject({ level: 'problem' });
    expect(await fileOf(`\${NOBODY_HAS_THIS}/mirror.log`)).toBeUndefined();
  });

  it('finds, as a tick does, that the interpreter of a command is missing (W7)', async () => {
    writeFileSync(join(folder, 'bin', 'agent'), '#!/usr/bin/env nonexistent-interp\n');
    const found = (await diagnoseMachine(config(), world)).find(({ about }) => about === 'command of a');
    expect(found).toMatchObject({ level: 'problem', text: expect.stringContaining('needs "nonexistent-interp"') });
  });

  it('leaves nothing behind', async () => {
    await diagnoseMachine(config(), world);
    expect(readdirSync(join(folder, 'collab'))).toEqual([]);
    expect(existsSync(join(folder, '.local'))).toBe(false);
  });
});

describe('the probes', () => {
  it('notice that a folder cannot be written to, with the reason', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(probeWrite(join(folder, 'file')).reason).toContain('ENOTDIR');
    expect(probeWrite(folder).reason).toBeUndefined();
  });

  it('try the nearest folder of one that is not there yet, without making it', () => {
    expect(probeWrite(join(folder, 'a/b')).reason).toBeUndefined();
    expect(probeDiskSpace(join(folder, 'a/b'))).toBe(probeDiskSpace(folder));
    expect(existsSync(join(folder, 'a'))).toBe(false);
  });

  it('notice that a mirror has no file to append to, and make none', () => {
    expect(probeAppend(join(folder, 'mirror.txt'))).toBeUndefined();
    expect(probeAppend(join(folder, 'absent/mirror.txt'))).toBe('its folder is not there');
    expect(probeAppend(folder)).toBe('it is a folder');
    expect(readdirSync(folder).sort()).toEqual(['bin', 'collab']);
  });

  it('notice whether changes of a folder are announced', async () => {
    expect(await probeFileEvents(folder, 10)).toBe(true);
    expect(await probeFileEvents(join(folder, 'absent'), 10)).toBe(false);
  });
});
