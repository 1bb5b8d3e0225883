import type { Channel } from '../../protocol/channel.js';
import type { State } from '../../protocol/core/state.js';
import type { Disk } from '../../protocol/disk.js';
import { FIRST_WINDOW } from '../../protocol/record/tail.js';
import { readStanding } from '../../protocol/standing.js';

/** A run, as far as the record can overtake it. */
export interface RunningTurn {
  readonly party: string;
  readonly seq: number;
  readonly thread: string;
}

/**
 * True when whatever the run still posts can only be refused (DESIGN.md 7): its thread is closed, or closed and opened again, or
 * its turn re-pointed. A run that has replied may finish what it does.
 */
export function isOvertaken(run: RunningTurn, state: State, hasReplied: boolean): boolean {
  const isSameThread = state.thread === run.thread && state.openedAt <= run.seq;
  return !hasReplied && (!isSameThread || state.turn !== run.party);
}

/** How often the record is looked at while an agent runs, in milliseconds. */
const LOOK_MS = 1000;

/**
 * Aborts its signal with the reason `overtaken` when the record has overtaken a run, and with the reason of `outer` when
 * that one is aborted. A read that fails says nothing.
 */
export function watchOvertaken(
  disk: Disk,
  channel: Channel,
  run: RunningTurn,
  outer: AbortSignal | undefined,
): { readonly signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  // Linked by hand: a signal that only `AbortSignal.any` holds can be collected before it fires.
  const pass = () => controller.abort(outer?.reason);
  if (outer?.aborted) pass();
  else outer?.addEventListener('abort', pass, { once: true });
  const timer = setInterval(() => {
    try {
      const { state, tail } = readStanding(disk, channel, FIRST_WINDOW.writer);
      const hasReplied = tail.entries.some((entry) => entry.seq > run.seq && entry.sender === run.party);
      if (isOvertaken(run, state, hasReplied)) controller.abort('overtaken');
    } catch {
      // A record that cannot be read now is judged by the next look.
    }
  }, LOOK_MS);
  return {
    signal: controller.signal,
    stop: () => {
      clearInterval(timer);
      outer?.removeEventListener('abort', pass);
    },
  };
}
