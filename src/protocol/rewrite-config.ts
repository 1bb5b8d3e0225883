import { type Channel, openChannel } from './channel.js';
import { renderConfig } from './config.js';
import { replaceFile } from './file.js';
import type { World } from './world.js';

/** Changes keys of `debate.json`, keeping all that is not ours, and opens the channel again. The caller holds the lock. */
export function rewriteConfig(world: World, channel: Channel, change: Readonly<Record<string, unknown>>): Channel {
  const { root, config, id } = channel.paths;
  const text = renderConfig({ ...channel.config.raw, ...change });
  replaceFile(world.disk, root, config, text, world.machine.randomHex(4));
  return openChannel(world.disk, root, id);
}
