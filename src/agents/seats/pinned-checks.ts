import { recordedEvidence } from '../../evidence/attach-checks.js';
import type { EvidencePlace } from '../../evidence/place.js';
import { reviewerChecks } from '../../evidence/reviewer-checks.js';
import type { World } from '../../protocol/world.js';
import type { Seating } from './seating.js';

/**
 * Runs the channel's pinned checks for a seat, or joins a run that goes on, and waits for its end: the seat has a process
 * of its own and the watcher bounds it. A check that did not run has no record, which is no evidence of anything.
 */
export function pinnedChecks(world: World, place: () => EvidencePlace): Seating['runCheck'] {
  return async (name, commit, signal) => {
    const at = place();
    const run = await reviewerChecks(at, commit, [name], Number.POSITIVE_INFINITY).run(name, { signal });
    if (!run.ran) return { run, record: undefined };
    const [record] = await recordedEvidence(world, at, `commit@${commit}`, [name]);
    return { run, record };
  };
}
