import { isAbsolute, join, resolve } from 'node:path';

const ABSOLUTE_ONCE_FILLED = /^(?:\$\{[A-Za-z_][A-Za-z0-9_]*\}|\{(?:channel_root|worktree|git_dir|git_common_dir)\})/;

/** A path as a person writes it, made absolute: `~` is the home, relative means from the folder of the config file. */
export function absolutePath(written: string, folder: string, home: string): string {
  if (written === '~') return home;
  return written.startsWith('~/') ? join(home, written.slice(2)) : resolve(folder, written);
}

/** The same for a path that is filled later: one that begins with what will be absolute then stays as it is. */
export function fillablePath(written: string, folder: string, home: string): string {
  return ABSOLUTE_ONCE_FILLED.test(written) ? written : absolutePath(written, folder, home);
}

/**
 * The program of an argv: one given by a relative path is meant from the folder of the config file, wherever the
 * command will run; a bare name is looked up on a PATH.
 */
export function absoluteProgram(written: string, folder: string, home: string): string {
  const isPath = written.includes('/') && !isAbsolute(written);
  return isPath ? fillablePath(written, folder, home) : written;
}
