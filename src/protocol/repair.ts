import { join } from 'node:path';
import { type AcceptWish, judgeWish } from './accept-record.js';
import type { Channel } from './channel.js';
import { publishTaken, takeFenced } from './compaction/finish-compaction.js';
import { doorbellOf, sameDoorbell } from './core/doorbell.js';
import { Refusal } from './core/refusal.js';
import { errnoOf } from './disk.js';
import { removeQuietly } from './file.js';
import { holdChannel } from './hold-channel.js';
import { rewriteConfig } from './rewrite-config.js';
import { ring, syncMailbox } from './ring.js';
import { lookOnce, type Standing, WentBack } from './standing.js';
import type { World } from './world.js';
import { brokered } from './write-refusals.js';

/** What `repair` did, or would do, a sentence each. */
export interface Repair {
  readonly done: readonly string[];
  readonly standing: Standing;
}

/** What the supervisor asked for. */
export interface RepairWish extends AcceptWish {
  readonly dryRun: boolean;
  readonly woken: boolean;
}

/** A leftover temporary file counts as a dead writer's after this long, in milliseconds. */
const LEFTOVER_MS = 60_000;
/** The published tool's lock file counts as left behind after this long, in milliseconds: as it counts it itself. */
const STALE_LOCK_FILE_MS = 30_000;

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
  return holdChannel(world, channel, (now) => {
    const done = [...swept, ...finishCompaction(world, now)];
    // All that is wished is judged before any of it is written.
    const accepted = judgeWish(world.disk, now, wish);
    if (wish.acceptSeq === undefined) refuseUnaccepted(now, lookOnce(world.disk, accepted.channel));
    done.push(...sweepTemporaries(world, now, false), ...accepted.done);
    const isChanged = Object.keys(accepted.change).length > 0;
    const after = isChanged ? rewriteConfig(world, now, accepted.change) : now;
    const standing = lookOnce(world.disk, after);
    syncMailbox(world.disk, after);
    const due = doorbellOf(standing.state);
    const isDue = !sameDoorbell(standing.bell.doorbell, due);
    if (isDue) done.push(`The doorbell was rebuilt: MSG-${due.seq}, turn "${due.turn}".`);
    return { done, standing: isDue ? ring(world.disk, after, world.machine, standing) : standing };
  });
}

/** Completes what a dead compactor began, and says so. */
function finishCompaction(world: World, channel: Channel): readonly string[] {
  const done: string[] = [];
  const wasThere = world.disk.info(channel.paths.mailbox) !== undefined;
  publishTaken(world, channel);
  const isFenced = lookOnce(world.disk, channel).tail.fence !== undefined;
  if (!wasThere) done.push(`${channel.paths.mailbox} was put back: an interrupted compaction had taken it away.`);
  if (isFenced) {
    takeFenced(world, channel);
    done.push('An interrupted compaction was finished.');
  }
  return done;
}

function planned(world: World, channel: Channel, wish: RepairWish): Repair {
  const accepted = judgeWish(world.disk, channel, wish);
  const standing = lookOnce(world.disk, accepted.channel);
  const done: string[] = [];
  if (!world.disk.info(channel.paths.mailbox))
    done.push(`${channel.paths.mailbox} would be put back: an interrupted compaction has taken it away.`);
  else if (standing.tail.fence) done.push('An interrupted compaction would be finished.');
  done.push(...sweepTemporaries(world, channel, true));
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
  if (remembered > standing.state.seq) throw new WentBack(channel, remembered, standing.state.seq);
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
  if (info?.kind !== 'file' || machine.now().getTime() - info.modifiedMs < STALE_LOCK_FILE_MS) return [];
  if (dryRun) return [`The stale lock file ${channel.paths.lock} would be removed.`];
  try {
    disk.remove(channel.paths.lock);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
  return [`The stale lock file ${channel.paths.lock} was removed.`];
}
