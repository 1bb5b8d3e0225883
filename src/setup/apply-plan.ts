import { type Channel, openChannel } from '../protocol/channel.js';
import { writeNew } from '../protocol/file.js';
import { holdChannel } from '../protocol/hold-channel.js';
import { initChannel } from '../protocol/init.js';
import { channelPaths } from '../protocol/layout.js';
import { protocolText } from '../protocol/protocol-text.js';
import { rewriteConfig } from '../protocol/rewrite-config.js';
import type { World } from '../protocol/world.js';
import type { Answers } from './answers.js';
import type { Around } from './look-around.js';
import type { Plan } from './plan.js';
import { putFile } from './put-file.js';

/**
 * Does what a plan says: the channel first, then the files around it, each as a whole. Throws a refusal or the disk's
 * error at the first thing that fails; running setup again goes on from there.
 */
export function applyPlan(world: World, answers: Answers, around: Around, plan: Plan): Channel {
  const { place } = around;
  // Before the channel is there: from the first moment on git must leave it alone.
  for (const file of plan.files) if (file.text !== file.before && file.path === place.exclude?.file) putFile(file);
  const made = place.exists ? openPlaced(world, around) : makeChannel(world, answers, around);
  const channel = plan.checks === undefined ? made : pinChecks(world, made, plan.checks);
  for (const file of plan.files) if (file.text !== file.before && file.path !== place.exclude?.file) putFile(file);
  return channel;
}

function makeChannel(world: World, answers: Answers, around: Around): Channel {
  return initChannel(world.disk, world.machine, {
    root: around.place.root,
    parties: answers.seats.map(({ party }) => party),
    supervisor: answers.supervisor,
    threadCap: undefined,
    format: 2,
    label: undefined,
    project: around.namedProject,
  });
}

/** The channel that is there, with the contract that its agents read. */
function openPlaced({ disk }: World, { place }: Around): Channel {
  const channel = openChannel(disk, place.root, place.channelId);
  const { protocol } = channelPaths(place.root, place.channelId);
  if (disk.info(protocol) === undefined) {
    writeNew(disk, protocol, protocolText(channel.config));
    disk.syncFolder(place.root);
  }
  return channel;
}

function pinChecks(world: World, channel: Channel, checks: Readonly<Record<string, unknown>>): Channel {
  return holdChannel(world, channel, (now) => {
    const pinned = now.config.raw.checks as Readonly<Record<string, unknown>> | undefined;
    return rewriteConfig(world, now, { checks: { ...checks, ...pinned } });
  });
}
