import { fromMarkdown } from 'mdast-util-from-markdown';
import { type Channel, openChannel } from '../../../src/protocol/channel.js';
import { type Compaction, compact } from '../../../src/protocol/compaction/compact.js';
import { doorbellOf, parseDoorbell, sameDoorbell } from '../../../src/protocol/core/doorbell.js';
import { Refusal } from '../../../src/protocol/core/refusal.js';
import type { Disk } from '../../../src/protocol/disk.js';
import { readText } from '../../../src/protocol/file.js';
import { nodeHashes } from '../../../src/protocol/hashes.js';
import { initChannel } from '../../../src/protocol/init.js';
import type { Lock } from '../../../src/protocol/lock.js';
import type { Machine } from '../../../src/protocol/machine.js';
import { type PostResult, post } from '../../../src/protocol/post.js';
import { scanWhole } from '../../../src/protocol/record/whole.js';
import { readStanding } from '../../../src/protocol/standing.js';
import { requestOf } from '../post-request.js';
import { DiskError, MemoryDisk } from './memory-disk.js';

/** Where the channel of every scene is. */
export const ROOT = '/memory/collab';

/** A lock that excludes nobody: the record has to do without one (DESIGN.md 6). */
export const noLock: Lock = { hold: (_paths, work) => work() };

/** A machine whose chance depends on its name alone, so that a run can be repeated call by call. */
export function machineNamed(name: string, now = '2026-11-30T08:00:00Z'): Machine {
  let drawn = 0;
  return {
    pid: 1,
    host: 'test',
    command: name,
    now: () => new Date(now),
    monotonicMs: () => 0,
    random: () => 0.5,
    randomHex: (bytes) => nodeHashes.text(Buffer.from(`${name} ${drawn++}`)).slice(0, 2 * bytes),
    sleepMs: () => undefined,
    bootId: () => 'boot',
    startOf: () => '1',
  };
}

/** What a test's writer posts. */
export interface Words {
  readonly as: string;
  readonly type?: string;
  readonly thread?: string;
  readonly body?: string;
  readonly key?: string;
  readonly turn?: string;
  readonly accept?: boolean;
}

/** Posts as a process named `name`, without a lock, at the time `now`. */
export function say(
  disk: Disk,
  channel: Channel,
  words: Words,
  name = words.key ?? words.as,
  now?: string,
): PostResult {
  const world = { disk, lock: noLock, machine: machineNamed(name, now), hashes: nodeHashes };
  const { as, key, ...draft } = words;
  return post(world, channel, requestOf({ sender: as, ...draft }, key), fromMarkdown);
}

/** Compacts as a process named `name`, without a lock, keeping two days before `now`. */
export function compactAs(disk: Disk, channel: Channel, name: string, now?: string): Compaction {
  return compact({ disk, lock: noLock, machine: machineNamed(name, now), hashes: nodeHashes }, channel, 2, false);
}

/** A new channel without entries, durable. */
export function emptyChannel(format: 1 | 2): { readonly disk: MemoryDisk; readonly channel: Channel } {
  const disk = new MemoryDisk();
  const channel = makeChannel(disk, format, 'init');
  return { disk: disk.settled(), channel };
}

/** Makes a channel on a disk, as a process named `name`. */
export function makeChannel(disk: Disk, format: 1 | 2, name: string, root = ROOT): Channel {
  const rest = { threadCap: undefined, label: undefined, project: undefined };
  const wanted = { root, parties: ['claude', 'codex'], supervisor: 'owner', format, ...rest };
  return initChannel(disk, machineNamed(name), wanted);
}

/** A channel with two entries in an open thread, so that claude is due, durable. */
export function openThread(format: 1 | 2 = 2): { readonly disk: MemoryDisk; readonly channel: Channel } {
  const { disk, channel } = emptyChannel(format);
  say(disk, channel, { as: 'claude', thread: 'backoff', key: 'a1' });
  say(disk, channel, { as: 'codex', key: 'a2' });
  return { disk: disk.settled(), channel };
}

/** Entries of `threads` old threads of three entries each (keys `old-1`, ...), and an open one where claude is due. */
export function oldThreads(
  threads: number,
  format: 1 | 2 = 2,
): { readonly disk: MemoryDisk; readonly channel: Channel; readonly keys: readonly string[] } {
  const { disk, channel } = emptyChannel(format);
  const keys: string[] = [];
  for (let i = 1; i <= threads; i++)
    keys.push(...wholeThread(disk, channel, `t${i}`, `old-${i}`, '2026-10-01T00:00:00Z'));
  keys.push('now-1', 'now-2');
  say(disk, channel, { as: 'claude', thread: 'now', key: 'now-1' });
  say(disk, channel, { as: 'codex', key: 'now-2' });
  return { disk: disk.settled(), channel, keys };
}

