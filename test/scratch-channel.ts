import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { realWorld } from '../src/cli/real-world.js';
import { openChannel } from '../src/protocol/channel.js';
import { initChannel } from '../src/protocol/init.js';
import type { PostResult } from '../src/protocol/post.js';
import { type Submission, submit } from '../src/protocol/prepare.js';

/** The built command line. */
export const MAIN = fileURLToPath(new URL('../dist/cli/main.cjs', import.meta.url));

/** How a run of the command ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

/** How a command is started. */
export interface Start {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** A folder with a channel of claude and codex in `root`, and commands that run with a home and state of their own. */
export interface ScratchChannel {
  readonly folder: string;
  readonly root: string;
  /** Runs `debate ...args`; `--root` is not added. */
  run(args: readonly string[], start?: Start): Promise<Ended>;
  start(args: readonly string[], start?: Start): { readonly child: ChildProcess; readonly ended: Promise<Ended> };
  /** Posts in this process, through the protocol. */
  post(sender: string, type: string, body: string, more?: Partial<Submission>): Promise<PostResult>;
  readonly env: Readonly<Record<string, string>>;
  /** Puts a new channel without an entry in the place of this one: what serves the folder goes on. */
  renew(): void;
  remove(): void;
}

/** Makes a scratch channel; what a test tells of it goes through the built command. */
export function scratchChannel(): ScratchChannel {
  const folder = mkdtempSync(join(tmpdir(), 'debate-live-'));
  const root = join(folder, 'collab');
  const env = { PATH: process.env.PATH ?? '', HOME: folder, XDG_STATE_HOME: join(folder, 'state'), NO_COLOR: '1' };
  const start = (args: readonly string[], options: Start = {}) => {
    const child = spawn(process.execPath, [MAIN, ...args], {
      cwd: options.cwd ?? folder,
      env: { ...env, ...options.env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    // A command that ended without reading its input is no fault of the test.
    child.stdin.on('error', () => {});
    child.stdin.end(options.input ?? '');
    const ended = new Promise<Ended>((resolve) => {
      child.on('close', (code, signal) => resolve({ code, signal, out, err }));
    });
    return { child, ended };
  };
  const run = (args: readonly string[], options?: Start) => start(args, options).ended;
  const world = realWorld();
  const renew = () => {
    rmSync(root, { recursive: true, force: true });
    initChannel(world.disk, world.machine, {
      root,
      parties: ['claude', 'codex'],
      supervisor: 'owner',
      threadCap: undefined,
      format: 2,
      label: undefined,
      project: undefined,
    });
  };
  renew();
  return {
    folder,
    root,
    env,
    run,
    start,
    post: (sender, type, body, more = {}) =>
      submit(world, openChannel(world.disk, root, ''), { sender, type, body, ...more }),
    renew,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
