import type { Disk } from '../../../src/protocol/disk.js';
import { CHANGING_CALLS, type DiskCall, intercept, SYNC_CALLS } from './fault-disk.js';

/** How a process ended, as far as it came. */
export type Ending<T> =
  | { readonly kind: 'suspended' }
  | { readonly kind: 'answered'; readonly answer: T }
  | { readonly kind: 'failed'; readonly error: unknown };

/** A process that can be stopped between any two of its disk calls. */
export interface Actor<T> {
  /** Lets it make up to `calls` more disk calls. */
  advance(calls: number): Ending<T>;
  /** Lets it run to its end. */
  finish(): Ending<T>;
}

interface Done {
  readonly call: DiskCall;
  readonly value: unknown;
  readonly error: unknown;
  /** What a read put into its buffer. */
  readonly filled: Uint8Array | undefined;
}

/**
 * Runs synchronous code as a process that can be suspended. Code that blocks cannot be suspended within one thread; it
 * is run again from its beginning instead, and what its earlier calls answered is answered again without touching the
 * disk: it depends on nothing else.
 */
export function actor<T>(disk: Disk, run: (disk: Disk) => T): Actor<T> {
  const done: Done[] = [];
  let ending: Ending<T> = { kind: 'suspended' };
  const advance = (calls: number): Ending<T> => {
    if (ending.kind !== 'suspended') return ending;
    const limit = done.length + calls;
    let next = 0;
    let suspended = false;
    const replayed = intercept(disk, (call, go, args) => {
      const before = done[next];
      if (before && before.call !== call) throw new Error(`not repeatable: ${before.call} became ${call}`);
      if (!before && (suspended || next >= limit)) {
        suspended = true;
        throw new Error('suspended');
      }
      next += 1;
      const result = before ?? perform(call, go, args);
      if (!before) done.push(result);
      if (result.error !== undefined) throw result.error;
      if (result.filled) (args[1] as Uint8Array).set(result.filled);
      return result.value;
    });
    let attempt: Ending<T>;
    try {
      attempt = { kind: 'answered', answer: run(replayed) };
    } catch (error) {
      attempt = { kind: 'failed', error };
    }
    // What code makes of a call that was never answered is not what it will do.
    ending = suspended ? { kind: 'suspended' } : attempt;
    return ending;
  };
  return { advance, finish: () => advance(Number.POSITIVE_INFINITY) };
}

function perform(call: DiskCall, go: () => unknown, args: readonly unknown[]): Done {
  try {
    const value = go();
    const filled = call === 'read' ? (args[1] as Uint8Array).slice(0, value as number) : undefined;
    return { call, value, error: undefined, filled };
  } catch (error) {
    return { call, value: undefined, error, filled: undefined };
  }
}

/**
 * The numbers of calls after which it makes a difference to suspend this code: just before and just behind a call that
 * changes the disk or fixes which file is meant. Between two that only read there is nothing that another can tell.
 */
export function pausesOf(disk: Disk, run: (disk: Disk) => unknown): readonly number[] {
  const telling: readonly DiskCall[] = [...CHANGING_CALLS, ...SYNC_CALLS, 'openRead', 'openAppend'];
  const pauses = new Set([0]);
  let count = 0;
  run(
    intercept(disk, (call, go) => {
      if (telling.includes(call)) pauses.add(count).add(count + 1);
      count += 1;
      return go();
    }),
  );
  return [...pauses.add(count)].sort((a, b) => a - b);
}
