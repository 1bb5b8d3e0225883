import { shellWords } from '../process/shell-words.js';
import { channelArgv } from '../protocol/layout.js';

/**
 * A command of the tool on one channel, up to where its own options begin, ready to paste into any shell in any folder. `root` is
 * absolute; `id` is empty in the plain layout.
 */
export function channelCommand(name: string, channel: { readonly root: string; readonly id: string }): string {
  return shellWords(['debate', name, ...channelArgv(channel)]);
}
