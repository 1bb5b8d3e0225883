import type { Channel } from '../../protocol/channel.js';
import { publishTaken, takeFenced } from '../../protocol/compaction/finish-compaction.js';
import { hidesEntries } from '../../protocol/core/defect.js';
import { doorbellOf, sameDoorbell } from '../../protocol/core/doorbell.js';
import { ring, syncMailbox } from '../../protocol/ring.js';
import { readStanding, type Standing } from '../../protocol/standing.js';
import type { World } from '../../protocol/world.js';

/**
 * Reads where the channel stands and, when somebody died between append and doorbell (field case W10) or in the middle of a
 * compaction, completes what they began. Takes the lock only then, and not where the record is stopped: what the doorbell said last is evidence, and nobody is woken.
 *
 * @throws Refusal - `record-went-back`, `unreadable`, `locked`.
 */
export function healedStanding(world: World, channel: Channel): Standing {
  const { disk, lock, machine } = world;
  const isWhole = disk.info(channel.paths.mailbox) !== undefined;
  const standing = isWhole ? readStanding(disk, channel) : undefined;
  if (standing && isStopped(standing)) return standing;
  if (standing && !standing.tail.fence && sameDoorbell(standing.bell.doorbell, doorbellOf(standing.state)))
    return standing;
  return lock.hold(channel.paths, () => {
    publishTaken(world, channel);
    if (readStanding(disk, channel).tail.fence) takeFenced(world, channel);
    const found = readStanding(disk, channel);
    syncMailbox(disk, channel);
    return ring(disk, channel, machine, found);
  });
}

/** Not by a compaction under way, which is to be completed first. */
function isStopped({ tail }: Standing): boolean {
  return tail.stops.length > 0 && (tail.fence === undefined || tail.stops.some(hidesEntries));
}
