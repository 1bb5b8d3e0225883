import { closeSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** What a live session of a party was told of: this entry. */
export interface Told {
  readonly party: string;
  readonly seq: number;
  /** The entry's hash: after a record went back, another entry of the same number is news. */
  readonly hash: string;
}

/** How many entries back the memory reaches. */
const KEPT = 16;

/**
 * True for the first caller alone, whatever number of sessions stop at the same moment: a file of its own for each
 * entry, created exclusively in the channel's state folder. Throws when the folder cannot be written: what cannot be
 * remembered must not be said, since it would be said again at every stop.
 */
export function tellOnce(folder: string, told: Told): boolean {
  const prefix = `${encodeURIComponent(told.party)}@`;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    closeSync(openSync(join(folder, `${prefix}${told.seq}-${told.hash.slice(0, 16)}`), 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  forget(folder, prefix, told.seq - KEPT);
  return true;
}

function forget(folder: string, prefix: string, upTo: number): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(prefix)) continue;
    const seq = Number(name.slice(prefix.length).split('-')[0]);
    if (seq <= upTo) rmSync(join(folder, name), { force: true });
  }
}
