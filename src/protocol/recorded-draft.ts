import { type Draft, isSameDraft } from './core/draft.js';
import { Refusal } from './core/refusal.js';
import type { Woken } from './core/wake.js';
import type { Entry } from './core/words.js';
import type { Standing } from './standing.js';
import type { World } from './world.js';

/** A draft with what was found out about it before the lock was taken. */
export interface PostRequest {
  readonly draft: Draft;
  /** The draft answers this entry (rule 7). */
  readonly ifSeq: number | undefined;
  /** The caller's own idempotency key. */
  readonly key: string | undefined;
  /** Set in a process that a watcher woke for this channel (rule 9). */
  readonly woken: Woken | undefined;
  /** Secrets and unknown commits that the shell found in the draft. */
  readonly secret: string | undefined;
  readonly unknownCommits: readonly string[];
  readonly notices: readonly string[];
}

/** The key by which this draft is known again: the caller's, or in a woken process one made from the draft (format.md 4). */
export function keyOf(world: World, request: PostRequest): string | undefined {
  if (request.key !== undefined || !request.woken) return request.key;
  const { sender, type, thread, refs, body, decision, ask } = request.draft;
  const given = JSON.stringify([sender, type, thread ?? null, refs, body, decision ?? null, ask]);
  return `${request.woken.id}-${world.hashes.text(Buffer.from(given)).slice(0, 12)}`;
}

/** The entry that this draft already is, by its key, or without a key by being the newest one (decisions.md 11). */
export function findRecorded(standing: Standing, request: PostRequest, key: string | undefined): Entry | undefined {
  const { entries } = standing.tail;
  if (key === undefined) {
    const newest = entries.at(-1);
    return newest && newest.seq === standing.state.seq && isSameDraft(request.draft, newest) ? newest : undefined;
  }
  const same = entries.findLast((entry) => entry.key === key);
  if (!same) return undefined;
  if (isSameDraft(request.draft, same)) return same;
  throw new Refusal({
    code: 'key-reused',
    message: `The key ${key} belongs to MSG-${same.seq}, which is another draft.`,
    hint: 'Post with another key, or without one.',
  });
}
