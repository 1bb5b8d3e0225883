import type { MirrorTarget } from '../config/watcher-config.js';
import { type Memory, turnKey } from '../memory.js';
import { escalationId } from './deliver.js';
import { describeTarget } from './send.js';

/** So long a delivery may take before it counts as failed, in milliseconds: a tick may be under way. */
const PATIENCE_MS = 120_000;

/**
 * A sentence for each mirror that has not got what the watcher has known for a while: escalations go nowhere but to mirrors, so one
 * that fails must be seen where a person looks (field case W12).
 */
export function mirrorsBehind(memory: Memory, targets: readonly MirrorTarget[], nowMs: number): readonly string[] {
  const { head } = memory;
  if (head === null) return [];
  const isOld = (ms: number | undefined) => ms !== undefined && nowMs - ms > PATIENCE_MS;
  return targets.flatMap((target) => {
    const got = memory.mirrored[target.key];
    const lacksEntry = (got?.seq ?? 0) < head.seq && isOld(memory.seen_ms[turnKey(head.seq, head.hash)]);
    const lacking = memory.escalations.filter(
      (each) => isOld(each.at_ms) && !got?.escalations.includes(escalationId(each)),
    );
    if (!lacksEntry && lacking.length === 0) return [];
    const what = [
      ...(lacksEntry ? [`MSG-${head.seq}`] : []),
      ...(lacking.length === 0 ? [] : [`${lacking.length} escalations`]),
    ];
    return [`the mirror ${describeTarget(target)} has not got ${what.join(' and ')}; watch-once says why`];
  });
}
