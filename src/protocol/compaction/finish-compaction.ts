import { join } from 'node:path';
import type { Channel } from '../channel.js';
import { recordStopped } from '../core/admit.js';
import { renderBaseLine } from '../core/grammar.js';
import { Refusal } from '../core/refusal.js';
import { type Disk, errnoOf } from '../disk.js';
import { removeQuietly } from '../file.js';
import { forgedFence } from '../record/fence.js';
import { readTail, type Tail } from '../record/tail.js';
import type { World } from '../world.js';
import { copyEntries } from './copy-entries.js';
import { archiveMoves } from './month.js';
import { type Taken, takenByAge } from './taken.js';

/** What a fence line says: everything up to this entry moves. */
export interface FenceCut {
  readonly number: number;
  readonly hash: string;
}

/**
 * Completes a compaction that took the mailbox away and went no further (format.md 5). Called under the lock by everyone
 * who writes. Does nothing when the mailbox is there.
 */
export function publishTaken(world: World, channel: Channel): void {
  if (channel.config.format !== 2) return;
  while (!world.disk.info(channel.paths.mailbox)) {
    const [taken] = takenByAge(world.disk, channel);
    if (!taken) return;
    unlessGone(() => {
      const live = taken.fence ? successorOf(world, channel, taken, taken.fence) : taken.path;
      putInPlace(world.disk, channel, live);
      // Who was paused on the way may have put back one that was fenced since.
      if (endOf(world.disk, channel).fence) takeFenced(world, channel);
    });
  }
}

/**
 * Takes a fenced mailbox away and publishes what stays: steps 2 to 4 of format.md 5. A process that was paused here may
 * take a mailbox that is not fenced: it stands in the archive under its own name, and is put back.
 */
export function takeFenced(world: World, channel: Channel): void {
  const { disk } = world;
  const { paths } = channel;
  disk.makeFolder(paths.archive);
  // What is moved into a folder is only as durable as the folder's own name.
  disk.syncFolder(paths.root);
  unlessGone(() => {
    const { state, fence } = endOf(disk, channel);
    const taken = `${paths.takenPrefix}${state.seq}-${world.machine.randomHex(4)}`;
    if (!fence) return;
    refuseForged(disk, channel);
    disk.rename(paths.mailbox, join(paths.archive, taken));
  });
  disk.syncFolder(paths.archive);
  publishTaken(world, channel);
}

/** A fence that was written by hand takes no mailbox away: it stops writers until a person has removed it. */
function refuseForged(disk: Disk, channel: Channel): void {
  const forged = forgedFence(disk, channel, channel.paths.mailbox);
  if (forged) throw new Refusal(recordStopped(forged));
}

function endOf(disk: Disk, channel: Channel): Tail {
  const handle = disk.openRead(channel.paths.mailbox);
  try {
    return readTail(disk, handle, channel.reader, Number.POSITIVE_INFINITY, false);
  } finally {
    disk.close(handle);
  }
}

/** Somebody else went on with it while this process stood still: what is left to do is found by looking again. */
function unlessGone(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}

/**
 * Makes the mailbox that follows a fenced one, and returns its name. The name says the cut, and whoever is first makes
 * it: every helper of a cut, however late, puts the same file in place, with all that was posted to it meanwhile.
 */
function successorOf(world: World, channel: Channel, taken: Taken, cut: FenceCut): string {
  const { disk } = world;
  const { paths } = channel;
  const successor = join(paths.archive, `${paths.takenPrefix}${cut.number}-${cut.hash.slice(0, 8)}`);
  archiveMoves(world, channel);
  // The old name must be gone for good before anything is posted to the new file.
  disk.syncFolder(paths.root);
  const temporary = `${paths.mailbox}.${world.machine.randomHex(4)}.tmp`;
  const entries = taken.entries.filter((entry) => entry.number > cut.number);
  try {
    const before = `${renderBaseLine(cut, paths.indexName)}\n`;
    copyEntries(disk, { from: taken.path, entries, to: temporary, before });
    linkOnce(disk, temporary, successor);
  } finally {
    removeQuietly(disk, temporary);
  }
  disk.syncFolder(paths.archive);
  return successor;
}

/** Links a file to the mailbox's name; a mailbox that is there is never replaced. */
function putInPlace(disk: Disk, channel: Channel, live: string): void {
  linkOnce(disk, live, channel.paths.mailbox);
  disk.syncFolder(channel.paths.root);
}

function linkOnce(disk: Disk, from: string, to: string): void {
  try {
    disk.link(from, to);
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
  }
}
