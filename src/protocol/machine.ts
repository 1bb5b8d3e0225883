import { randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** What the shell knows of clock, chance and processes; passed in, so that a test can say what they are. */
export interface Machine {
  readonly pid: number;
  readonly host: string;
  /** What this process is, for messages. */
  readonly command: string;
  now(): Date;
  /** Milliseconds that only go forward. */
  monotonicMs(): number;
  /** In [0, 1). */
  random(): number;
  /** `bytes` random bytes as hex. */
  randomHex(bytes: number): string;
  /** Blocks this thread: the critical section has no event loop to yield to. */
  sleepMs(ms: number): void;
  /** Differs after a restart of the machine; empty where it cannot be told. */
  bootId(): string;
  /** Start time of a process, undefined when there is none, empty where it cannot be told (no `/proc`). */
  startOf(pid: number): string | undefined;
}

/** This machine. Boot id and start times come from `/proc`; elsewhere a signal 0 tells only whether a process lives. */
export const thisMachine: Machine = {
  pid: process.pid,
  get host() {
    return hostname();
  },
  command: `debate ${process.argv[2] ?? ''}`.trim(),
  now: () => new Date(),
  // Node loads a dozen files for `performance`.
  monotonicMs: () => {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1000 + nanoseconds / 1e6;
  },
  random: () => Math.random(),
  randomHex: (bytes) => randomBytes(bytes).toString('hex'),
  sleepMs: (ms) => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  },
  bootId: () => {
    try {
      return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`;
    } catch {
      return '';
    }
  },
  startOf: (pid) => {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
      return fields[0] === 'Z' ? undefined : (fields[19] ?? '');
    } catch {
      return isAlive(pid) ? '' : undefined;
    }
  },
};

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** A time as the record writes it: UTC, whole seconds, `+00:00` (DESIGN.md 4.1). */
export function recordTime(time: Date): string {
  return `${time.toISOString().slice(0, 19)}+00:00`;
}
