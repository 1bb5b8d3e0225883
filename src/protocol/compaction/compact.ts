import type { Channel } from '../channel.js';
import { renderFenceLine } from '../core/grammar.js';
import type { ThreadSpan } from '../core/quiet.js';
import { Refusal } from '../core/refusal.js';
import { errnoOf } from '../disk.js';
import { removeQuietly, writeOnce } from '../file.js';
import { holdChannel } from '../hold-channel.js';
import { recordTime } from '../machine.js';
import { readStanding, type Standing } from '../standing.js';
import type { World } from '../world.js';
import { brokered } from '../write-refusals.js';
import { compactPublished } from './compact-published.js';
import { type Cut, cutBefore } from './cut.js';
import { publishTaken, takeFenced } from './finish-compaction.js';
import { archiveMoves } from './month.js';
import { takenByAge } from './taken.js';

/** What a compaction moved, or would move. */
export interface Compaction {
  /** Entries that move; 0 when there is nothing to do. */
  readonly entries: number;
  /** Highest number that moves. */
  readonly upTo: number;
  readonly threads: readonly ThreadSpan[];
}

/**
 * Moves the oldest part of the record to the archive (format.md 5): up to a point where no thread is open and the last
 * entry is older than `keepDays`, keeping the last closed thread. Nothing is lost whoever is killed or paused: a fence
 * line voids what is appended to the old mailbox, and the new one is linked into place, never replacing.
 */
export function compact(world: World, channel: Channel, keepDays: number, dryRun: boolean): Compaction {
  if (channel.config.brokered) throw brokered(channel);
  const before = recordTime(new Date(world.machine.now().getTime() - keepDays * 86_400_000));
  if (dryRun) return summary(cutBefore(world.disk, channel, before));
  return holdChannel(world, channel, (now) => {
    publishTaken(world, now);
    const standing = readStanding(world.disk, now);
    if (standing.tail.fence) {
      takeFenced(world, now);
      return summary(undefined);
    }
    refuseDefects(standing);
    const cut = cutBefore(world.disk, now, before);
    if (cut && now.config.format === 1) compactPublished(world, now, cut);
    else if (cut) compactFenced(world, now, cut);
    return summary(cut);
  });
}

function summary(cut: Cut | undefined): Compaction {
  return { entries: cut?.moves.length ?? 0, upTo: cut?.number ?? 0, threads: cut?.threads ?? [] };
}

/** A record that a person must look at stays where it is until they did. */
function refuseDefects(standing: Standing): void {
  const [first] = standing.tail.stops;
  if (!first) return;
  throw new Refusal({
    code: 'record-stopped',
    message: `The record is not compacted until the supervisor has looked: ${first.message}`,
    hint: 'Run `debate verify` to see every defect.',
  });
}

function compactFenced(world: World, channel: Channel, cut: Cut): void {
  const last = cut.moves.at(-1);
  if (!last) return;
  sweepTaken(world, channel);
  const fence = { number: cut.number, hash: last.after.hash };
  appendFence(world, channel, fence);
  takeFenced(world, channel);
}

/**
 * What earlier compactions took away has served once the archive holds it; the newest stays for one that was paused. A
 * file without a fence is the mailbox itself, or a copy that a restored folder or an editor left behind it.
 */
function sweepTaken(world: World, channel: Channel): void {
  const { disk } = world;
  archiveMoves(world, channel);
  const found = takenByAge(disk, channel);
  const [, ...older] = found.filter((taken) => taken.fence);
  for (const { path } of older) removeQuietly(disk, path);
  const live = disk.info(channel.paths.mailbox)?.identity;
  for (const { path, fence } of found)
    if (!fence && live !== undefined && disk.info(path)?.identity !== live) removeQuietly(disk, path);
}

/** Entries after the fence are void; it carries the cut, so that any helper publishes the same result. */
function appendFence(world: World, channel: Channel, cut: { readonly number: number; readonly hash: string }): void {
  const { disk } = world;
  const handle = disk.openAppend(channel.paths.mailbox);
  try {
    writeOnce(disk, handle, Buffer.from(`\n${renderFenceLine(cut)}\n`));
    disk.syncData(handle);
  } catch (error) {
    throw new Refusal({
      code: 'not-written',
      message: `The compaction could not begin (${errnoOf(error) || 'unknown error'}); every entry is where it was.`,
      hint: 'Free space on the disk, or make the mailbox writable, and run it again.',
    });
  } finally {
    disk.close(handle);
  }
}
