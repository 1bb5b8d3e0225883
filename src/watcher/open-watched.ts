import { realpathSync } from 'node:fs';
import { type Channel, channelName, openChannel } from '../protocol/channel.js';
import { Refusal } from '../protocol/core/refusal.js';
import type { Disk } from '../protocol/disk.js';
import { findChannel } from '../protocol/find-root.js';
import { readEnvironment } from '../protocol/identity.js';
import { refuseWrongCopy } from '../protocol/wrong-copy.js';
import { loadWatcherConfig } from './config/load.js';
import type { WatcherConfig } from './config/watcher-config.js';

/** A channel with this machine's config for it. */
export interface Watched {
  readonly channel: Channel;
  readonly config: WatcherConfig;
}

/** Where a watched channel is looked for. */
export interface WatchedPlace {
  readonly disk: Disk;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** Where to look from when neither config, command line nor environment names a root. */
  readonly folder: string;
  /** What the command line says; it wins over the config. */
  readonly root: string | undefined;
  readonly id: string | undefined;
  /** The config must name the root itself, as for a daemon, which has no folder that it belongs to. */
  readonly needsRoot?: boolean;
}

/** Reads a watcher config and opens its channel. Refuses `bad-config`, `no-channel`, `ambiguous-root`, `wrong-copy`, `unreadable`. */
export function openWatched(file: string, place: WatchedPlace): Watched {
  const { disk, environment, home, folder } = place;
  const { root: envRoot, channel: envId } = readEnvironment(environment);
  let channel: Channel | undefined;
  const loaded = loadWatcherConfig(file, {
    environment,
    home,
    locate: (configured) => {
      const root = place.root ?? configured;
      if (root === undefined && place.needsRoot)
        return { problem: '"root" is missing: expected the root of the channel' };
      const found = findChannel(disk, { root, id: place.id, envRoot, envId, folder });
      channel = openChannel(disk, realpathSync(found.root), found.id);
      refuseWrongCopy(disk, channel, undefined);
      return { root: channel.paths.root, name: channelName(channel), parties: channel.config.parties };
    },
  });
  if (loaded.ok && channel) return { channel, config: loaded.config };
  throw new Refusal({
    code: 'bad-config',
    message: loaded.ok ? `${file} names no channel.` : loaded.problems.join('\n  '),
    hint: 'Mend the file; docs/watcher.md lists its keys.',
  });
}
