import { join } from 'node:path';
import { type Channel, openChannel } from './channel.js';
import { publishTaken } from './compaction/finish-compaction.js';
import { isName } from './core/grammar.js';
import { Refusal } from './core/refusal.js';
import { errnoOf } from './disk.js';
import { readText, removeQuietly, replaceFile } from './file.js';
import { freshId, isMadeOf } from './fresh-id.js';
import { holdChannel } from './hold-channel.js';
import { type ChannelPaths, channelPaths } from './layout.js';
import { monthFiles } from './record/archive.js';
import { rewriteConfig } from './rewrite-config.js';
import { readStanding } from './standing.js';
import type { World } from './world.js';

/** What a migration did, a sentence each, and the channel as it is now. */
export interface Migration {
  readonly done: readonly string[];
  readonly channel: Channel;
}

/**
 * Makes a channel of the published format one of ours, from the next entry on: nothing written is changed (format.md 3).
 * Refuses `not-applicable`, `brokered`, `record-stopped`.
 */
export function migrateFormat(world: World, channel: Channel): Migration {
  return holdChannel(world, channel, (now) => {
    if (now.config.format === 2) throw notApplicable('The channel has format 2 already.');
    const { state, tail } = readStanding(world.disk, now);
    const [stop] = tail.stops;
    if (stop)
      throw new Refusal({
        code: 'record-stopped',
        message: `The channel is not migrated until the supervisor has looked: ${stop.message}`,
        hint: 'Run `debate verify` to see every defect.',
      });
    const since = Math.max(state.seq, ...tail.voided.map((entry) => entry.number)) + 1;
    const migrated = rewriteConfig(world, now, {
      managed_version: 3,
      format: 2,
      format_since: since,
      // Where everything is archived, the first entry of ours says by its number what it follows.
      ...(tail.entries.length === 0 && since > 1 ? { base: since - 1 } : {}),
      id: world.machine.randomHex(16),
    });
    return { done: [`Format 2 from MSG-${since} on; what was written before stays as it is.`], channel: migrated };
  });
}

/**
 * Gives a plain channel the named layout: the same bytes under other names. It can be run again when it was
 * interrupted: the id is in the config from the first step on, new names are added before the config moves, and old ones
 * go last. Refuses `not-applicable`, `brokered`.
 */
export function migrateNamed(world: World, channel: Channel, label: string): Migration {
  if (channel.paths.id !== '') throw notApplicable('The channel has the named layout already.');
  if (!isName(label)) throw notApplicable(`"${label}" is not a label: use lower-case letters, digits and hyphens.`);
  return holdChannel(world, channel, (now) => {
    const { disk } = world;
    publishTaken(world, now);
    const { root } = now.paths;
    const id = intendedId(world, now, label);
    const version = now.config.format === 1 ? { managed_version: 1 } : {};
    const named = rewriteConfig(world, now, { name: id, ...version });
    const to = channelPaths(root, id);
    const pairs = renames(world, named.paths, to);
    for (const [from, target] of pairs) addName(world, from, target);
    renameInIndex(world, to, named.paths.monthPrefix);
    disk.syncFolder(root);
    disk.rename(named.paths.config, to.config);
    disk.syncFolder(root);
    for (const [from] of pairs) removeQuietly(disk, from);
    return {
      done: [`The channel is ${id} now; its record is the same, byte for byte.`],
      channel: openChannel(disk, root, id),
    };
  });
}

/** The id that an earlier, interrupted run has chosen, or a fresh one that is free. */
function intendedId(world: World, channel: Channel, label: string): string {
  const { name } = channel.config;
  if (name !== undefined && isMadeOf(name, label)) return name;
  return freshId(world.disk, world.machine, channel.paths.root, label);
}

function renames(world: World, from: ChannelPaths, to: ChannelPaths): readonly (readonly [string, string])[] {
  const months = monthFiles(world.disk, from).map(
    (path) =>
      [path, join(to.archive, `${to.monthPrefix}${path.slice(join(from.archive, from.monthPrefix).length)}`)] as const,
  );
  return [[from.mailbox, to.mailbox], [from.doorbell, to.doorbell], [from.index, to.index], ...months];
}

function addName(world: World, from: string, to: string): void {
  try {
    world.disk.link(from, to);
  } catch (error) {
    // Added by an earlier run, or never there, as an archive.
    if (!['EEXIST', 'ENOENT'].includes(errnoOf(error))) throw error;
  }
}

function renameInIndex(world: World, to: ChannelPaths, oldPrefix: string): void {
  const text = readText(world.disk, to.index);
  if (text === undefined) return;
  const renamed = text.replaceAll(`-> ${oldPrefix}-`, `-> ${to.monthPrefix}-`);
  if (renamed !== text) replaceFile(world.disk, to.archive, to.index, renamed, world.machine.randomHex(4));
}

function notApplicable(message: string): Refusal {
  return new Refusal({ code: 'not-applicable', message, hint: 'Nothing was changed.' });
}
