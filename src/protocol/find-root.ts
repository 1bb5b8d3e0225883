import { dirname, join, resolve } from 'node:path';
import { Refusal } from './core/refusal.js';
import { type Disk, errnoOf } from './disk.js';
import { channelIdOf, channelPaths, mailboxIdOf } from './layout.js';
import { unreadable } from './read-refusals.js';

/** A folder with a channel, and which one. */
export interface Found {
  readonly root: string;
  /** Empty in the plain layout. */
  readonly id: string;
}

/** What says where the channel is, strongest first. */
export interface Wanted {
  /** `--root` */
  readonly root: string | undefined;
  /** `--channel` */
  readonly id: string | undefined;
  /** `DEBATE_ROOT` and `DEBATE_CHANNEL` */
  readonly envRoot: string | undefined;
  readonly envId: string | undefined;
  /** Where to look from. */
  readonly folder: string;
}

/**
 * Finds the channel (DESIGN.md 4.4): `--root`, else `DEBATE_ROOT`, else the nearest `.debate/`, `collab/` or folder with a
 * channel upwards from here. Refuses `no-channel` and, where two fit, `ambiguous-root`.
 */
export function findChannel(disk: Disk, wanted: Wanted): Found {
  if (wanted.root !== undefined) return pick(disk, resolve(wanted.folder, wanted.root), wanted.id);
  if (wanted.envRoot !== undefined)
    return pick(disk, resolve(wanted.folder, wanted.envRoot), wanted.id ?? wanted.envId);
  let lost: Refusal | undefined;
  for (let folder = resolve(wanted.folder); ; folder = dirname(folder)) {
    const places = [folder, join(folder, '.debate'), join(folder, 'collab')].filter(
      (each) => !hidesItsNames(disk, each),
    );
    const candidates = places.filter((each) => channelIds(disk, each).length > 0);
    const [only, second] = candidates;
    if (only !== undefined && second !== undefined) throw ambiguous(candidates);
    if (only !== undefined) return pick(disk, only, wanted.id ?? wanted.envId);
    for (const each of places) lost ??= lostConfigIn(disk, each);
    if (dirname(folder) === folder) throw lost ?? none(wanted.folder);
  }
}

/** True for a folder on the way that may be entered and not listed, such as a shared `/home`, without a plain channel. */
function hidesItsNames(disk: Disk, folder: string): boolean {
  try {
    disk.list(folder);
    return false;
  } catch (error) {
    if (!['EACCES', 'EPERM'].includes(errnoOf(error))) return false;
  }
  try {
    return disk.info(channelPaths(folder, '').config) === undefined;
  } catch {
    return false;
  }
}

/** The ids of the channels in a folder; the plain layout's is empty. Refuses `unreadable`. */
export function channelIds(disk: Disk, folder: string): readonly string[] {
  return namesIn(disk, folder).flatMap((name) => channelIdOf(name) ?? []);
}

/** What is wrong where a mailbox with entries lies in a folder without the config that makes it a channel. */
function lostConfigIn(disk: Disk, folder: string): Refusal | undefined {
  for (const name of namesIn(disk, folder)) {
    const id = mailboxIdOf(name);
    if (id === undefined) continue;
    const { config, mailbox } = channelPaths(folder, id);
    if ((disk.info(mailbox)?.size ?? 0) > 0 && !disk.info(config)) return lostConfig(mailbox, config);
  }
  return undefined;
}

function lostConfig(mailbox: string, config: string): Refusal {
  return new Refusal({
    code: 'no-channel',
    message: `There is a record (${mailbox}), but its config ${config} is missing.`,
    hint: 'Restore the config from git or a backup: without it nobody knows the parties and the rules.',
  });
}

function namesIn(disk: Disk, folder: string): readonly string[] {
  try {
    return disk.list(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error))) return [];
    throw unreadable(folder, error);
  }
}

function pick(disk: Disk, root: string, id: string | undefined): Found {
  const ids = channelIds(disk, root);
  if (id !== undefined) {
    if (ids.includes(id)) return { root, id };
    throw new Refusal({
      code: 'no-channel',
      message: `There is no channel ${id} in ${root}.`,
      hint: ids.length > 0 ? `There ${ids.length === 1 ? 'is' : 'are'}: ${ids.map(named).join(', ')}.` : makeOne,
    });
  }
  const [only, second] = ids;
  if (only === undefined)
    throw (
      lostConfigIn(disk, root) ??
      new Refusal({ code: 'no-channel', message: `There is no channel in ${root}.`, hint: makeOne })
    );
  if (second === undefined) return { root, id: only };
  throw new Refusal({
    code: 'ambiguous-root',
    message: `${root} holds several channels: ${ids.map(named).join(', ')}.`,
    hint: 'Name one with --channel ID.',
  });
}

const makeOne = 'Make one with `debate init --root DIR --parties a,b`, or name another with --root DIR.';

function named(id: string): string {
  return id === '' ? "the plain one (--channel '')" : id;
}

function ambiguous(candidates: readonly string[]): Refusal {
  return new Refusal({
    code: 'ambiguous-root',
    message: `Two channels are equally near: ${candidates.join(' and ')}.`,
    hint: 'Name one with --root DIR.',
  });
}

function none(folder: string): Refusal {
  return new Refusal({
    code: 'no-channel',
    message: `There is no channel in ${folder} or above it.`,
    hint: makeOne,
  });
}
