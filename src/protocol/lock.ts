import {
  mkdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { lockSync, unlockSync } from 'proper-lockfile';
import { Refusal } from './core/refusal.js';
import { errnoOf } from './disk.js';
import type { Machine } from './machine.js';

/** What is locked: the file that names it, the lock itself, and the note beside it that says who holds it. */
export interface LockPlace {
  readonly config: string;
  readonly lock: string;
  readonly lockOwner: string;
}

/** The writer's lock (DESIGN.md 6): it keeps writers from racing for nothing, and nothing depends on it. */
export interface Lock {
  /** Runs `work` with the lock held; refuses `locked`, naming the holder, when it cannot be had in time. */
  hold<T>(place: LockPlace, work: () => T): T;
}

/** Age after which a lock counts as left behind, in milliseconds. */
const STALE_MS = 10_000;
/** How long a writer waits for one holder: a little longer than the stale time, so that a crash costs no refusal. */
const WAIT_MS = 12_000;
/** How many times as long a writer waits while others come and go before it. */
const QUEUE_WAITS = 5;

/** What `<lock>.owner` says about who holds it (decisions.md 14). */
interface Owner {
  readonly pid: number;
  readonly started: string;
  readonly boot: string;
  readonly host: string;
  readonly command: string;
  /** Identity of the lock that this note belongs to. */
  readonly lock: string;
}

/**
 * The lock by `proper-lockfile`, taken and released within one synchronous section. `waitMs` is how long one holder is waited for: waiting
 * blocks the whole process, so one that serves many channels waits shorter and comes again.
 */
export function fileLock(machine: Machine, onWait?: (holder: string) => void, waitMs = WAIT_MS): Lock {
  return {
    hold(paths, work) {
      const release = acquire(paths, machine, onWait, waitMs);
      try {
        return work();
      } finally {
        release();
      }
    },
  };
}

function acquire(
  paths: LockPlace,
  machine: Machine,
  onWait: ((holder: string) => void) | undefined,
  waitMs: number,
): () => void {
  const began = machine.monotonicMs();
  let heldSince = began;
  let holder = identityOf(paths.lock);
  for (let attempt = 0; ; attempt++) {
    const taken = tryAcquire(paths, machine);
    if (taken) return taken;
    takeFromTheDead(paths, machine);
    const now = machine.monotonicMs();
    const current = identityOf(paths.lock);
    // Another holder: writers get on, so that nobody in the queue is refused because it is long.
    if (current !== holder) heldSince = now;
    holder = current;
    if (now - heldSince > STALE_MS) takeFromTheFuture(paths, machine, holder);
    if (now - heldSince > waitMs || now - began > QUEUE_WAITS * waitMs)
      throw locked(paths, readOwner(paths), now - began);
    if (attempt === 20) onWait?.(describe(readOwner(paths)));
    machine.sleepMs(Math.min(20 * 1.5 ** Math.min(attempt, 6), 250) * (0.5 + machine.random()));
  }
}

function tryAcquire(paths: LockPlace, machine: Machine): (() => void) | undefined {
  let mine: string | undefined;
  // proper-lockfile removes what it has registered, also at exit and without looking: let it remove only our own.
  const guarded = {
    mkdirSync,
    realpathSync,
    statSync,
    utimesSync,
    rmdirSync: (path: string) => {
      if (mine === undefined || identityOf(path) === mine) rmdirSync(path);
    },
  };
  // Its table is per file: keyed by the config, two channels in one folder do not collide.
  const options = { lockfilePath: paths.lock, realpath: false, stale: STALE_MS, fs: guarded };
  try {
    lockSync(paths.config, { ...options, onCompromised: () => undefined });
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ELOCKED') return undefined;
    throw code === 'ENOTDIR' ? lockIsAFile(paths) : notLockable(paths, code);
  }
  mine = identityOf(paths.lock);
  writeOwner(paths, machine, mine);
  return () => {
    removeOwner(paths, mine);
    try {
      unlockSync(paths.config, options);
    } catch {
      // Somebody took it over while this process was paused: the record's fence has judged already.
    }
  };
}

/** A holder of this machine and boot that is provably dead gives its lock up at once. */
function takeFromTheDead(paths: LockPlace, machine: Machine): void {
  const owner = readOwner(paths);
  const lock = identityOf(paths.lock);
  if (!owner || owner.lock !== lock || owner.host !== machine.host || owner.boot !== machine.bootId()) return;
  const started = machine.startOf(owner.pid);
  // An empty start time means that it cannot be told: then only the stale time helps.
  const isAnother = started !== undefined && started !== '' && owner.started !== '' && started !== owner.started;
  if (started !== undefined && !isAnother) return;
  // One that released it in order and then ended has taken its note away first: the lock is another's by now.
  if (readOwner(paths)?.pid === owner.pid) takeAway(paths, lock);
}

/** A lock that nobody says is his and that is dated in the future, by a clock that was set back, would not grow old for that long. */
function takeFromTheFuture(paths: LockPlace, machine: Machine, lock: string | undefined): void {
  if (readOwner(paths)?.lock === lock) return;
  const modified = statSync(paths.lock, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (modified > machine.now().getTime() + STALE_MS) takeAway(paths, lock);
}

/** Removes a lock that was left behind, and no other that has taken its place. */
function takeAway(paths: LockPlace, lock: string | undefined): void {
  try {
    if (identityOf(paths.lock) === lock) rmdirSync(paths.lock);
  } catch {
    // Somebody else was faster.
  }
}

/** A lock's identity. Not by its modification time, which the lock library sets to a whole second: inodes are used again. */
function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? `${found.ino}:${found.ctimeMs}` : undefined;
}

function writeOwner(paths: LockPlace, machine: Machine, lock: string | undefined): void {
  const owner = {
    pid: machine.pid,
    started: machine.startOf(machine.pid) ?? '',
    boot: machine.bootId(),
    host: machine.host,
    command: machine.command,
    lock,
  };
  try {
    writeFileSync(paths.lockOwner, JSON.stringify(owner));
  } catch {
    // It only makes messages better and a takeover faster.
  }
}

function removeOwner(paths: LockPlace, lock: string | undefined): void {
  try {
    if (readOwner(paths)?.lock === lock) unlinkSync(paths.lockOwner);
  } catch {
    // As above.
  }
}

function readOwner(paths: LockPlace): Owner | undefined {
  try {
    const value = JSON.parse(readFileSync(paths.lockOwner, 'utf8')) as Partial<Owner>;
    const { pid, started = '', boot = '', host = '', command = '', lock = '' } = value;
    return typeof pid === 'number' ? { pid, started, boot, host, command, lock } : undefined;
  } catch {
    return undefined;
  }
}

function describe(owner: Owner | undefined): string {
  return owner ? `process ${owner.pid} on ${owner.host} (${owner.command})` : 'another process';
}

function locked(paths: LockPlace, owner: Owner | undefined, waitedMs: number): Refusal {
  return new Refusal({
    code: 'locked',
    message: `${paths.lock} could not be had in ${Math.round(waitedMs / 1000)} seconds; it is held by ${describe(owner)}. Nothing was written.`,
    hint: 'Try again; if nobody is writing, `debate repair` removes what a dead writer left.',
  });
}

function lockIsAFile(paths: LockPlace): Refusal {
  return new Refusal({
    code: 'locked',
    message: `${paths.lock} is a file that another tool left behind; nothing was written.`,
    hint: 'Run `debate repair`, which removes it when it is old.',
  });
}

function notLockable(paths: LockPlace, code: string): Refusal {
  return new Refusal({
    code: 'not-written',
    message: `The lock ${paths.lock} cannot be made (${code || 'unknown error'}); nothing was written.`,
    hint: 'Check that the folder is writable and the disk is not full.',
  });
}
