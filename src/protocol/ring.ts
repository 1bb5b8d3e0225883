import type { Channel } from './channel.js';
import { type DoorbellFile, doorbellOf, renderDoorbell, sameDoorbell } from './core/doorbell.js';
import type { Disk } from './disk.js';
import { replaceFile } from './file.js';
import type { Machine } from './machine.js';
import { FIRST_WINDOW } from './record/tail.js';
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
    const again = lookAgain(disk, channel, { ...bell, doorbell: due });
    if (again.state.seq === current.state.seq && again.state.hash === current.state.hash) return again;
    syncMailbox(disk, channel);
    bell = { ...bell, doorbell: due };
    current = again;
  }
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
 * Opens the mailbox by its path again and reads its end; `bell` is what the doorbell says. A short window will do: one that can be
 * judged begins before the thread of its last entries.
 */
export function lookAgain(disk: Disk, channel: Channel, bell: DoorbellFile): Standing {
  const handle = openMailbox(() => disk.openRead(channel.paths.mailbox), channel.paths.mailbox);
  try {
    return standingOf(disk, channel, handle, bell, channel.paths.mailbox, FIRST_WINDOW.reader);
  } finally {
    disk.close(handle);
  }
}
