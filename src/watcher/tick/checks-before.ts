import { homedir } from 'node:os';
import { ensureCheck } from '../../evidence/ensure-check.js';
import { evidencePlace } from '../../evidence/place.js';
import type { Channel } from '../../protocol/channel.js';
import { newestCitation } from '../../protocol/core/citation.js';
import { Refusal } from '../../protocol/core/refusal.js';
import type { Disk } from '../../protocol/disk.js';
import type { Standing } from '../../protocol/standing.js';
import type { PartySettings } from '../config/watcher-config.js';
import type { Cause } from '../decide.js';

/** What the checks before a party's run came to. */
export type ChecksBefore =
  | { readonly kind: 'done' }
  /** They go on by themselves: a tick never waits for one. */
  | { readonly kind: 'running'; readonly what: string }
  | {
      readonly kind: 'not-run';
      readonly cause: Extract<Cause, 'check-not-run' | 'no-such-commit'>;
      readonly what: string;
    };

/**
 * Runs the party's `checks_before` at the commit that the thread's newest citation names, before the party is woken: outside its
 * timeout and its sandbox, so that a reviewer that may only look can still cite evidence (issue 4). However many ticks ask,
 * each check is run once; what it returns does not matter. A thread that cites nothing has nothing to check.
 */
export async function checksBefore(
  disk: Disk,
  channel: Channel,
  settings: PartySettings,
  { state, tail }: Standing,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ChecksBefore> {
  const cited = newestCitation(tail.entries, state);
  if (settings.checksBefore.length === 0 || cited === undefined) return { kind: 'done' };
  try {
    const place = evidencePlace(disk, channel, { home: homedir(), environment });
    for (const name of settings.checksBefore) {
      const outcome = await ensureCheck(place, { name, ref: cited.commit, waitSeconds: 0 });
      const at = `${name} at ${cited.commit.slice(0, 10)}`;
      if (outcome.kind === 'running')
        return { kind: 'running', what: `the check ${at} runs before ${settings.party} is woken` };
      if (outcome.kind === 'not-run')
        return {
          kind: 'not-run',
          cause: 'check-not-run',
          what: `The check ${at} could not be run before ${settings.party} is woken: ${outcome.reason}. Its log is ${outcome.logPath}.`,
        };
    }
    return { kind: 'done' };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const cause = error.code === 'no-such-commit' ? error.code : 'check-not-run';
    return { kind: 'not-run', cause, what: error.message };
  }
}
