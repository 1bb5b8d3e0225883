import type { Channel } from './channel.js';
import { currentMailbox } from './compaction/taken.js';
import { hidesEntries } from './core/defect.js';
import { type DoorbellFile, parseDoorbell } from './core/doorbell.js';
import { Refusal } from './core/refusal.js';
import type { State } from './core/state.js';
import { type Disk, errnoOf, type FileInfo, type Handle } from './disk.js';
import { readText } from './file.js';
import { unreadable } from './read-refusals.js';
import { archivedHead, followsArchive } from './record/archive.js';
import { forgedFence } from './record/fence.js';
import { settledFromFront } from './record/from-front.js';
import { FIRST_WINDOW, readTail, type Tail } from './record/tail.js';

/** Where a channel stands: its record's end, and what its doorbell says. */
export interface Standing {
  readonly tail: Tail;
  readonly state: State;
  readonly bell: DoorbellFile;
  /** What stood at the mailbox's path before it was read, where that was asked. */
  readonly seen?: FileInfo | undefined;
}

/**
 * Reads the doorbell and then the record (decisions.md 1: in this order a post under way is never taken for a record
 * that went back). Writes nothing. `firstWindow` in bytes is how far back it looks at least. Refuses `record-went-back`,
 * `unreadable`.
 */
export function readStanding(disk: Disk, channel: Channel, firstWindow = FIRST_WINDOW.reader): Standing {
  for (let again = 0; ; again++) {
    const standing = lookOnce(disk, channel, firstWindow);
    const ahead = standing.bell.doorbell && standing.bell.doorbell.seq > standing.state.seq;
    // Where another program brokers, the doorbell decides.
    if (!ahead || channel.config.brokered || standing.tail.stops.some(hidesEntries)) return standing;
    if (again >= 2) throw new WentBack(channel, standing.bell.doorbell?.seq ?? 0, standing.state.seq);
  }
}

/** Reads the doorbell and the record as they are, whether or not the record went back. Writes nothing. Refuses `unreadable`. */
export function lookOnce(disk: Disk, channel: Channel, firstWindow = FIRST_WINDOW.writer): Standing {
  const bell = readDoorbell(disk, channel);
  const mailbox = currentMailbox(disk, channel);
  const handle = openMailbox(() => disk.openRead(mailbox), mailbox);
  try {
    return openMailbox(() => standingOf(disk, channel, handle, bell, mailbox, firstWindow), mailbox);
  } finally {
    disk.close(handle);
  }
}

/** Opens or reads a mailbox; a missing or closed one is a refusal that says so. */
export function openMailbox<T>(open: () => T, mailbox: string): T {
  try {
    return open();
  } catch (error) {
    if (error instanceof Refusal || errnoOf(error) === '') throw error;
    if (errnoOf(error) !== 'ENOENT') throw unreadable(mailbox, error);
    throw new Refusal({
      code: 'unreadable',
      message: `The mailbox ${mailbox} is missing.`,
      hint: 'Restore it from git or a backup; `debate init` makes one only for a new channel.',
    });
  }
}

/** What an open mailbox and a doorbell that was read before say together. `path` is where the mailbox was opened. */
export function standingOf(
  disk: Disk,
  channel: Channel,
  handle: Handle,
  bell: DoorbellFile,
  path = channel.paths.mailbox,
  firstWindow = FIRST_WINDOW.writer,
): Standing {
  const { reader } = channel;
  const archived = followsArchive(disk, channel);
  // The published tool's doorbell follows its own rules, and says nothing of ours.
  const rung = reader.format === 2 ? bell.doorbell : undefined;
  const last = bell.doorbell?.seq ?? Number.POSITIVE_INFINITY;
  const found = readTail(disk, handle, reader, last, archived, rung, firstWindow);
  const end = found.vouched ? found : settledFromFront(disk, channel, path, found);
  const forged = end.fence && forgedFence(disk, channel, path);
  // Before everything else: while it is there, nothing can be posted that would settle the rest.
  const tail = forged ? { ...end, stops: [forged, ...end.stops] } : end;
  const isBehind = archived && reader.format === 1 && (bell.doorbell?.seq ?? Number.POSITIVE_INFINITY) > tail.state.seq;
  const archive = isBehind ? archivedHead(disk, channel) : undefined;
  const state = archive && archive.seq > tail.state.seq ? archive : tail.state;
  return { tail, state, bell };
}

/** Reads the doorbell's file; nothing there, or nothing sensible, is a cache miss (field case R7). */
export function readDoorbell(disk: Disk, channel: Channel): DoorbellFile {
  try {
    return parseDoorbell(readText(disk, channel.paths.doorbell) ?? '');
  } catch (error) {
    throw unreadable(channel.paths.doorbell, error);
  }
}

/** A record that went back (DESIGN.md 4.3: a doorbell or a memory is ahead of it), with the number at which it ends now. */
export class WentBack extends Refusal {
  constructor(
    channel: Channel,
    remembered: number,
    readonly recorded: number,
  ) {
    super({
      code: 'record-went-back',
      message: `The record of ${channel.paths.root} went back: it was at MSG-${remembered}, and it ends at MSG-${recorded} now.`,
      hint: `Restore ${channel.paths.mailbox}, or let the supervisor run \`debate repair --accept-seq ${recorded}\` to go on from there.`,
    });
  }
  /** No other refusal, though a copy of this module may have thrown it. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Refusal && value.code === 'record-went-back' && 'recorded' in value;
  }
}
