import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Channel } from '../../../src/protocol/channel.js';
import { nodeDisk } from '../../../src/protocol/node-disk.js';
import { makeChannel, say, wholeThread } from './scene.js';

/** The built `debate`. */
export const MAIN = fileURLToPath(new URL('../../../dist/cli/main.cjs', import.meta.url));
/** The built library. */
export const LIBRARY = fileURLToPath(new URL('../../../dist/protocol/index.js', import.meta.url));

/** How a command ended. */
export interface Ended {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A real channel in a temporary folder, with an open thread in which claude is due, and old threads where wanted. */
export function realChannel(oldThreads = 0): {
  readonly folder: string;
  readonly channel: Channel;
  readonly keys: string[];
} {
  const folder = mkdtempSync(join(tmpdir(), 'debate-faults-'));
  const channel = makeChannel(nodeDisk, 2, folder, join(folder, 'collab'));
  const keys: string[] = [];
  for (let i = 1; i <= oldThreads; i++)
    keys.push(...wholeThread(nodeDisk, channel, `t${i}`, `old-${i}`, '2020-01-01T00:00:00Z'));
  say(nodeDisk, channel, { as: 'claude', thread: 'now', key: 'now-1' }, 'now-1', new Date().toISOString());
  say(nodeDisk, channel, { as: 'codex', key: 'now-2' }, 'now-2', new Date().toISOString());
  return { folder, channel, keys: [...keys, 'now-1', 'now-2'] };
}

/** Arguments of `debate post`. */
export function postArguments(channel: Channel, as: string, key: string, body = `from ${as}`): string[] {
  return ['post', '--root', channel.paths.root, '--as', as, '--type', 'info', '--body', body, '--key', key];
}

/** Runs the built command to its end. */
export function debate(args: readonly string[]): Ended {
  const run = spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8' });
  return { code: run.status, out: run.stdout, err: run.stderr };
}

/** Starts the built command. */
export function started(args: readonly string[]): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stdout.on('data', (data) => {
    out += String(data);
  });
  child.stderr.on('data', (data) => {
    err += String(data);
  });
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code) => resolve({ code, out, err }));
  });
  return { child, ended };
}

/**
 * Lets the stale time of a lock pass, where its holder died before it could say who it is. A holder that is named is
 * told to be dead at once, and that is left to the command.
 */
export function letLockAge(channel: Channel, whoever = false): void {
  const { lock, lockOwner } = channel.paths;
  if (!existsSync(lock) || (existsSync(lockOwner) && !whoever)) return;
  const long = new Date(Date.now() - 60_000);
  try {
    utimesSync(lock, long, long);
  } catch {
    // Its holder gave it up in this moment.
  }
}

/** Removes what `realChannel` made. */
export function removeChannel(made: { readonly folder: string }): void {
  rmSync(made.folder, { recursive: true, force: true });
}
