import { type Channel, withConfig } from './channel.js';
import { parseConfig, readConfigText } from './config.js';
import { Refusal } from './core/refusal.js';
import type { Disk } from './disk.js';
import type { ChannelPaths } from './layout.js';
import type { World } from './world.js';
import { brokered } from './write-refusals.js';

/**
 * Runs `work` with the writer's lock held, on the channel as its config says then: while a writer waits, another may
 * change the config or give the channel another name. Refuses `brokered`, `locked`, and, where the config is gone or
 * cannot be used any more, `no-channel`, `bad-config`, `unreadable`; nothing is written then.
 */
export function holdChannel<T>(world: World, channel: Channel, work: (channel: Channel) => T): T {
  if (channel.config.brokered) throw brokered(channel);
  return world.lock.hold(channel.paths, () => {
    const now = asItIs(world.disk, channel);
    if (now.config.brokered) throw brokered(now);
    return work(now);
  });
}

/** Parsed again only when its text has changed: every post would pay for it. */
function asItIs(disk: Disk, channel: Channel): Channel {
  const { paths, config } = channel;
  const text = readConfigText(disk, paths);
  if (text === undefined) throw gone(paths);
  return text === config.text ? channel : withConfig(paths, parseConfig(text, paths.config));
}

function gone({ root, config }: ChannelPaths): Refusal {
  return new Refusal({
    code: 'no-channel',
    message: `The channel at ${root} was moved or removed while this waited: ${config} is gone. Nothing was written.`,
    hint: 'Run the command again; the channel may have another name now.',
  });
}
