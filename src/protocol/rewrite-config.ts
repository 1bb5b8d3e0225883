import { type Channel, openChannel } from './channel.js';
import { renderConfig } from './config.js';
import { replaceFile } from './file.js';
import type { World } from './world.js';

/**
 * Changes keys of `debate.json`, keeping all else that stands in it at this moment, and opens the channel again. The
 * caller holds the lock. Refuses `no-channel`, `bad-config`, `unreadable`.
 */
export function rewriteConfig(world: World, channel: Channel, change: Readonly<Record<string, unknown>>): Channel {
  const { root, config, id } = channel.paths;
  const { raw } = openChannel(world.disk, root, id).config;
  replaceFile(world.disk, root, config, renderConfig({ ...raw, ...change }), world.machine.randomHex(4));
  return openChannel(world.disk, root, id);
}
