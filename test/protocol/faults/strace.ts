import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Channel } from '../../../src/protocol/channel.js';
import { nodeDisk } from '../../../src/protocol/node-disk.js';
import { debate, letLockAge, MAIN, removeChannel } from './processes.js';
import { isRung, reopened, violations, written } from './scene.js';

/** System calls that change what is on a disk. */
export const CHANGING_CALLS = [
  'mkdir',
  'utimensat',
  'write',
  'fdatasync',
  'fsync',
  'rename',
  'link',
  'unlink',
  'rmdir',
];
/** All that a command asks of a disk. */
export const ALL_CALLS = [
  ...CHANGING_CALLS,
  ...['openat', 'statx', 'read', 'pread64', 'close', 'readlink', 'getdents64', 'newfstatat'],
];

/** A system call, and which one of its name it is in the process. */
export interface Point {
  readonly call: string;
  readonly nth: number;
}

/** Throws a sentence that says what to install, where there is no strace. */
export function needStrace(): void {
  if (spawnSync('strace', ['-V']).error) throw new Error('These tests need strace: install it, or run them on Linux.');
}

/** What is done to a channel, and what must hold afterwards. */
export interface Deed {
  readonly channel: Channel;
  readonly folder: string;
  /** Keys in the record before. */
  readonly keys: readonly string[];
  readonly args: (root: string) => readonly string[];
  /** Keys that the deed adds. */
  readonly adds: readonly string[];
  /** Number of entries that the archive holds after the deed. */
  readonly archived: number;
}

/** The points of a deed from taking the lock to giving it back, each call by name and number. */
export function pointsOf(deed: Deed, calls: readonly string[]): readonly Point[] {
  const { root, log, remove } = copyOf(deed);
  trace(log, [], deed.args(root));
  const counts = new Map<string, number>();
  const points: Point[] = [];
  let inside = false;
  for (const line of readFileSync(log, 'utf8').split('\n')) {
    const call = /^(\w+)\(/.exec(line)?.[1];
    if (call === undefined) continue;
    const nth = (counts.get(call) ?? 0) + 1;
    counts.set(call, nth);
    if (call === 'mkdir' && line.includes('/.lock"')) inside = true;
    if (inside && calls.includes(call)) points.push({ call, nth });
    if (call === 'rmdir' && line.includes('/.lock"')) break;
  }
  remove();
  return points;
}

/** Kills the deed at a point, does it again, and says what is wrong then; empty when all is as it must be. */
export function killAt(deed: Deed, point: Point): readonly string[] {
  const { root, log, remove } = copyOf(deed);
  const channel = reopened(nodeDisk, root);
  trace(log, ['-e', `inject=${point.call}:signal=SIGKILL:when=${point.nth}`], deed.args(root));
  const at = `${point.call} ${point.nth}`;
  const found = violations(nodeDisk, channel, deed.keys, deed.adds).map((what) => `${at}: ${what}`);
  letLockAge(channel);
  const again = debate(deed.args(root));
  if (again.code !== 0) found.push(`${at}: the retry ended with ${again.code}: ${again.err}`);
  found.push(...violations(nodeDisk, channel, [...deed.keys, ...deed.adds]).map((what) => `${at}, again: ${what}`));
  if (!isRung(nodeDisk, channel)) found.push(`${at}: the doorbell was not rung`);
  const keys = written(nodeDisk, channel).map((entry) => entry.key);
  if (keys.filter((key) => !deed.adds.includes(key)).join() !== deed.keys.join()) found.push(`${at}: ${keys.join()}`);
  const isMoved = readFileSync(channel.paths.mailbox, 'utf8').startsWith(`> Entries up to MSG-${deed.archived} `);
  if (deed.archived > 0 && !isMoved) found.push(`${at}: nothing was moved`);
  remove();
  return found;
}

/** Starts a deed that stops itself (SIGSTOP) at a call. */
export function stoppedAt(args: readonly string[], point: Point): ChildProcess {
  const inject = ['-o', '/dev/null', '-e', `inject=${point.call}:signal=SIGSTOP:when=${point.nth}`];
  return spawn('strace', [...inject, process.execPath, MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
}

function trace(log: string, inject: readonly string[], args: readonly string[]): void {
  spawnSync('strace', ['-o', log, ...inject, process.execPath, MAIN, ...args]);
}

function copyOf(deed: Deed) {
  const folder = mkdtempSync(join(tmpdir(), 'debate-kill-'));
  cpSync(deed.folder, folder, { recursive: true });
  return { root: join(folder, 'collab'), log: join(folder, 'strace.log'), remove: () => removeChannel({ folder }) };
}
