import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { realWorld } from '../../src/cli/real-world.js';
import { initChannel } from '../../src/protocol/init.js';

/** A person's machine in a temporary folder: a home, a PATH with stand-in harnesses, a repository of one commit. */
export interface Scene {
  readonly folder: string;
  readonly home: string;
  readonly project: string;
  /** Adds a stand-in harness: a script in JavaScript that finds its prompt in `prompt` and may call `debate(...args)`. */
  readonly addHarness: (name: string, script: string) => void;
  readonly git: (...args: string[]) => string;
  /** Runs the built tool in the project. */
  readonly debate: (args: readonly string[], more?: Readonly<Record<string, string>>) => Promise<Ran>;
  /** Makes a channel in a folder of the project, in this process. */
  readonly init: (folder: string, parties: readonly string[], supervisor: string) => void;
  readonly remove: () => void;
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const tool = resolve(import.meta.dirname, '../../dist/cli/main.cjs');

export function makeScene(): Scene {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'debate-setup-')));
  const [home, project, bin] = ['home', 'project', 'bin'].map((name) => join(folder, name)) as [string, string, string];
  for (const path of [home, project, bin]) mkdirSync(path);
  symlinkSync(tool, join(bin, 'debate'));
  const git = (...args: string[]) => {
    const settings = ['-c', 'user.name=t', '-c', 'user.email=t@example.invalid', '-c', 'commit.gpgsign=false'];
    const run = spawnSync('git', ['-C', project, ...settings, ...args], { encoding: 'utf8' });
    if (run.status !== 0) throw new Error(run.stderr);
    return run.stdout.trim();
  };
  git('init', '--quiet', '--initial-branch=main');
  writeFileSync(join(project, 'package.json'), '{"scripts":{"test":"node -e 0"}}\n');
  git('add', '.');
  git('commit', '--quiet', '-m', 'first');
  const env = { HOME: home, PATH: [bin, dirname(process.execPath), '/usr/bin', '/bin'].join(':'), NO_COLOR: '1' };
  return {
    folder,
    home,
    project,
    git,
    addHarness: (name, script) => {
      const path = join(bin, name);
      writeFileSync(path, `#!${process.execPath}\n${PRELUDE}${script}\n`);
      chmodSync(path, 0o755);
    },
    debate: (args, more = {}) => run(args, project, { ...env, ...more }),
    init: (name, parties, supervisor) => {
      const { disk, machine } = realWorld();
      const root = join(project, name);
      const plain = { threadCap: undefined, format: 2, label: undefined, project: undefined } as const;
      initChannel(disk, machine, { root, parties, supervisor, ...plain });
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const PRELUDE = `
const { readFileSync, writeFileSync, appendFileSync } = require('node:fs');
const { spawnSync } = require('node:child_process');
const args = process.argv.slice(2);
// How the doctor asks whether it is logged in.
if (args[1] === 'status') process.exit(0);
const prompt = readFileSync(0, 'utf8');
const debate = (...words) => {
  const run = spawnSync('debate', words, { encoding: 'utf8' });
  process.stdout.write(run.stdout + run.stderr);
  return run.status;
};
`;

function run(args: readonly string[], cwd: string, env: Readonly<Record<string, string>>): Promise<Ran> {
  const child = spawn(process.execPath, [tool, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
    });
  return new Promise((settle, reject) => {
    child.on('error', reject).on('close', (code) => settle({ code, ...texts }));
  });
}
