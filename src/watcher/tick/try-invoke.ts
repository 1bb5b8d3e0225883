import { newestCitation } from '../../protocol/core/citation.js';
import type { State } from '../../protocol/core/state.js';
import type { Standing } from '../../protocol/standing.js';
import type { PartySettings } from '../config/watcher-config.js';
import { type Decision, wait } from '../decide.js';
import type { Memory } from '../memory.js';
import { nextAttempt } from '../run/claim.js';
import { listClaims, pruneClaims } from '../run/claim-files.js';
import { findLive, lookAtClaims } from '../run/look-at-claims.js';
import { hasUnknown } from './adopt-claims.js';
import { invoke } from './invoke.js';
import type { Invoking } from './invoking.js';
import { obstacle } from './prepare-run.js';
import { nowMs, type Ticking } from './ticking.js';

/** What came of an invocation; `outrun`: somebody else has the turn; `queued`: as many agents run already as may. */
export type Invoked = 'ran' | 'outrun' | 'queued' | 'not-run';

/**
 * Runs the party, or answers with what its claims, its command, its checks or its slot make of the decision. `known` is the
 * memory by which it was decided.
 */
export async function tryInvoke(
  ticking: Ticking,
  standing: Standing,
  action: { readonly party: string; readonly attempt: 1 | 2 },
  known: Memory,
): Promise<Decision | Invoked> {
  const { channel, config, around, files, memory } = ticking;
  const { state } = standing;
  const settings = config.parties[action.party];
  if (!settings) return 'not-run';
  const blocked =
    (await blockedBy(ticking, standing, settings)) ?? (await blockedByChecks(ticking, standing, settings));
  if (blocked) return blocked;
  const claims = listClaims(files);
  const key = { seq: state.seq, hash: state.hash.slice(0, 16) };
  // It was decided without another's run: a claim now would be made before its time, and cost the turn its retry.
  if (hasUnknown(claims, key, known) || (await findLive(files)).length > 0) return 'outrun';
  const attempt = nextAttempt(claims, key, action.attempt - 1);
  if (attempt === undefined) return usedUp(ticking, settings.party, state);
  const release = around.takeSlot ? around.takeSlot() : () => undefined;
  if (!release) return 'queued';
  try {
    const before = closedBefore(standing);
    if (claims.some(({ name }) => name.seq < before)) pruneClaims(files, before, await lookAtClaims(files));
    const { world, environment, signal, hurry, tell = () => undefined } = around;
    const invoking: Invoking = { world, channel, config, memory, files, environment, signal, hurry, tell };
    return (await invoke(invoking, settings, { standing, attempt })) ? 'ran' : 'outrun';
  } finally {
    release();
  }
}

/** What keeps the command from starting is escalated at once, and is no run. */
async function blockedBy(
  { channel, config, around }: Ticking,
  standing: Standing,
  settings: PartySettings,
): Promise<Decision | undefined> {
  const { thread, seq } = standing.state;
  const cited = newestCitation(standing.tail.entries, standing.state)?.commit;
  const run = { runId: 'w0', thread, seq, cited };
  const found = await obstacle(around.world.disk, channel, config, settings, run, around.environment);
  if (!found) return undefined;
  const what = found.cause === 'cannot-start' ? `${settings.party} cannot start: ${found.what}` : found.what;
  return { ...wait(undefined, what), concerns: [{ cause: found.cause, thread, seq, what }] };
}

/** How often it is asked whether a check has ended, in milliseconds. */
const CHECK_MS = 2000;

/** A party that has checks before it is woken when they have run; a check that cannot run is escalated, and nobody is woken. */
async function blockedByChecks(
  ticking: Ticking,
  standing: Standing,
  settings: PartySettings,
): Promise<Decision | undefined> {
  const { channel, around } = ticking;
  if (settings.checksBefore.length === 0) return undefined;
  const { checksBefore } = await import('./checks-before.js');
  const checks = await checksBefore(around.world.disk, channel, settings, standing, around.environment);
  if (checks.kind === 'done') return undefined;
  if (checks.kind === 'running') return wait(nowMs(ticking) + CHECK_MS, checks.what);
  const { thread, seq } = standing.state;
  return { ...wait(undefined, checks.what), concerns: [{ cause: checks.cause, thread, seq, what: checks.what }] };
}

/** Both names of a turn's claims are used, and not both by runs: no seq is run a third time. */
function usedUp({ memory }: Ticking, party: string, { thread, seq }: State): Decision {
  const last = memory.read().attempts.findLast((run) => run.seq === seq && run.thread === thread);
  const cause = last?.outcome === 'cannot-start' ? 'cannot-start' : 'no-reply';
  const what = `${party} did not answer MSG-${seq}, and no run is left for it${last ? `: ${last.detail}` : ''}.`;
  return { ...wait(undefined, what), concerns: [{ cause, thread, seq, what }] };
}

/** The close before the last one, or 0: claims of entries before it can decide nothing any more. */
function closedBefore(standing: Standing): number {
  const closes = standing.tail.entries.filter((entry) => entry.type === 'close');
  return closes.at(-2)?.seq ?? 0;
}
