import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { makeScene, type Scene, TOOL } from '../watcher/scene.js';

let scene: Scene;
afterEach(() => scene.remove());

/** A scene whose `crontab` keeps its table in a file. */
function withCrontab(): (name: string, ...args: readonly string[]) => ReturnType<Scene['debate']> {
  scene = makeScene();
  scene.script(
    'crontab',
    'case "$1" in -l) cat "$HOME/table" 2>/dev/null || { echo "no crontab" >&2; exit 1; };; -) cat > "$HOME/table";; esac',
  );
  return (name, ...args) => scene.debate(['schedule', name, '--scheduler', 'cron', '--config', scene.config, ...args]);
}

describe('debate schedule (issue 3, section 3)', () => {
  it('print touches nothing; install, status and remove find the one entry again, and leave other lines alone', () => {
    const schedule = withCrontab();
    const table = join(scene.folder, 'table');
    const printed = schedule('print');
    expect(printed.code).toBe(0);
    expect(printed.stdout).toContain(`${TOOL} watch-once --root ${scene.root} --config ${scene.config}`);
    expect(existsSync(table)).toBe(false);

    writeFileSync(table, '0 4 * * * mine\n');
    expect(schedule('status').stdout).toContain('nothing of this channel in cron');
    expect(schedule('install').stdout).toMatch(/^installed in cron/);
    expect(schedule('install').stdout).toMatch(/^already installed in cron/);
    expect(readFileSync(table, 'utf8')).toBe(`0 4 * * * mine\n${printed.stdout}`);
    expect(JSON.parse(schedule('status', '--json').stdout)).toMatchObject({ scheduler: 'cron', current: true });

    scene.configure({ schedule: '*/5 * * * *' });
    expect(schedule('status').code).toBe(4);
    expect(schedule('install').code).toBe(0);
    expect(schedule('remove').stdout).toMatch(/^removed from cron/);
    expect(readFileSync(table, 'utf8')).toBe('0 4 * * * mine\n');
  });

  it('names the channel of a folder that holds several, also where only the environment had said which is meant', () => {
    const schedule = withCrontab();
    const root = join(scene.folder, 'several');
    const init = ['init', '--root', root, '--parties', 'claude,codex', '--supervisor', 'owner', '--json', '--label'];
    const made = ['api', 'web'].map((label) => scene.debate([...init, label]));
    const [id = ''] = made.map(({ stdout }) => (JSON.parse(stdout) as { channel: string }).channel);
    scene.configure({ root: undefined });
    const env = { DEBATE_ROOT: root, DEBATE_CHANNEL: id };
    const install = ['schedule', 'install', '--scheduler', 'cron', '--config', scene.config];
    expect(scene.debate(install, { env }).code).toBe(0);
    const line = readFileSync(join(scene.folder, 'table'), 'utf8');
    const [, args = ''] = /main\.cjs (watch-once .*) #/m.exec(line) ?? [];
    expect(args).toContain(` --channel ${id}`);
    expect(scene.debate(args.split(' ')).code).toBe(0);
    const status = schedule('status', '--root', root, '--channel', id, '--json');
    expect(JSON.parse(status.stdout)).toMatchObject({ current: true });
    const { stdout } = scene.debate(['doctor', '--config', scene.config, '--json'], { env });
    const { findings } = JSON.parse(stdout) as { findings: Record<string, string>[] };
    expect(findings.find(({ about }) => about === 'schedule')).toMatchObject({
      text: expect.stringMatching(/^installed/),
    });
  });

  it('prints for the schedulers of other machines too, and is wrong usage for an unknown one', () => {
    scene = makeScene();
    const print = (name: string) => scene.debate(['schedule', 'print', '--scheduler', name, '--config', scene.config]);
    expect(print('systemd').stdout).toContain('OnCalendar=');
    expect(print('launchd').stdout).toContain('<key>StartInterval</key>');
    expect(print('at').code).toBe(2);
  });

  it('says what went wrong where the scheduler refuses, and changes nothing', () => {
    const schedule = withCrontab();
    scene.script('crontab', 'echo "you are not allowed to use this program" >&2; exit 1');
    expect(schedule('install')).toMatchObject({ code: 3, stderr: expect.stringContaining('not allowed') });
  });
});

describe('debate schema watcher', () => {
  it('is the JSON Schema of the config', () => {
    scene = makeScene();
    const { code, stdout } = scene.debate(['schema', 'watcher']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ type: 'object', properties: { root: {}, parties: {} } });
    expect(scene.debate(['schema', 'other']).code).toBe(2);
  });
});

describe('debate doctor', () => {
  it('ends with 4 on a problem and names what to do; --json is one document', () => {
    scene = makeScene();
    scene.configure({ parties: { codex: { command: ['nobody-has-this'] } } });
    const { code, stdout } = scene.debate(['doctor', '--config', scene.config, '--json']);
    expect(code).toBe(4);
    const { problems, findings } = JSON.parse(stdout) as { problems: number; findings: Record<string, string>[] };
    expect(problems).toBe(1);
    expect(findings.find(({ about }) => about === 'command of codex')).toMatchObject({
      level: 'problem',
      remedy: 'install nobody-has-this',
    });
  });
});
