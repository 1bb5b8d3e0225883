import { postArguments, realChannel } from './processes.js';
import type { Deed } from './strace.js';

/** A post by the party on turn. */
export function postDeed(): Deed {
  const { folder, channel, keys } = realChannel();
  const args = (root: string) => postArguments({ ...channel, paths: { ...channel.paths, root } }, 'claude', 'mine');
  return { folder, channel, keys, args, adds: ['mine'], archived: 0 };
}

/** A compaction that moves one of two old threads. */
export function compactDeed(): Deed {
  const { folder, channel, keys } = realChannel(2);
  return { folder, channel, keys, args: (root) => ['compact', '--root', root], adds: [], archived: 3 };
}
