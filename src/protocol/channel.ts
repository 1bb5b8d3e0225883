import { type ChannelConfig, readConfig, readerOf } from './config.js';
import type { Reader } from './core/counter.js';
import type { Disk } from './disk.js';
import { nodeHashes } from './hashes.js';
import { type ChannelPaths, channelPaths } from './layout.js';

/** One channel: where its files are, what its config says, and how its record is read. */
export interface Channel {
  readonly paths: ChannelPaths;
  readonly config: ChannelConfig;
  readonly reader: Reader;
}

/** Opens the channel in `root` (and `id`, in the named layout). Refuses `no-channel`, `bad-config`, `unreadable`. */
export function openChannel(disk: Disk, root: string, id: string): Channel {
  const paths = channelPaths(root, id);
  return withConfig(paths, readConfig(disk, paths));
}

/** The channel with another config, such as one that is yet to be written. */
export function withConfig(paths: ChannelPaths, config: ChannelConfig): Channel {
  return { paths, config, reader: readerOf(config, nodeHashes) };
}

/** The channel's name for people: its config's, else its id in the named layout, else its folder's. */
export function channelName(channel: Channel): string {
  return channel.config.name ?? nameOfPlace(channel.paths.root, channel.paths.id);
}

/** The name of a channel whose config gives none, also of one that is yet to be made. */
export function nameOfPlace(root: string, id: string): string {
  if (id !== '') return id;
  const folders = root.split(/[\\/]/).filter((part) => part !== '');
  const own = folders.at(-1) ?? 'channel';
  return /^(\.debate|collab)$/.test(own) ? (folders.at(-2) ?? own) : own;
}
