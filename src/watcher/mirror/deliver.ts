import type { MirrorTarget } from '../config/watcher-config.js';
import type { MirrorEntry, MirrorEscalation } from './text.js';

/** What is due to every mirror. */
export interface Due {
  /** In the order of the record. */
  readonly entries: readonly MirrorEntry[];
  /** Every escalation that the watcher still remembers: what a target has already got is left out. */
  readonly escalations: readonly MirrorEscalation[];
  /** A target that is seen for the first time gets the entries after this seq. */
  readonly startAfter: number;
}

/** What one target has got. */
interface Got {
  readonly seq: number;
  /** The escalations, as `escalationId` names them; those no longer remembered by the watcher are dropped. */
  readonly escalations: readonly string[];
}

/** What every target has got, by the key of the target; kept in the watcher's memory. */
export type Remembered = Readonly<Record<string, Got>>;

/** A target that could not be served, and how much waits for the next time. */
export interface DeliveryFailure {
  readonly target: MirrorTarget;
  readonly reason: string;
  readonly waiting: number;
}

/** Hands one entry or escalation to one target; answers with the reason where that failed. Must not throw. */
export type Send = (
  target: MirrorTarget,
  item: { readonly entry: MirrorEntry } | { readonly escalation: MirrorEscalation },
) => Promise<string | undefined>;

/** The name under which an escalation is remembered: once per thread, seq and cause (DESIGN.md 2). */
export function escalationId({ thread, seq, cause }: Pick<MirrorEscalation, 'thread' | 'seq' | 'cause'>): string {
  return `${thread}:${seq}:${cause}`;
}

/**
 * Brings every target what it has not got yet: at least once, the entries in the order of the record. A target that
 * fails stops nobody else, keeps what it had got, and is sent the rest the next time; what it got is never sent again
 * (field case W12). An entry that a target refuses does not hold up an escalation, for which a person is waiting. The
 * caller keeps what comes back, also where there are failures, and drops targets that the config no longer has.
 */
export async function deliver(
  due: Due,
  targets: readonly MirrorTarget[],
  remembered: Remembered,
  send: Send,
): Promise<{ readonly remembered: Remembered; readonly failures: readonly DeliveryFailure[] }> {
  const served = await Promise.all(
    targets.map(async (target) => ({ target, ...(await serve(due, target, remembered[target.key], send)) })),
  );
  return {
    remembered: Object.fromEntries(served.map(({ target, got }) => [target.key, got])),
    failures: served.flatMap(({ target, reason, waiting }) =>
      reason === undefined ? [] : [{ target, reason, waiting }],
    ),
  };
}

async function serve(due: Due, target: MirrorTarget, before: Got | undefined, send: Send) {
  const reached = before?.seq ?? due.startAfter;
  const entries = due.entries.filter((entry) => entry.seq > reached);
  const known = due.escalations.map(escalationId);
  const told = (before?.escalations ?? []).filter((id) => known.includes(id));
  const escalations = due.escalations.filter((escalation) => !told.includes(escalationId(escalation)));

  const sentEntries = await sendUntilFailure(entries, (entry) => send(target, { entry }));
  const sentEscalations = await sendUntilFailure(escalations, (escalation) => send(target, { escalation }));
  const got: Got = {
    seq: entries[sentEntries.count - 1]?.seq ?? reached,
    escalations: [...told, ...escalations.slice(0, sentEscalations.count).map(escalationId)],
  };
  const waiting = entries.length - sentEntries.count + escalations.length - sentEscalations.count;
  return { got, waiting, reason: sentEntries.reason ?? sentEscalations.reason };
}

async function sendUntilFailure<T>(items: readonly T[], send: (item: T) => Promise<string | undefined>) {
  for (const [count, item] of items.entries()) {
    const reason = await send(item);
    if (reason !== undefined) return { count, reason };
  }
  return { count: items.length, reason: undefined };
}
