import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realWorld } from '../../src/cli/real-world.js';
import { type CheckRequest, ensureCheck } from '../../src/evidence/ensure-check.js';
import { type EvidencePlace, evidencePlace } from '../../src/evidence/place.js';
import { openChannel } from '../../src/protocol/channel.js';
import { initChannel } from '../../src/protocol/init.js';
import { thisMachine } from '../../src/protocol/machine.js';
import { nodeDisk } from '../../src/protocol/node-disk.js';
import { type Submission, submit } from '../../src/protocol/prepare.js';
import { eventually } from '../process/run-script.js';

/** A git project with two commits, a channel in it, and a state folder of its own. */
export interface Scratch {
  readonly folder: string;
  readonly project: string;
  readonly root: string;
  /** Where records go, for commands that are started. */
  readonly stateHome: string;
  readonly first: string;
  readonly second: string;
  /** A file that the checks of a test may append to, to say that they ran. */
  readonly runs: string;
  git(...args: readonly string[]): string;
  /** Sets keys of `debate.json`. */
  configure(change: Readonly<Record<string, unknown>>): void;
  /** Pins one check called `tests` that runs this shell script, and nothing else. */
  pin(script: string, more?: { readonly setup?: readonly string[]; readonly timeout_seconds?: number }): void;
  place(): EvidencePlace;
  /** Asks for `tests` at the second commit, for as long as it takes, with what is given changed. */
  ask(change?: Partial<CheckRequest>): ReturnType<typeof ensureCheck>;
  /** Posts in this process. */
  post(sender: string, type: string, change: Partial<Submission>): ReturnType<typeof submit>;
  /** What the checks appended, a line each. */
  ran(): readonly string[];
  /** The trees of the project, the live one apart. */
  trees(): readonly string[];
  remove(): Promise<void>;
}

const gitIn =
  (folder: string) =>
  (...args: readonly string[]): string =>
    execFileSync(
      'git',
      ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', '-c', 'commit.gpgsign=false', ...args],
      { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
    ).trim();

let made: { readonly path: string; readonly first: string; readonly second: string } | undefined;

/** The project as it begins, made once and copied: git is the slow part of these tests. */
function template(): NonNullable<typeof made> {
  if (made) return made;
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'debate-template-')));
  process.once('exit', () => rmSync(path, { recursive: true, force: true }));
  const git = gitIn(path);
  git('init', '--quiet', '--initial-branch=main');
  writeFileSync(join(path, '.gitignore'), '.debate/\n');
  for (const text of ['one', 'two']) {
    writeFileSync(join(path, 'a.txt'), text);
    git('add', '.');
    git('commit', '--quiet', '-m', text);
  }
  const [first = '', second = ''] = git('rev-parse', 'HEAD~1', 'HEAD').split('\n');
  made = { path, first, second };
  return made;
}

/** Makes it. */
export function makeScratch(): Scratch {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'debate-evidence-')));
  const project = join(folder, 'project');
  const stateHome = join(folder, 'state');
  const runs = join(folder, 'runs');
  const { path, first, second } = template();
  cpSync(path, project, { recursive: true });
  const git = gitIn(project);
  const root = join(project, '.debate');
  initChannel(nodeDisk, thisMachine, {
    root,
    parties: ['ann', 'bob'],
    supervisor: 'owner',
    threadCap: undefined,
    format: 2,
    label: undefined,
    project: undefined,
  });
  const config = join(root, 'debate.json');
  const configure: Scratch['configure'] = (change) =>
    writeFileSync(config, JSON.stringify({ ...JSON.parse(readFileSync(config, 'utf8')), ...change }));
  const place = (): EvidencePlace =>
    evidencePlace(nodeDisk, openChannel(nodeDisk, root, ''), {
      home: folder,
      environment: { XDG_STATE_HOME: stateHome },
    });
  return {
    folder,
    project,
    root,
    stateHome,
    first,
    second,
    runs,
    git,
    configure,
    pin: (script, more = {}) => configure({ checks: { tests: { command: ['sh', '-c', script], ...more } } }),
    place,
    ask: (change = {}) =>
      ensureCheck(place(), { name: 'tests', ref: second, waitSeconds: Number.POSITIVE_INFINITY, ...change }),
    post: (sender, type, change) =>
      submit(realWorld(), openChannel(nodeDisk, root, ''), { sender, type, body: 'text', ...change }),
    ran: () => (existsSync(runs) ? readFileSync(runs, 'utf8').split('\n').slice(0, -1) : []),
    trees: () =>
      git('worktree', 'list', '--porcelain')
        .split('\n')
        .flatMap((line) => (line.startsWith('worktree ') ? [line.slice(9)] : []))
        .filter((path) => path !== project),
    remove: async () => {
      // A runner that outlives whoever asked outlives a test too; what it records would make the folder anew.
      const runners = () =>
        execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' }).includes(`"root":"${root}"`);
      await eventually(() => !runners());
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
