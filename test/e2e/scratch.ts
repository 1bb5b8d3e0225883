import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { type Channel, openChannel } from '../../src/protocol/channel.js';
import type { ParseMarkdown } from '../../src/protocol/core/rendering.js';
import { nodeHashes } from '../../src/protocol/hashes.js';
import { initChannel, type NewChannel } from '../../src/protocol/init.js';
import { fileLock } from '../../src/protocol/lock.js';
import { type Machine, thisMachine } from '../../src/protocol/machine.js';
import { nodeDisk } from '../../src/protocol/node-disk.js';
import { type PostResult, post } from '../../src/protocol/post.js';
import type { World } from '../../src/protocol/world.js';
import { requestOf } from '../protocol/post-request.js';

const made: string[] = [];

afterAll(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A fresh folder, removed after the test file. Its path has no symbolic link in it. */
export function scratch(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'debate-e2e-')));
  made.push(folder);
  return folder;
}

/** A config of a watcher that has no commands, with a memory of its own. */
export function watcherConfig(): string {
  const folder = scratch();
  const file = join(folder, 'watcher.json');
  writeFileSync(file, JSON.stringify({ state_path: join(folder, 'state.json'), commands: {}, prompts: {} }));
  return file;
}

/** The world with a clock that stands at `time`, so that a record of the past can be made. */
export function worldAt(time?: string): World {
  const machine: Machine = time === undefined ? thisMachine : { ...thisMachine, now: () => new Date(time) };
  return { disk: nodeDisk, lock: fileLock(machine), machine, hashes: nodeHashes };
}

/** Makes a channel of alpha and beta, supervised by owner, without starting a process. */
export function makeChannel(root: string, wanted: Partial<NewChannel> = {}): Channel {
  return initChannel(nodeDisk, thisMachine, {
    root,
    parties: ['alpha', 'beta'],
    supervisor: 'owner',
    threadCap: undefined,
    format: 2,
    label: undefined,
    project: undefined,
    ...wanted,
  });
}

/** A fresh channel in a fresh folder. */
export function freshChannel(wanted: Partial<NewChannel> = {}): string {
  const root = join(scratch(), 'collab');
  makeChannel(root, wanted);
  return root;
}

/** An entry to prepare a record with. */
export interface Said {
  readonly as: string;
  readonly ask?: boolean;
  readonly type?: string;
  readonly thread?: string;
  readonly refs?: string;
  readonly body?: string;
  readonly force?: boolean;
  readonly turn?: string;
  readonly accept?: boolean;
  readonly key?: string;
  /** When it is said; now, where nothing is given. */
  readonly at?: string;
}

/** Posts through the protocol itself, to prepare a record without starting a process for every entry. */
export function say(root: string, said: Said, id = '', parse?: ParseMarkdown): PostResult {
  const { as, key, at, ...draft } = said;
  return post(worldAt(at), openChannel(nodeDisk, root, id), requestOf({ sender: as, ...draft }, key), parse);
}

/** A thread of three entries: alpha asks, beta answers, alpha closes. */
export function sayThread(root: string, thread: string, at?: string, id = ''): void {
  const when = at === undefined ? {} : { at };
  say(root, { as: 'alpha', type: 'review-request', thread, body: `Please review ${thread}.`, ...when }, id);
  say(root, { as: 'beta', type: 'verdict', body: `${thread} is sound: 12 tests pass.`, ...when }, id);
  say(root, { as: 'alpha', type: 'close', body: `${thread} is settled.`, ...when }, id);
}

/** A file of a channel as text. */
export function textOf(root: string, name: string): string {
  return readFileSync(join(root, name), 'utf8');
}

/** Runs git without the user's own settings and answers what it prints. */
export function git(folder: string, ...args: readonly string[]): string {
  mkdirSync(folder, { recursive: true });
  const who = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b' };
  const env = { ...process.env, ...who, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
  return execFileSync('git', ['-C', folder, '-c', 'init.defaultBranch=main', ...args], {
    encoding: 'utf8',
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();
}