/** Posts a thread of three entries at a time; returns its keys. */
export function wholeThread(disk: Disk, channel: Channel, thread: string, prefix: string, now: string): string[] {
  const keys = [1, 2, 3].map((n) => `${prefix}-${n}`);
  const [first = '', second = '', third = ''] = keys;
  const words: Words[] = [
    { as: 'claude', thread, key: first },
    { as: 'codex', key: second },
    { as: 'claude', type: 'close', key: third },
  ];
  for (const each of words) say(disk, channel, each, each.key, now);
  return keys;
}

/** Opens the scene's channel again, as a new process does. */
export function reopened(disk: Disk, root = ROOT): Channel {
  return openChannel(disk, root, '');
}

/** An entry that counts, as far as the invariants speak of it. */
export interface Counted {
  readonly seq: number;
  readonly key: string;
}

/** The entries that count in the whole record, archives included. */
export function counted(disk: Disk, channel: Channel): readonly Counted[] {
  const keys = new Map<number, string>();
  const whole = scanWhole(disk, channel, Number.POSITIVE_INFINITY, {
    entry: (entry, id) => {
      if (id >= 0) keys.set(id, entry.marker?.key ?? '');
    },
  });
  return Array.from(whole.count.chain, (id) => ({ seq: whole.counter.row(id).number, key: keys.get(id) ?? '' }));
}

/**
 * What the invariants of DESIGN.md 6 have against a record, in words; empty when they hold. `acknowledged` are the keys
 * of the posts that were told to be recorded, `possible` of those that may be.
 */
export function violations(
  disk: Disk,
  channel: Channel,
  acknowledged: readonly string[],
  possible: readonly string[] = [],
): readonly string[] {
  const found: string[] = [];
  const entries = counted(disk, channel);
  for (const [i, entry] of entries.entries())
    if (entry.seq !== i + 1) found.push(`entry ${i + 1} of the record has number ${entry.seq}`);
  for (const key of acknowledged) {
    const times = entries.filter((entry) => entry.key === key).length;
    if (times !== 1) found.push(`the acknowledged ${key} counts ${times} times`);
  }
  for (const { key } of entries)
    if (!acknowledged.includes(key) && !possible.includes(key)) found.push(`${key} counts, and nobody posted it`);
  for (const key of possible)
    if (entries.filter((entry) => entry.key === key).length > 1) found.push(`${key} counts twice`);
  return [...found, ...standingViolations(disk, channel, entries.length)];
}

function standingViolations(disk: Disk, channel: Channel, length: number): readonly string[] {
  try {
    const { state, tail, bell } = readStanding(disk, channel);
    const found = tail.stops.map((defect) => `defect: ${defect.message}`);
    if (state.seq !== length) found.push(`the tail says MSG-${state.seq}, the whole record MSG-${length}`);
    const { doorbell } = bell;
    if (doorbell && doorbell.seq > state.seq) found.push(`the doorbell announces MSG-${doorbell.seq} of ${state.seq}`);
    if (doorbell && doorbell.seq === state.seq && !sameDoorbell(doorbell, doorbellOf(state)))
      found.push('the doorbell is not the fold of the record');
    return found;
  } catch (error) {
    return [`the record cannot be read: ${error instanceof Error ? error.message : String(error)}`];
  }
}

/** How often each key's marker stands in the files of the record, in order: `archive/` by name, then the mailbox. */
export function written(disk: Disk, channel: Channel): readonly Counted[] {
  const { archive, mailbox, monthPrefix } = channel.paths;
  const months = disk.info(archive)
    ? disk.list(archive).filter((name) => name.startsWith(`${monthPrefix}-`) && name.endsWith('.md'))
    : [];
  const text = [...months.map((name) => readText(disk, `${archive}/${name}`)), readText(disk, mailbox)].join('\n');
  return [...text.matchAll(/^<!-- end MSG-(\d+) .* key:(\S+) -->$/gm)].map((found) => ({
    seq: Number(found[1]),
    key: found[2] ?? '',
  }));
}

/** True for what a user is told in a sentence: a refusal, or a failure of the disk that the command names. */
export function isTold(error: unknown): boolean {
  return error instanceof Refusal || (error instanceof DiskError && error.code !== 'EDEAD');
}

/** True when the doorbell says what the record says. */
export function isRung(disk: Disk, channel: Channel): boolean {
  const { state } = readStanding(disk, channel);
  return sameDoorbell(parseDoorbell(readText(disk, channel.paths.doorbell) ?? '').doorbell, doorbellOf(state));
}
