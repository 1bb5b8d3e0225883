import type { Lock } from '../protocol/lock.js';
import type { Machine } from '../protocol/machine.js';

/** Signals by which a user or a scheduler ends a command. */
const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/**
 * A lock whose waiting a signal ends at once. It waits in one synchronous section, so that no handler would run before it
 * is over: from the first sleep until the lock is had, a signal does what it does by itself, and the process dies of it
 * (a shell calls that 130). Nothing of the draft is written then, and no handler has anything to save.
 */
export function dieWhileWaiting(machine: Machine, lockOf: (machine: Machine) => Lock): Lock {
  let giveBack: (() => void) | undefined;
  const heard = () => {
    giveBack?.();
    giveBack = undefined;
  };
  const sleepMs = (ms: number) => {
    giveBack ??= takeHandlersAway();
    machine.sleepMs(ms);
  };
  // Not a copy, which would ask the machine for all that it knows.
  const lock = lockOf(Object.create(machine, { sleepMs: { value: sleepMs } }));
  return {
    hold(place, work) {
      try {
        return lock.hold(place, () => {
          heard();
          return work();
        });
      } finally {
        heard();
      }
    },
  };
}

/** Gives every signal back to the system, the lock library's own handlers too; the result restores them. */
function takeHandlersAway(): () => void {
  const taken = ENDING.map((signal) => {
    const handlers = process.rawListeners(signal) as NodeJS.SignalsListener[];
    process.removeAllListeners(signal);
    return { signal, handlers };
  });
  return () => {
    for (const { signal, handlers } of taken) for (const handler of handlers) process.on(signal, handler);
  };
}
