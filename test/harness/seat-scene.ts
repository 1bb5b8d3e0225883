import { execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { MAIN } from '../scratch-channel.js';
import { CACHE, installHarness } from './install-harness.js';
import type { RealHarness } from './real-harnesses.js';
import type { ScriptedModel } from './scripted-model.js';

/** A real harness in a seat, and the model that drives it. */
export interface Seated {
  readonly harness: RealHarness;
  readonly model: ScriptedModel;
  /** A person sits there, too, and the watcher wakes it only when they do not answer. */
  readonly isLive?: boolean;
}

/** What a scene is made of. A role without a harness belongs to nobody whom the watcher could wake. */
export interface Cast {
  readonly builder?: Seated;
  readonly reviewer?: Seated;
  /** What `npm test` runs in the project. */
  readonly tests?: string;
}

/** How a command of the scene ended. */
export interface Ran {
  readonly code: number | null;
  /** Both streams as they came. */
  readonly output: string;
  readonly stdout: string;
}

/** A machine of a person who has just run `debate setup`: an empty home but for the harness's own settings, a project with two commits and a remote. */
export interface SeatScene {
  readonly folder: string;
  readonly root: string;
  readonly config: string;
  readonly git: (...args: string[]) => string;
  /** Runs a harness in the project as a person does, with a prompt on its standard input. */
  readonly session: (argv: readonly string[], prompt: string) => Promise<Ran>;
  /** The hooks for live sessions that setup showed. */
  readonly hooks: SetUp['hooks'];
  readonly debate: (...args: string[]) => Promise<Ran>;
  /** The supervisor opens the thread `task` and names who answers. */
  readonly ask: (party: 'builder' | 'reviewer', body: string) => Promise<void>;
  /** A real `watch-once` with the config that setup wrote, again while a check runs before the party is woken, as a scheduler would. */
  readonly watchOnce: () => Promise<Ran>;
  /** Bounds a run, in seconds. */
  readonly boundRuns: (seconds: number) => void;
  /** Every file of the channel by path, but for the doorbell, the lock and the watchers' claims. */
  readonly channelFiles: () => Readonly<Record<string, string>>;
  /** Command lines of processes that live in this scene. */
  readonly processes: () => readonly string[];
  readonly remove: () => void;
}

/** What setup tells in its document. */
interface SetUp {
  readonly config: string;
  readonly hooks: readonly { readonly file: string; readonly value: Readonly<Record<string, unknown>> }[];
}

const CHECK_RUNS = /runs before \w+ is woken\s*$/;

const PASSING_TESTS = 'node -e 0';

/** How long a seat may take: a harness starts in seconds, on a machine that is busy with others in minutes. */
const RUN_SECONDS = 280;

/** Sets a channel up as a person would, with the built tool and the real programs on the PATH. */
export async function makeSeatScene(cast: Cast): Promise<SeatScene> {
  // Codex lets a builder write to the temporary folder, so a channel that it must not reach cannot lie there.
  const isCodex = seatsOf(cast).some(({ harness }) => harness.name === 'codex');
  const folder = realpathSync(mkdtempSync(join(isCodex ? CACHE : tmpdir(), 'debate-harness-')));
  try {
    return await fillScene(folder, cast);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    throw error;
  }
}

function seatsOf({ builder, reviewer }: Cast): readonly Seated[] {
  return [builder, reviewer].filter((seat) => seat !== undefined);
}

async function fillScene(folder: string, cast: Cast): Promise<SeatScene> {
  const seats = seatsOf(cast);
  const [home, project, bin] = ['home', 'project', 'bin'].map((name) => join(folder, name)) as [string, string, string];
  for (const path of [home, project, bin]) mkdirSync(path);
  const env = { HOME: home, PATH: [bin, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter), NO_COLOR: '1' };
  symlinkSync(MAIN, join(bin, 'debate'));
  for (const { harness, model } of seats) {
    symlinkSync(await installHarness(harness), join(bin, harness.name));
    const [path, text] = harness.settings(model.url);
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  const git = (...args: string[]) => execFileSync('git', ['-C', project, ...args], { env, encoding: 'utf8' }).trim();
  makeProject(git, project, cast.tests ?? PASSING_TESTS);
  const secrets = Object.assign({}, ...seats.map(({ harness, model }) => harness.environment(model.url)));
  // A person has the keys in the terminal where they set up; the watcher has them from the env_file alone.
  const persons = { ...env, ...secrets };
  const { config, hooks } = await setUp(cast, (...args) => run([process.execPath, MAIN, ...args], project, persons));
  const lines = Object.entries(secrets).map(([name, value]) => `${name}=${value}\n`);
  appendFileSync(join(dirname(config), 'agents.env'), lines.join(''));
  const debate = (...args: string[]) => run([process.execPath, MAIN, ...args], project, env);
  const root = join(project, '.debate');
  const boundRuns = (seconds: number) => {
    const settings = JSON.parse(readFileSync(config, 'utf8'));
    writeFileSync(config, JSON.stringify({ ...settings, timeout_seconds: seconds }));
  };
  boundRuns(RUN_SECONDS);
  return {
    ...{ folder, root, config, git, hooks, debate, boundRuns },
    session: ([name = '', ...rest], prompt) => run([join(bin, name), ...rest], project, persons, prompt),
    ask: async (party, body) => {
      const refs = `main@${git('rev-parse', 'main')}`;
      const opening = ['--type', 'question', '--turn', party, '--thread', 'task', '--refs', refs, '--body', body];
      mustEndWell(await debate('post', '--as', 'owner', ...opening));
    },
    watchOnce: async () => {
      for (;;) {
        const ran = await debate('watch-once', '--config', config, '--verbose');
        if (ran.code !== 0 || !CHECK_RUNS.test(ran.output)) return ran;
        await setTimeout(1000);
      }
    },
    channelFiles: () => filesBelow(root),
    processes: () => processesNaming(folder),
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

function makeProject(git: SeatScene['git'], project: string, tests: string): void {
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 't');
  git('config', 'user.email', 't@example.invalid');
  writeFileSync(join(project, 'package.json'), JSON.stringify({ scripts: { test: tests } }));
  for (const text of ['first', 'second']) {
    writeFileSync(join(project, 'a.txt'), `${text}\n`);
    git('add', '.');
    git('commit', '--quiet', '-m', text);
  }
  const remote = join(dirname(project), 'remote.git');
  git('init', '--quiet', '--bare', remote);
  git('remote', 'add', 'origin', remote);
  git('push', '--quiet', 'origin', 'main');
}

/** Runs `debate setup` and returns what it tells. */
async function setUp({ builder, reviewer }: Cast, debate: SeatScene['debate']): Promise<SetUp> {
  const roles = Object.entries({ builder, reviewer }).flatMap(([role, seat]) => [
    ...[`--${role}`, seat?.harness.name ?? 'other'],
    ...(seat?.harness.model === undefined ? [] : [`--${role}-model`, seat.harness.model]),
    ...(seat?.isLive === true ? [`--${role}-mode`, 'fallback'] : []),
  ]);
  const names = ['--parties', 'builder,reviewer', '--supervisor', 'owner'];
  // Gemini CLI takes no MCP server for one run: setup registers ours with the real program.
  const { stdout } = mustEndWell(await debate('setup', '--yes', '--register', '--json', ...names, ...roles));
  return JSON.parse(stdout);
}

function mustEndWell(ran: Ran): Ran {
  if (ran.code !== 0) throw new Error(`ended with ${ran.code}:\n${ran.output}`);
  return ran;
}

function run(
  [program = '', ...args]: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
  input = '',
): Promise<Ran> {
  const child = spawn(program, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.on('error', () => {}).end(input);
  let output = '';
  let stdout = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (stream === child.stdout) stdout += text;
    });
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve({ code, output, stdout }));
  });
}

// Rewritten at every tick by the watcher, or by whoever posts.
const MOVING = ['signal.json', '.lock', '.runs'];

function filesBelow(root: string): Readonly<Record<string, string>> {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => !MOVING.includes(name.split(/[/\\]/)[0] ?? '') && statSync(join(root, name)).isFile())
    .sort();
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(root, name), 'utf8')]));
}

/** What a harness leaves behind has the scene's home in its environment, whatever session it started for itself. */
function processesNaming(folder: string): readonly string[] {
  const flags = process.platform === 'darwin' ? 'axEww' : 'axeww';
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin' };
  const listing = execFileSync('ps', [flags, '-o', 'pid=,command='], {
    env,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return listing.split('\n').filter((line) => line.includes(folder));
}
