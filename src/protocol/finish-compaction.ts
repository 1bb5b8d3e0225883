import { join } from 'node:path';
import type { Channel } from './channel.js';
import { copyEntries } from './copy-entries.js';
import { renderBaseLine } from './core/grammar.js';
import { errnoOf } from './disk.js';
import { removeQuietly } from './file.js';
import { archiveEntries } from './month.js';
import { entriesOfFile } from './record-files.js';
import { type Taken, takenByAge } from './taken.js';
import type { World } from './world.js';

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
    const [taken] = takenByAge(world.disk, channel.paths);
    if (!taken) return;
    if (taken.fence) publish(world, channel, taken.path, taken.fence);
    else linkBack(world, channel, taken);
  }
}

/** Takes a fenced mailbox away and publishes what stays: steps 2 to 4 of format.md 5. */
export function takeFenced(world: World, channel: Channel, fence: FenceCut): void {
  const { disk } = world;
  const { paths } = channel;
  const entries = entriesOfFile(disk, channel, paths.mailbox);
  archiveEntries(
    world,
    channel,
    paths.mailbox,
    entries.filter((entry) => entry.number <= fence.number),
  );
  const head = entries.at(-1)?.number ?? fence.number;
  const taken = join(paths.archive, `${paths.takenPrefix}${head}-${world.machine.randomHex(4)}`);
  disk.makeFolder(paths.archive);
  try {
    disk.rename(paths.mailbox, taken);
  } catch (error) {
    // Somebody else took it: what is left to do is the same.
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
  disk.syncFolder(paths.archive);
  disk.syncFolder(paths.root);
  publishTaken(world, channel);
}

function linkBack(world: World, channel: Channel, taken: Taken): void {
  try {
    world.disk.link(taken.path, channel.paths.mailbox);
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
    return;
  }
  world.disk.syncFolder(channel.paths.root);
  removeQuietly(world.disk, taken.path);
}

/** Writes the new mailbox beside the old one and links it into place; a mailbox that is there is never replaced. */
function publish(world: World, channel: Channel, taken: string, cut: FenceCut): void {
  const { disk } = world;
  const { paths } = channel;
  const entries = entriesOfFile(disk, channel, taken);
  const moves = entries.filter((entry) => entry.number <= cut.number);
  archiveEntries(world, channel, taken, moves);
  const temporary = `${paths.mailbox}.${world.machine.randomHex(4)}.tmp`;
  const stays = entries.filter((entry) => entry.number > cut.number);
  try {
    copyEntries(disk, {
      from: taken,
      to: temporary,
      entries: stays,
      before: `${renderBaseLine(cut, paths.indexName)}\n`,
    });
    disk.link(temporary, paths.mailbox);
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
  } finally {
    removeQuietly(disk, temporary);
  }
  disk.syncFolder(paths.root);
}
