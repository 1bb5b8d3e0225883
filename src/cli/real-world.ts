import { fileLock } from '../protocol/lock.js';
import { thisMachine } from '../protocol/machine.js';
import type { World } from '../protocol/world.js';
import { readingWorld } from './context.js';
import { dieWhileWaiting } from './die-while-waiting.js';
import { say } from './print.js';
import { isTerminal } from './write.js';

/** The world as it is, with the lock of a writer: loaded by the commands that write, since it costs a start its time. */
export function realWorld(): World {
  const lock = dieWhileWaiting(thisMachine, (machine) =>
    fileLock(machine, (holder) => {
      if (isTerminal(2)) say(`waiting for ${holder}, which is writing ...`);
    }),
  );
  return { ...readingWorld, lock };
}
