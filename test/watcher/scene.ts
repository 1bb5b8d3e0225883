import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Draft } from '../../src/protocol/core/draft.js';
import {
  fileLock,
  initChannel,
  type NewChannel,
  nodeDisk,
  nodeHashes,
  openChannel,
  thisMachine,
} from '../../src/protocol/index.js';
import { post } from '../../src/protocol/post.js';
import type { Memory } from '../../src/watcher/memory.js';
import { requestOf } from '../protocol/post-request.js';

/** The built tool. */
export const TOOL = resolve('dist/cli/main.cjs');

const WORLD = { disk: nodeDisk, lock: fileLock(thisMachine), machine: thisMachine, hashes: nodeHashes };

/** What a command ended with. */
export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A channel of its own with the parties claude and codex and the supervisor owner, and what runs on it. */
export interface Scene {
  readonly folder: string;
  readonly root: string;
  readonly config: string;
  readonly statePath: string;
  /** The environment of everything that runs here: `debate` is on the PATH. */
  readonly env: Readonly<Record<string, string>>;
  /** Writes the watcher's config; by default nothing is mirrored. */
  configure(config: Record<string, unknown>, name?: string): string;
  /** Writes an executable shell script and returns its path. */
  script(name: string, text: string): string;
  debate(args: readonly string[], options?: { readonly env?: Record<string, string>; readonly input?: string }): Ran;
  /** The same without waiting for its end. */
  start(args: readonly string[], options?: { readonly env?: Record<string, string> }): Started;
  /** Posts, and must succeed; without a process, so that making a scene is quick. */
  post(sender: string, type: string, draft: Partial<Draft>): void;
  /** One `watch-once --verbose`. */
  tick(config?: string): Ran;
  memory(config?: string): Memory;
  /** Lines of a file in the folder; none when it does not exist. */
  lines(name: string): readonly string[];
  entries(): readonly { readonly seq: number; readonly sender: string; readonly type: string; readonly body: string }[];
  /** A copy of the channel and its surroundings at another place. */
  copy(): Scene;
  remove(): void;
}

/** A process under way. */
export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ran>;
}

/** Makes a scene. `thread: false` leaves the channel empty; otherwise claude has asked codex for a review. */
export function makeScene(options: { readonly thread?: boolean; readonly init?: Partial<NewChannel> } = {}): Scene {
  const folder = mkdtempSync(join(tmpdir(), 'debate-scene-'));
  const root = join(folder, 'channel');
  const scene = sceneAt(folder);
  initChannel(nodeDisk, thisMachine, {
    root,
    parties: ['claude', 'codex'],
    supervisor: 'owner',
    threadCap: undefined,
    format: 2,
    label: undefined,
    project: undefined,
    ...options.init,
  });
  scene.configure({});
  if (options.thread !== false)
    scene.post('claude', 'review-request', { thread: 'retry-backoff', body: 'Please review.' });
  return scene;
}

function sceneAt(folder: string): Scene {
  const root = join(folder, 'channel');
  const bin = join(folder, 'bin');
  const config = join(folder, 'watcher.json');
  const statePath = join(folder, 'state', 'state.json');
  const env: Record<string, string> = {
    PATH: `${bin}${delimiter}${dirname(process.execPath)}${delimiter}/usr/bin:/bin`,
    HOME: folder,
    NO_COLOR: '1',
    TOOL,
    OUT: folder,
  };
  const script = (name: string, text: string): string => {
    mkdirSync(bin, { recursive: true });
    const path = join(bin, name);
    writeFileSync(path, `#!/bin/sh\n${text}\n`);
    chmodSync(path, 0o755);
    return path;
  };
  script('debate', `exec ${process.execPath} ${TOOL} "$@"`);
  const debate: Scene['debate'] = (args, given = {}) => {
    const ran = spawnSync(process.execPath, [TOOL, ...args], {
      cwd: folder,
      env: { ...env, ...given.env },
      encoding: 'utf8',
      input: given.input ?? '',
    });
    return { code: ran.status, stdout: ran.stdout, stderr: ran.stderr };
  };
  return {
    folder,
    root,
    config,
    statePath,
    env,
    configure(written, name = 'watcher.json') {
      const path = join(folder, name);
      const defaults = { root, state_path: statePath, mirror: [], grace_seconds: 1 };
      writeFileSync(path, JSON.stringify({ ...defaults, ...written }, null, 2));
      return path;
    },
    script,
    debate,
    start(args, given = {}) {
      const child = spawn(process.execPath, [TOOL, ...args], {
        cwd: folder,
        env: { ...env, ...given.env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let stdout = '';
      let stderr = '';
      child.stdout.on('data', (chunk) => {
        stdout += chunk;
      });
      child.stderr.on('data', (chunk) => {
        stderr += chunk;
      });
      const ended = new Promise<Ran>((done) => child.on('close', (code) => done({ code, stdout, stderr })));
      return { child, ended };
    },
    post(sender, type, draft) {
      post(WORLD, openChannel(nodeDisk, root, ''), requestOf({ sender, type, ...draft }));
    },
    tick: (path = config) => debate(['watch-once', '--config', path, '--verbose']),
    memory(path = config) {
      const written = JSON.parse(readFileSync(path, 'utf8')) as { state_path: string };
      return JSON.parse(readFileSync(written.state_path, 'utf8')) as Memory;
    },
    lines(name) {
      const path = join(folder, name);
      return existsSync(path)
        ? readFileSync(path, 'utf8')
            .split('\n')
            .filter((line) => line !== '')
        : [];
    },
    entries() {
      const ran = debate(['read', '--root', root, '--all', '--json']);
      return (JSON.parse(ran.stdout) as { entries: ReturnType<Scene['entries']> }).entries;
    },
    copy() {
      const other = mkdtempSync(join(tmpdir(), 'debate-scene-'));
      cpSync(folder, other, { recursive: true });
      return sceneAt(other);
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** Waits until something is there; fails after `seconds` with what was waited for. */
export async function until<T>(what: string, look: () => T | undefined | false, seconds = 20): Promise<T> {
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const found = look();
    if (found !== undefined && found !== false) return found;
    await sleep(25);
  }
  throw new Error(`waited in vain for ${what}`);
}

/** Whether a process still runs anything: a zombie does not. */
export function isAlive(pid: number): boolean {
  try {
    return !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return existsSync('/proc/self/stat') ? false : answers(pid);
  }
}

function answers(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Runs a line as a person would paste it into a shell. */
export function paste(scene: Scene, line: string): Promise<Ran> {
  return new Promise((done) => {
    execFile('sh', ['-c', line], { cwd: '/', env: scene.env }, (error, stdout, stderr) => {
      done({ code: error ? (typeof error.code === 'number' ? error.code : 1) : 0, stdout, stderr });
    });
  });
}
