import { setTimeout as wait } from 'node:timers/promises';

/** Names and values of an environment, as `process.env` has them; in words that need no types of Node. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What models need from outside, passed in so that tests and replays decide it (rule X6). */
export interface ModelWorld {
  readonly environment: Environment;
  /** The folder of the settings, against which `file` and `cwd` in them resolve. */
  readonly folder: string;
  /** Where commands run whose settings do not say: a builder's worktree, a reviewer's checkout. */
  readonly cwd: string;
  /** A number in 0..1, for jitter. */
  readonly random: () => number;
  /** Resolves after so many seconds; rejects when the signal is set. */
  readonly sleep: (seconds: number, signal?: AbortSignal) => Promise<void>;
  /** A clock that never goes back, in seconds; only differences mean something. */
  readonly now: () => number;
  /** The date and time, in milliseconds since 1970, for servers that name one. */
  readonly wallClock: () => number;
}

/**
 * The real clock, environment and dice, for models whose settings stand in a file of `folder` and whose commands run
 * in `cwd`.
 */
export function realModelWorld(folder: string, cwd: string): ModelWorld {
  return {
    environment: process.env,
    folder,
    cwd,
    random: Math.random,
    sleep: (seconds, signal) => wait(seconds * 1000, undefined, signal === undefined ? {} : { signal }),
    now: () => performance.now() / 1000,
    wallClock: Date.now,
  };
}
