import type { Hashes } from './core/words.js';
import type { Disk } from './disk.js';
import type { Lock } from './lock.js';
import type { Machine } from './machine.js';

/** What a writer works with: passed in, so that a test can fail, crash and count every call. */
export interface World {
  readonly disk: Disk;
  readonly lock: Lock;
  readonly machine: Machine;
  readonly hashes: Hashes;
}
