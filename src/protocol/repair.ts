import { join } from 'node:path';
import type { Channel } from './channel.js';
import { publishTaken, takeFenced } from './compaction/finish-compaction.js';
import { doorbellOf, sameDoorbell } from './core/doorbell.js';
import { Refusal } from './core/refusal.js';
import { errnoOf } from './disk.js';
import { removeQuietly } from './file.js';
import { readBeginning } from './record/record-files.js';
import { rewriteConfig } from './rewrite-config.js';
import { ring, syncMailbox } from './ring.js';
import { openMailbox, readDoorbell, type Standing, standingOf, wentBack } from './standing.js';
import type { World } from './world.js';
import { brokered } from './write-refusals.js';

/** What `repair` did, or would do, a sentence each. */
export interface Repair {
  readonly done: readonly string[];
  readonly standing: Standing;
}

/** What the supervisor asked for. */
export interface RepairWish {
  readonly dryRun: boolean;
  /** Go on from this seq after the record went back (decisions.md 5). */
  readonly acceptSeq: number | undefined;
  /** Go on with a record whose beginning is missing (format.md 2). */
  readonly acceptMissing: boolean;
  readonly woken: boolean;
}

/** A leftover temporary file counts as a dead writer's after this long, in milliseconds. */
const LEFTOVER_MS = 60_000;
/** A lock counts as left behind after this long, in milliseconds. */
const STALE_LOCK_MS = 10_000;

/**
 * Rebuilds the doorbell from the record and sweeps what a dead writer left. Never changes or removes a byte of the mailbox.
 * Refuses `brokered`, `not-when-woken`, `nothing-missing`, `record-went-back`, `locked`.
 */
export function repair(world: World, channel: Channel, wish: RepairWish): Repair {
  if (channel.config.brokered) throw brokered(channel);
  if (wish.woken && (wish.acceptSeq !== undefined || wish.acceptMissing))
    throw new Refusal({
      code: 'not-when-woken',
      message: "Accepting a record is the supervisor's, and this process was woken as a party.",
      hint: 'Post with --ask what you saw, and stop.',
    });
  const swept = sweepLock(world, channel, wish.dryRun);
  if (wish.dryRun) {
    const plan = planned(world, channel, wish);
    return { ...plan, done: [...swept, ...plan.done] };
  }
  return world.lock.hold(channel.paths, () => {
    publishTaken(world, channel);
    const fence = look(world, channel).tail.fence;
    if (fence) takeFenced(world, channel);
    const done = [...swept, ...sweepTemporaries(world, channel, false)];
    const whole = wish.acceptMissing ? acceptMissing(world, channel, done) : channel;
    const accepted = wish.acceptSeq === undefined ? whole : acceptSeq(world, whole, wish.acceptSeq, done);
    const standing = look(world, accepted);
    if (wish.acceptSeq === undefined) refuseUnaccepted(accepted, standing);
    syncMailbox(world.disk, accepted);
    const due = doorbellOf(standing.state);
    const isDue = !sameDoorbell(standing.bell.doorbell, due);
    if (isDue) done.push(`The doorbell was rebuilt: MSG-${due.seq}, turn "${due.turn}".`);
    return { done, standing: isDue ? ring(world.disk, accepted, world.machine, standing) : standing };
  });
}

/** Reads the record as it is, whether or not it went back. */
function look(world: World, channel: Channel): Standing {
  const bell = readDoorbell(world.disk, channel);
  const { mailbox } = channel.paths;
  const handle = openMailbox(() => world.disk.openRead(mailbox), mailbox);
  try {
    return standingOf(world.disk, channel, handle, bell);
  } finally {
    world.disk.close(handle);
  }
}

function planned(world: World, channel: Channel, wish: RepairWish): Repair {
  const standing = look(world, channel);
  const done = [...sweepTemporaries(world, channel, true)];
  const due = doorbellOf(standing.state);
  if (!sameDoorbell(standing.bell.doorbell, due))
    done.push(`The doorbell would be rebuilt: MSG-${due.seq}, turn "${due.turn}".`);
  if (wish.acceptSeq !== undefined) done.push(`The record would be accepted as it ends, at MSG-${wish.acceptSeq}.`);
  if (wish.acceptMissing) done.push('The missing beginning would be accepted.');
  return { done, standing };
}

