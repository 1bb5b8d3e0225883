import { statSync } from 'node:fs';
import type { Watched } from '../open-watched.js';

/**
 * What an idle channel's files look like from outside. While no thread is open and this stays the same, a tick could find nothing
 * that the last one did not: that makes a thousand idle channels cheap. A file that is not there counts as such.
 */
export function filesOf({ channel, config }: Watched): string {
  const { paths } = channel;
  const files = [config.path, paths.config, paths.mailbox, paths.doorbell, paths.runs, config.statePath];
  return files.map(stateOf).join(' ');
}

function stateOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  return found ? `${found.ino}:${found.size}:${found.mtimeMs}` : '-';
}
