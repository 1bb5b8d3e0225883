import { createHash } from 'node:crypto';
import { isAbsolute, join, relative, sep } from 'node:path';

/** A channel as the watcher's surroundings know it: where it lies and what it is called. */
export interface ChannelPlace {
  /** The absolute root, with symbolic links resolved: two spellings of one folder are one channel. */
  readonly root: string;
  /** The channel's name, for people and for `{channel_name}`. */
  readonly name: string;
}

/**
 * A name that is one channel's alone on this machine and safe in file names, unit names and labels: the channel's name
 * and eight digits of the hash of its root, since half the projects of a machine call their folder `collab`.
 */
export function channelKey(channel: ChannelPlace): string {
  const readable = channel.name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 40);
  const digest = createHash('sha256').update(channel.root).digest('hex').slice(0, 8);
  return readable === '' ? digest : `${readable}-${digest}`;
}

/**
 * Where the watcher's memory lies unless `state_path` says otherwise: a folder of the channel's own in the XDG state
 * directory. `XDG_STATE_HOME` counts only if it is absolute, as that specification demands.
 */
export function defaultStatePath(
  channel: ChannelPlace,
  home: string,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const configured = environment.XDG_STATE_HOME;
  const stateHome = configured !== undefined && isAbsolute(configured) ? configured : join(home, '.local', 'state');
  return join(stateHome, 'debate', channelKey(channel), 'watcher-state.json');
}

/** Where `debate setup` writes a channel's watcher config, and where commands look for one that is not named. */
export function defaultConfigPath(
  channel: ChannelPlace,
  home: string,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const configured = environment.XDG_CONFIG_HOME;
  const configHome = configured !== undefined && isAbsolute(configured) ? configured : join(home, '.config');
  return join(configHome, 'debate', channelKey(channel), 'watcher.json');
}

/** True if `path` is `folder` or lies somewhere below it. Both are absolute, with symbolic links resolved. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