/** A doorbell that is ahead, or a beginning that is missing, is evidence: it stays until the supervisor accepts. */
function refuseUnaccepted(channel: Channel, standing: Standing): void {
  const missing = standing.tail.stops.find((defect) => defect.kind === 'missing-beginning');
  if (missing)
    throw new Refusal({
      code: 'record-stopped',
      message: missing.message,
      hint: `Restore ${channel.paths.mailbox}, or let the supervisor run \`debate repair --accept-missing\`.`,
    });
  const remembered = standing.bell.doorbell?.seq ?? 0;
  if (remembered > standing.state.seq) throw wentBack(channel, remembered, standing.state.seq);
}

/** Writes into `debate.json` from which number on the record counts (format.md 2). */
function acceptMissing(world: World, channel: Channel, done: string[]): Channel {
  const standing = look(world, channel);
  const missing = standing.tail.stops.find((defect) => defect.kind === 'missing-beginning');
  if (!missing)
    throw new Refusal({
      code: 'nothing-missing',
      message: 'The record begins where it should.',
      hint: 'Run `debate verify` to see what else there is.',
    });
  const first = firstNumber(standing, missing.seq, readBeginning(world.disk, channel.paths.mailbox).first);
  done.push(`The missing beginning was accepted: the record counts from MSG-${first} on.`);
  return rewriteConfig(world, channel, { base: first - 1 });
}

/** Writes the accepted end of a record that went back into `debate.json` (decisions.md 5). */
function acceptSeq(world: World, channel: Channel, wanted: number, done: string[]): Channel {
  const { seq, hash } = look(world, channel).state;
  if (wanted !== seq) throw notThere(wanted, seq);
  done.push(`The record was accepted as it ends, at MSG-${seq}.`);
  const { accepted, acceptedBefore } = channel.config;
  const before = accepted ? { accepted_before: [...acceptedBefore, accepted] } : {};
  return rewriteConfig(world, channel, { accepted: { seq, hash }, ...before });
}

/** The lowest number that is left: of a long mailbox the end says too little. */
function firstNumber(standing: Standing, missing: number, first: number): number {
  const seen = [
    first,
    ...standing.tail.entries.map((entry) => entry.seq),
    ...standing.tail.voided.map((entry) => entry.number),
  ];
  return Math.min(...seen.filter((number) => number > missing));
}

function notThere(wanted: number, seq: number): Refusal {
  return new Refusal({
    code: 'record-went-back',
    message: `The record ends at MSG-${seq}, not at MSG-${wanted}.`,
    hint: `To go on from there: \`debate repair --accept-seq ${seq}\`.`,
  });
}

/** Temporary files in the root and the archive that nobody has touched for a while. */
function sweepTemporaries(world: World, channel: Channel, dryRun: boolean): readonly string[] {
  const { disk, machine } = world;
  return [channel.paths.root, channel.paths.archive].flatMap((folder) =>
    (disk.info(folder) ? disk.list(folder) : []).flatMap((name) => {
      const path = join(folder, name);
      const info = /\.[0-9a-f]{8}\.tmp$/.test(name) ? disk.info(path) : undefined;
      if (!info || machine.now().getTime() - info.modifiedMs < LEFTOVER_MS) return [];
      if (!dryRun) removeQuietly(disk, path);
      return [`${path} ${dryRun ? 'would be' : 'was'} removed: a dead writer left it.`];
    }),
  );
}

/** A lock of the published tool is a file, which no folder lock can take over (decisions.md 14). */
function sweepLock(world: World, channel: Channel, dryRun: boolean): readonly string[] {
  const { disk, machine } = world;
  const info = disk.info(channel.paths.lock);
  if (info?.kind !== 'file' || machine.now().getTime() - info.modifiedMs < STALE_LOCK_MS) return [];
  if (dryRun) return [`The stale lock file ${channel.paths.lock} would be removed.`];
  try {
    disk.remove(channel.paths.lock);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
  return [`The stale lock file ${channel.paths.lock} was removed.`];
}
