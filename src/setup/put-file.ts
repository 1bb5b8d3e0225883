import { chmodSync, existsSync, mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { PlannedFile } from './plan.js';

/**
 * Puts a planned file in place as a whole, with the folders above it. A file that is there keeps its mode, and a link to it
 * stays a link: people keep their settings elsewhere. Throws the disk's error; then the old file stands.
 */
export function putFile({ path, text, isPrivate }: PlannedFile): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const target = existsSync(path) ? realpathSync(path) : path;
  const mode = existsSync(target) ? statSync(target).mode & 0o777 : isPrivate ? 0o600 : 0o644;
  const temporary = `${target}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text, { flag: 'wx', mode });
    // What the process's mask took away is given back: the mode is the old file's, or what we promise.
    chmodSync(temporary, mode);
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
