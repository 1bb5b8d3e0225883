import { dirname, join, resolve } from 'node:path';
import { type Channel, openChannel } from './channel.js';
import { defaultCap, parseConfig, renderConfig } from './config.js';
import { doorbellOf, renderDoorbell } from './core/doorbell.js';
import { isName } from './core/grammar.js';
import { Refusal } from './core/refusal.js';
import { EMPTY_STATE } from './core/state.js';
import { type Disk, errnoOf } from './disk.js';
import { readText, removeQuietly, replaceFile, writeNew } from './file.js';
import { freshId } from './fresh-id.js';
import { type ChannelPaths, channelPaths, IGNORED } from './layout.js';
import type { Machine } from './machine.js';
import { protocolText } from './protocol-text.js';

/** What a new channel is to be. */
export interface NewChannel {
  readonly root: string;
  readonly parties: readonly string[];
  readonly supervisor: string;
  readonly threadCap: number | undefined;
  readonly format: 1 | 2;
  /** Makes the named layout, with a generated id `<label>-<5 digits>`. */
  readonly label: string | undefined;
  /** Repository of the citations, when it is not the one around the root. */
  readonly project: string | undefined;
}

/**
 * Makes a channel: config, empty mailbox, fresh doorbell, `.gitignore`, `.gitattributes`, and `PROTOCOL.md` where there is none.
 * Refuses `channel-exists`, `bad-names`, `not-written`.
 */
export function initChannel(disk: Disk, machine: Machine, wanted: NewChannel): Channel {
  judgeNames(wanted);
  const id = wanted.label === undefined ? '' : freshId(disk, machine, wanted.root, wanted.label);
  const paths = channelPaths(wanted.root, id);
  const config = renderConfig(newConfig(machine, wanted, id));
  // Judged before anything is written.
  parseConfig(config, paths.config);
  try {
    if (disk.info(paths.config)) throw alreadyThere(wanted.root, paths.config);
    // An empty mailbox without a config is what an init that was interrupted leaves.
    if ((disk.info(paths.mailbox)?.size ?? 0) > 0) throw recordThere(wanted.root, paths);
    makeDurableFolder(disk, wanted.root);
    if (!disk.info(paths.mailbox)) writeNew(disk, paths.mailbox, '');
    const fresh = (path: string, text: string) => {
      if (!disk.info(path)) replaceFile(disk, wanted.root, path, text, machine.randomHex(4));
    };
    fresh(paths.doorbell, renderDoorbell(doorbellOf(EMPTY_STATE), {}));
    fresh(paths.protocol, protocolText(wanted));
    addLines(disk, machine, wanted.root, '.gitignore', IGNORED);
    addLines(disk, machine, wanted.root, '.gitattributes', ['*.md -text']);
    disk.syncFolder(wanted.root);
    // The config comes last, and as a whole: a channel that has one is whole.
    publishConfig(disk, machine, paths, config);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal({
      code: 'not-written',
      message: `The channel could not be made in ${wanted.root} (${errnoOf(error) || 'unknown error'}).`,
      hint: 'Check that the folder is writable and the disk is not full.',
    });
  }
  return openChannel(disk, wanted.root, id);
}

function alreadyThere(root: string, path: string): Refusal {
  return new Refusal({
    code: 'channel-exists',
    message: `There is a channel in ${root} already (${path}); nothing was changed.`,
    hint: 'Use it as it is, or name another folder with --root, or make a second one beside it with --label NAME.',
  });
}

/** Makes a folder, and the names of all that was made for it durable. */
function makeDurableFolder(disk: Disk, folder: string): void {
  const missing: string[] = [];
  for (let each = resolve(folder); !disk.info(each) && dirname(each) !== each; each = dirname(each)) missing.push(each);
  disk.makeFolder(folder);
  for (const each of missing) disk.syncFolder(dirname(each));
}

/** A record without a config: a new one would say again who the parties are, and whose rules hold. */
function recordThere(root: string, { mailbox, config }: ChannelPaths): Refusal {
  return new Refusal({
    code: 'channel-exists',
    message: `There is a record in ${root} already (${mailbox}), and no config that says whose it is; nothing was changed.`,
    hint: `Restore ${config} from git or a backup, or name another folder with --root.`,
  });
}

/** Gives the config its name in one step, and never in the place of another. */
function publishConfig(disk: Disk, machine: Machine, paths: ChannelPaths, text: string): void {
  const temporary = `${paths.config}.${machine.randomHex(4)}.tmp`;
  try {
    writeNew(disk, temporary, text);
    disk.link(temporary, paths.config);
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') throw alreadyThere(paths.root, paths.config);
    throw error;
  } finally {
    removeQuietly(disk, temporary);
  }
  disk.syncFolder(paths.root);
}

function judgeNames(wanted: NewChannel): void {
  const { label } = wanted;
  if (label !== undefined && !isName(label))
    throw new Refusal({
      code: 'bad-names',
      message: `"${label}" is no label: the channel's files and --channel begin with it.`,
      hint: 'Use lower-case letters, digits and hyphens, such as --label parser.',
    });
  const names = [...wanted.parties, wanted.supervisor];
  const wrong = names.find((name) => !isName(name));
  const isDistinct = new Set(names).size === names.length;
  if (wanted.parties.length === 2 && wrong === undefined && isDistinct) return;
  throw new Refusal({
    code: 'bad-names',
    message:
      wrong === undefined
        ? 'A channel has two parties and a supervisor with three different names.'
        : `"${wrong}" is not a name.`,
    hint: 'Use lower-case letters, digits and hyphens, such as --parties claude,codex --supervisor owner.',
  });
}

/** The keys of the published tool come first and alone in its format (decisions.md 20). */
function newConfig(machine: Machine, wanted: NewChannel, id: string): Record<string, unknown> {
  const published = {
    parties: wanted.parties,
    supervisor: wanted.supervisor,
    thread_cap: wanted.threadCap ?? defaultCap(wanted.format),
    ...(id === '' ? {} : { name: id }),
    ...(wanted.project === undefined ? {} : { project: wanted.project }),
  };
  if (wanted.format === 1) return id === '' ? published : { ...published, managed_version: 1 };
  return { ...published, managed_version: 3, format: 2, id: machine.randomHex(16) };
}

function addLines(disk: Disk, machine: Machine, root: string, name: string, lines: readonly string[]): void {
  const path = join(root, name);
  const old = readText(disk, path);
  const there = new Set((old ?? '').split('\n'));
  const missing = lines.filter((line) => !there.has(line));
  if (missing.length === 0) return;
  const text = `${old === undefined || old === '' || old.endsWith('\n') ? (old ?? '') : `${old}\n`}${missing.join('\n')}\n`;
  replaceFile(disk, root, path, text, machine.randomHex(4));
}
