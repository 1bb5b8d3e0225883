import { type ExecFileException, execFile, execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readAgentSettings } from '../../../src/agents/seats/read-settings.js';
import { type SeatOutcome, takeTurn } from '../../../src/agents/seats/run-seat.js';
import type { SeatKind } from '../../../src/agents/seats/schema.js';
import type { Seating } from '../../../src/agents/seats/seating.js';
import { type Channel, openChannel } from '../../../src/protocol/channel.js';
import type { Entry } from '../../../src/protocol/core/words.js';
import { nodeHashes } from '../../../src/protocol/hashes.js';
import { initChannel } from '../../../src/protocol/init.js';
import { fileLock } from '../../../src/protocol/lock.js';
import { thisMachine } from '../../../src/protocol/machine.js';
import { nodeDisk } from '../../../src/protocol/node-disk.js';
import { type Submission, submit } from '../../../src/protocol/prepare.js';
import { readStanding } from '../../../src/protocol/standing.js';
import { verify } from '../../../src/protocol/verify.js';
import type { World } from '../../../src/protocol/world.js';

const tool = join(import.meta.dirname, '../../../dist/cli/main.cjs');
const world: World = {
  disk: nodeDisk,
  lock: fileLock(thisMachine, () => {}),
  machine: thisMachine,
  hashes: nodeHashes,
};

/** A repository with one commit, made once and copied: git is the slow part of these tests. */
let made: string | undefined;
function template(): string {
  if (made !== undefined) return made;
  const folder = mkdtempSync(join(tmpdir(), 'debate-seat-template-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder, stdio: 'ignore' });
  git('init', '--quiet', '--initial-branch=main');
  appendFileSync(
    join(folder, '.git', 'config'),
    '[user]\n\tname = a person\n\temail = person@example.invalid\n[commit]\n\tgpgsign = false\n',
  );
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src', 'sum.mjs'), 'export const sum = (a, b) => a + b;\n');
  git('add', '--all');
  git('commit', '--quiet', '-m', 'Begin');
  made = folder;
  return folder;
}

/** What a command came to. */
interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** One reply of a script model. */
export type Reply =
  | string
  | { readonly when?: string; readonly text?: string; readonly error?: string; readonly delay_seconds?: number };

/** A real repository, a real channel of builder, reviewer and owner, and models that follow scripts. */
export class Scene {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'debate-seat-test-')));
  readonly project = join(this.folder, 'project');
  readonly root = join(this.folder, 'channel');
  readonly config = join(this.folder, 'watcher.json');
  readonly traces = join(this.folder, 'state', 'traces');
  constructor() {
    cpSync(template(), this.project, { recursive: true });
    initChannel(nodeDisk, thisMachine, {
      root: this.root,
      parties: ['builder', 'reviewer'],
      supervisor: 'owner',
      threadCap: undefined,
      format: 2,
      label: undefined,
      project: this.project,
    });
  }

  get channel(): Channel {
    return openChannel(nodeDisk, this.root, '');
  }

  /** Git in the project. */
  git(...args: readonly string[]): string {
    return this.gitIn(this.project, ...args);
  }

  gitIn(folder: string, ...args: readonly string[]): string {
    return execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  }

  write(path: string, text: string): void {
    const file = join(this.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8');
  }

  commit(files: Readonly<Record<string, string>>, message: string): string {
    for (const [path, text] of Object.entries(files)) this.write(join('project', path), text);
    this.git('add', '--all');
    this.git('commit', '--quiet', '-m', message);
    return this.git('rev-parse', 'HEAD');
  }

  /** A commit on a branch beside main, as a builder makes one. */
  change(files: Readonly<Record<string, string>>, branch = 'work'): string {
    this.git('checkout', '--quiet', '-b', branch);
    const commit = this.commit(files, `Change on ${branch}`);
    this.git('checkout', '--quiet', 'main');
    return commit;
  }

  /** A linked worktree on a branch of its own, as the watcher makes one. */
  tree(branch: string): string {
    const path = join(this.folder, 'trees', branch);
    this.git('worktree', 'add', '--quiet', '-b', branch, path, 'main');
    return path;
  }

  /** Writes watcher.json with these models (lists of replies are scripts) and seats, and more keys. */
  configure(
    models: Readonly<Record<string, readonly Reply[] | Readonly<Record<string, unknown>>>>,
    seats: Readonly<Record<string, unknown>>,
    more: Readonly<Record<string, unknown>> = {},
  ): void {
    const written = Object.entries(models).map(([name, model]) => {
      if (!Array.isArray(model)) return [name, model];
      this.write(`models/${name}.json`, JSON.stringify({ replies: model }));
      return [name, { kind: 'script', file: `models/${name}.json` }];
    });
    const config = {
      root: this.root,
      state_path: join(this.folder, 'state', 'watcher.json'),
      models: Object.fromEntries(written),
      seats,
      ...more,
    };
    writeFileSync(this.config, JSON.stringify(config, null, 2));
  }

  /** Changes the channel's own config. */
  setChannel(change: Readonly<Record<string, unknown>>): void {
    const file = join(this.root, 'debate.json');
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...change }, null, 2));
  }

  async post(sender: string, type: string, body: string, more: Partial<Submission> = {}): Promise<number> {
    const result = await submit(world, this.channel, {
      sender,
      type,
      body,
      ...more,
    });
    return result.seq;
  }

  /** Takes a turn in this process, as the command does. */
  agent(kind: SeatKind, party: string, more: Partial<Seating> = {}): Promise<SeatOutcome> {
    const { models, seats } = JSON.parse(readFileSync(this.config, 'utf8'));
    return takeTurn({
      world,
      channel: this.channel,
      party,
      woken: undefined,
      kind,
      variant: undefined,
      settings: readAgentSettings(this.config, { models, seats }),
      configFolder: this.folder,
      stateFolder: join(this.folder, 'state'),
      worktree: undefined,
      folder: this.folder,
      environment: process.env,
      otherCommand: undefined,
      runCheck: async () => ({ run: { ran: false, reason: 'this test has no checks' }, record: undefined }),
      signal: new AbortController().signal,
      ...more,
    });
  }

  /** Runs the built command. */
  cli(
    args: readonly string[],
    options: { readonly env?: NodeJS.ProcessEnv; readonly cwd?: string } = {},
  ): Promise<Ran> {
    return new Promise((resolve) => {
      execFile(
        process.execPath,
        [tool, ...args],
        { cwd: options.cwd ?? this.folder, env: { ...process.env, ...options.env }, encoding: 'utf8' },
        (error: ExecFileException | null, stdout, stderr) => {
          const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
          resolve({ code, stdout, stderr });
        },
      );
    });
  }

  entries(): readonly Entry[] {
    return readStanding(nodeDisk, this.channel).tail.entries;
  }

  last(): Entry {
    const entry = this.entries().at(-1);
    if (entry === undefined) throw new Error('the channel has no entries');
    return entry;
  }

  /** Seq, turn and thread as the record says. */
  state(): { readonly seq: number; readonly turn: string; readonly thread: string } {
    const { seq, turn, thread } = readStanding(nodeDisk, this.channel).state;
    return { seq, turn, thread };
  }

  /** What `verify` calls a defect. */
  defects(): readonly string[] {
    const { findings } = verify(nodeDisk, this.channel, () => {});
    return findings.filter(({ level }) => level === 'defect').map(({ message }) => message);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The value of a trailer of an entry. */
export function trailer(entry: Entry, key: string): string | undefined {
  return entry.trailers.find((each) => each.key === key)?.value;
}
