import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commandOnPath } from '../../src/process/find-command.js';

// The real cron daemon drives a whole small review with nothing else running (issue 3, section 3). It looks at its tables once a
// minute, so a turn takes up to one.
const NEEDED = ['crontab', 'cron', 'useradd', 'userdel', 'pgrep'];
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const user = `debate-cron-${process.pid}`;

let folder: string;
let identity: { readonly uid: number; readonly gid: number };

beforeAll(() => {
  const missing = NEEDED.filter((program) => commandOnPath(program, PATH) === undefined);
  if (process.getuid?.() !== 0) missing.push('root');
  if (missing.length > 0) throw new Error(`test:system needs ${missing.join(', ')}`);
  execFileSync('useradd', ['--create-home', '--shell', '/bin/sh', user]);
  const id = (flag: string) => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }));
  identity = { uid: id('-u'), gid: id('-g') };
  folder = mkdtempSync(join(tmpdir(), 'debate-cron-'));
  chmodSync(folder, 0o755);
  installTool();
});

afterAll(() => {
  spawnSync('crontab', ['-u', user, '-r']);
  spawnSync('userdel', ['--remove', user]);
  rmSync(folder, { recursive: true, force: true });
});

/** The built tool where every user may read it: the checkout may lie in a folder that is root's alone. */
function installTool(): void {
  cpSync('dist', join(folder, 'tool', 'dist'), { recursive: true });
  cpSync('package.json', join(folder, 'tool', 'package.json'));
  copyPackage('execa', new Set());
}

function copyPackage(name: string, copied: Set<string>): void {
  if (copied.has(name)) return;
  copied.add(name);
  const from = join('node_modules', name);
  cpSync(from, join(folder, 'tool', from), { recursive: true });
  const { dependencies = {} } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')) as {
    dependencies?: Record<string, string>;
  };
  for (const each of Object.keys(dependencies)) copyPackage(each, copied);
}

/** Runs the tool as the user whose crontab it is. */
function debate(...args: readonly string[]) {
  const env = { PATH: `${dirname(process.execPath)}:${PATH}`, HOME: `/home/${user}` };
  const tool = join(folder, 'tool', 'dist', 'cli', 'main.cjs');
  return spawnSync(process.execPath, [tool, ...args], { ...identity, env, cwd: `/home/${user}`, encoding: 'utf8' });
}

it('cron alone drives a review from request to close', async () => {
  const work = join(folder, "a reviewer's work at 100%");
  mkdirSync(work);
  chownSync(work, identity.uid, identity.gid);
  const root = join(work, 'channel');
  const agent = (rest: string) => ['sh', '-c', `"$NODE" "$TOOL" post ${rest}`];
  const env = { NODE: process.execPath, TOOL: join(folder, 'tool', 'dist', 'cli', 'main.cjs') };
  const config = join(work, 'watcher.json');
  writeFileSync(
    config,
    JSON.stringify({
      root,
      parties: {
        codex: { command: agent('--type verdict --decision approve --body "It does what it says."'), env },
        claude: { command: agent('--type close --body "Thank you."'), env },
      },
      mirror: [{ file: join(work, 'mirror.txt') }],
    }),
  );
  expect(debate('init', '--root', root, '--parties', 'claude,codex', '--supervisor', 'owner').stderr).toBe('');
  const opened = debate(
    'post',
    '--root',
    root,
    '--as',
    'claude',
    '--type',
    'review-request',
    '--thread',
    'small',
    '--body',
    'Please.',
  );
  expect(opened.status, opened.stderr).toBe(0);
  const installed = debate('schedule', 'install', '--scheduler', 'cron', '--config', config);
  expect(installed.status, installed.stderr).toBe(0);
  expect(debate('schedule', 'status', '--scheduler', 'cron', '--config', config).status).toBe(0);

  const senders = () => {
    const { stdout } = debate('read', '--root', root, '--all', '--json');
    return (JSON.parse(stdout) as { entries: { sender: string; type: string }[] }).entries.map(
      ({ sender, type }) => `${sender} ${type}`,
    );
  };
  await expect
    .poll(senders, { timeout: 300_000, interval: 2000 })
    .toEqual(['claude review-request', 'codex verdict', 'claude close']);
  // One tick more sees the close: what is mirrored is what was said, each once.
  await expect
    .poll(() => readFileSync(join(work, 'mirror.txt'), 'utf8').match(/MSG-\d+/g), {
      timeout: 120_000,
      interval: 1000,
    })
    .toEqual(['MSG-1', 'MSG-2', 'MSG-3']);
  expect(debate('verify', '--root', root).status).toBe(0);
  const doctor = debate('doctor', '--config', config, '--json');
  const { findings } = JSON.parse(doctor.stdout) as { findings: { about: string; level: string }[] };
  for (const about of ['schedule', 'last tick', 'record', 'doorbell', 'command of codex'])
    expect(findings.filter((finding) => finding.about === about)).toMatchObject([{ level: 'ok' }]);
  expect(debate('schedule', 'remove', '--scheduler', 'cron', '--config', config).status).toBe(0);
  expect(spawnSync('crontab', ['-u', user, '-l'], { encoding: 'utf8' }).stdout).toBe('');
});
