import { type FSWatcher, watch } from 'node:fs';

/** A watch on a channel's folder. */
export interface FolderWatch {
  /** Watches again where that had failed; to be called now and then. */
  renew(): void;
  close(): void;
}

/** A mailbox that was written to is followed by its doorbell within this time, in milliseconds; else it is looked at. */
const SETTLE_MS = 50;

/**
 * Calls `onChange` soon after a file of these names in the folder has changed: at once for `bell`, the last that a post
 * writes, and a moment later for any other. It is a hint and no more (DESIGN.md 9): where no events come, as on network file
 * systems, nothing is called, and the schedule finds what is new. The folder is watched, not its files, since the doorbell is
 * replaced by each post.
 */
export function watchFolder(
  folder: string,
  names: { readonly bell: string; readonly others: readonly string[] },
  onChange: () => void,
): FolderWatch {
  let watcher: FSWatcher | undefined;
  let timer: NodeJS.Timeout | undefined;
  const changed = (): void => {
    clearTimeout(timer);
    timer = undefined;
    onChange();
  };
  const seen = (name: string | null): void => {
    if (name === names.bell) changed();
    else if (name === null || names.others.includes(name)) timer ??= setTimeout(changed, SETTLE_MS);
  };
  const drop = (): void => {
    watcher?.close();
    watcher = undefined;
  };
  const renew = (): void => {
    if (watcher) return;
    try {
      watcher = watch(folder, { persistent: false }, (_event, name) => seen(name));
      watcher.on('error', drop);
    } catch {
      // Too many watches, or no such folder: the schedule does it alone, and this is tried again.
    }
  };
  renew();
  return {
    renew,
    close() {
      clearTimeout(timer);
      drop();
    },
  };
}
