import type { RunResult } from '../../process/start-child.js';
import type { Outcome } from '../memory.js';
import { usedUpQuota } from '../run/quota.js';

/** What a run came to. */
export interface Ended {
  readonly outcome: Outcome;
  readonly detail: string;
  readonly lastLines: string;
  /** Not to be tried again before (milliseconds since 1970), or 0. */
  readonly notBefore: number;
  /** Something of it could not be ended: whoever runs next must try again. */
  readonly isLeft: boolean;
}

/** What the record has of a run's party after it: an entry, none, or nothing that could be read, with why not. */
export type Reply = { readonly kind: 'posted' | 'nothing' } | { readonly kind: 'unknown'; readonly why: string };

/**
 * What a finished run comes to: success is an entry of that party in the record, never exit 0 (DESIGN.md 7). After a signal of
 * ours its exit code means nothing. An entry that nobody could read is none.
 */
export function judgeRun(result: RunResult, reply: Reply, nowMs: number): Ended {
  const { lastLines } = result;
  const ended = (outcome: Outcome, detail: string, notBefore = 0): Ended => ({
    outcome,
    detail: `${detail}${survivorsOf(result)}${doubtOf(reply)}`,
    lastLines,
    notBefore,
    isLeft: result.survivors.length > 0,
  });
  if (reply.kind === 'posted') return ended('replied', 'it posted');
  switch (result.kind) {
    case 'timed-out':
      return ended('timed-out', `it was ended after ${Math.round(result.durationSeconds)} s`);
    case 'aborted':
      return ended('aborted', `it was ended (${result.reason})`);
    case 'claim-gone':
      return ended('aborted', 'its claim was taken over before it started');
    case 'cannot-start':
    case 'argument-too-long':
      return ended('cannot-start', result.message);
    case 'exited': {
      const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
      const quota = usedUpQuota(result.tail, { now: nowMs, timeZone });
      if (quota) return ended('quota', `${quota.said} (until ${new Date(quota.until).toISOString()})`, quota.until);
      if (result.code === 0)
        return ended('no-reply', reply.kind === 'nothing' ? 'exit 0, and nothing posted' : 'exit 0');
      const how = result.code === undefined ? `ended by ${result.signal ?? 'a signal'}` : `exit ${result.code}`;
      return ended('failed', how);
    }
  }
}

/** What a refusal says of itself ends with a full stop, which whoever quotes this sets. */
function doubtOf(reply: Reply): string {
  if (reply.kind !== 'unknown') return '';
  return `; whether it posted cannot be said: ${reply.why.replace(/\.$/, '')}`;
}

function survivorsOf({ survivors }: RunResult): string {
  return survivors.length === 0 ? '' : `; could not be ended: process ${survivors.join(', ')}`;
}
