import type { Channel } from './channel.js';
import { type DoorbellFile, doorbellOf, renderDoorbell, sameDoorbell } from './core/doorbell.js';
import type { Disk, FileInfo } from './disk.js';
import { replaceFile } from './file.js';
import type { Machine } from './machine.js';
import { FIRST_WINDOW, type Tail } from './record/tail.js';
import { openMailbox, type Standing, standingOf } from './standing.js';

/**
 * Rings: writes the doorbell as the fold of the record, then looks again whether the record grew meanwhile
 * (DESIGN.md 6, steps 7 and 8). The caller holds the lock and has synced the mailbox in this process, `standing`
 * included; what another writer added since is synced here before it is rung. Returns where the channel stands then.
 */
export function ring(disk: Disk, channel: Channel, machine: Machine, standing: Standing): Standing {
  let { bell } = standing;
  let current = standing;
  for (;;) {
    const due = doorbellOf(current.state);
    if (!sameDoorbell(bell.doorbell, due)) writeDoorbell(disk, channel, machine, current, bell);
    // It may have been rung by a process that died before it was durable.
    else if (current === standing) disk.syncFolder(channel.paths.root);
    bell = { ...bell, doorbell: due };
    // Every entry makes the mailbox longer, and every compaction another file.
    if (isSame(current.seen, disk.info(channel.paths.mailbox))) return { ...current, bell };
    const again = lookAgain(disk, channel, current.tail, bell);
    if (again.state.seq === current.state.seq && again.state.hash === current.state.hash) return again;
    syncMailbox(disk, channel);
    current = again;
  }
}

function isSame(seen: FileInfo | undefined, now: FileInfo | undefined): boolean {
  return seen !== undefined && seen.identity === now?.identity && seen.size === now.size;
}

function writeDoorbell(disk: Disk, channel: Channel, machine: Machine, standing: Standing, bell: DoorbellFile): void {
  const text = renderDoorbell(doorbellOf(standing.state), bell.unknown);
  replaceFile(disk, channel.paths.root, channel.paths.doorbell, text, machine.randomHex(4));
}

/** Makes the mailbox durable: nobody rings before, in this very process (format.md 4). */
export function syncMailbox(disk: Disk, channel: Channel): void {
  const handle = disk.openAppend(channel.paths.mailbox);
  try {
    disk.syncData(handle);
  } finally {
    disk.close(handle);
  }
}

/**
 * Opens the mailbox by its path again and reads its end, as far back as the reading `before` needed; `bell` is what the doorbell
 * says.
 */
export function lookAgain(disk: Disk, channel: Channel, before: Tail, bell: DoorbellFile): Standing {
  const { mailbox } = channel.paths;
  const seen = disk.info(mailbox);
  const handle = openMailbox(() => disk.openRead(mailbox), mailbox);
  try {
    // One byte more: the line that a window begins in is cut.
    const needed = disk.size(handle) - before.neededFrom + 1;
    const window = Math.max(FIRST_WINDOW.reader, needed);
    return { ...standingOf(disk, channel, handle, bell, mailbox, window), seen };
  } finally {
    disk.close(handle);
  }
}
