import { accessSync, constants, existsSync, statfsSync, statSync, unlinkSync, watch, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { runProgram } from '../schedule/run-program.js';

// The name ends in .tmp, which a channel's .gitignore leaves out, and belongs to this process alone.
const PROBE = `.doctor-${process.pid}.tmp`;

/** What trying to write into a folder showed. */
export interface WriteProbe {
  /** Why it cannot be written to. */
  readonly reason: string | undefined;
  /** The time that the disk gave the file. */
  readonly writtenAt: Date | undefined;
}

/**
 * Writes a file into a folder and removes it again. Of a folder that is not there yet, the nearest one above it that
 * exists is tried: there it will be made.
 */
export function probeWrite(folder: string): WriteProbe {
  const path = join(nearestFolder(folder), PROBE);
  try {
    writeFileSync(path, 'x');
    return { reason: undefined, writtenAt: statSync(path).mtime };
  } catch (error) {
    return { reason: (error as Error).message, writtenAt: undefined };
  } finally {
    removeIfThere(path);
  }
}

/** Why a mirror cannot append to a file, or undefined where it can. Its folder must be there: mirroring makes none. */
export function probeAppend(file: string): string | undefined {
  try {
    if (!existsSync(file))
      return existsSync(dirname(file)) ? probeWrite(dirname(file)).reason : 'its folder is not there';
    if (statSync(file).isDirectory()) return 'it is a folder';
    accessSync(file, constants.W_OK);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Whether a change in a folder is announced within `seconds`, as the daemon hopes. False if it cannot be tried. */
export async function probeFileEvents(folder: string, seconds: number): Promise<boolean> {
  const path = join(folder, PROBE);
  const done = new AbortController();
  try {
    const watcher = watch(folder, { signal: done.signal });
    const arrived = new Promise<boolean>((resolve) => {
      watcher.on('change', () => resolve(true)).on('error', () => resolve(false));
    });
    writeFileSync(path, 'x');
    return await Promise.race([arrived, wait(seconds * 1000, false, { signal: done.signal })]);
  } catch {
    return false;
  } finally {
    done.abort();
    removeIfThere(path);
  }
}

/** The bytes that this user may still write at a folder, or at the nearest one above it that exists. */
export function probeDiskSpace(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(nearestFolder(folder));
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

/** What `git --version` says, or undefined if it cannot be run. */
export async function probeGit(environment: Readonly<Record<string, string | undefined>>): Promise<string | undefined> {
  const result = await runProgram(['git', '--version'], environment);
  return result.exitCode === 0 ? result.stdout.trim() : undefined;
}

function nearestFolder(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearestFolder(dirname(folder));
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It could not be written either, and that is what is told.
  }
}
