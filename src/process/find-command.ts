import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import { basename, isAbsolute, resolve } from 'node:path';

/** Where a command is looked for. */
export interface CommandPlace {
  /** The PATH of the process that will run it, which is not always ours; undefined when it has none. */
  readonly path: string | undefined;
  /** The folder it will run in: names with a slash and relative parts of PATH are relative to it. */
  readonly cwd: string;
}

/** A command that can be started, or why it cannot. */
export type FoundCommand = { readonly kind: 'found'; readonly file: string } | CommandProblem;

/** Why a command cannot be started; `message` is one sentence that names what was looked for and where. */
export interface CommandProblem {
  readonly kind: 'not-found' | 'not-executable' | 'no-interpreter';
  readonly message: string;
}

/**
 * Finds the program that `argv[0]` names, as the system would, without a shell and without starting anything. It is
 * looked for before a child is started, so that "cannot start" is never confused with an exit code of 127
 * that the agent itself returned (decision 25). A script is found only if its interpreter is: under cron's PATH it
 * is usually `node` that is missing, not the harness (field case W7).
 */
export function findCommand(name: string, place: CommandPlace): FoundCommand {
  const found = findProgram(name, place);
  if (found.kind !== 'found') return found;
  const shebang = parseShebang(readHead(found.file));
  if (shebang === undefined) return found;
  for (const interpreter of [shebang.interpreter, ...(shebang.program === undefined ? [] : [shebang.program])]) {
    if (findProgram(interpreter, place).kind === 'found') continue;
    const where = interpreter.includes('/') ? '' : ` on ${describePath(place.path)}`;
    const message = `${found.file} needs ${JSON.stringify(interpreter)}, which was not found${where}.`;
    return { kind: 'no-interpreter', message };
  }
  return found;
}

/**
 * The absolute path of a command that can be started from the absolute folders of a PATH, or undefined: for who asks what a machine
 * has, and not what one run would find in its folder. A command given by an absolute path is tried as it is.
 */
export function commandOnPath(name: string, path: string | undefined): string | undefined {
  const folders = (path ?? '').split(':').filter((folder) => isAbsolute(folder));
  const found = findCommand(name, { path: folders.join(':'), cwd: '/' });
  return found.kind === 'found' ? found.file : undefined;
}

/**
 * What the first line of a script asks for: its interpreter, and with `#!/usr/bin/env NAME` the program that is then
 * looked for on PATH. Undefined when the text begins with no such line.
 */
export function parseShebang(head: string): { readonly interpreter: string; readonly program?: string } | undefined {
  const found = /^#![ \t]*([^ \t\n]+)([^\n]*)/.exec(head);
  const [, interpreter, rest = ''] = found ?? [];
  if (interpreter === undefined) return undefined;
  if (basename(interpreter) !== 'env') return { interpreter };
  const program = rest.split(/[ \t]+/).find((word) => word !== '' && !word.startsWith('-') && !word.includes('='));
  return program === undefined ? { interpreter } : { interpreter, program };
}

function findProgram(name: string, place: CommandPlace): FoundCommand {
  if (name === '') return { kind: 'not-found', message: 'The command is empty.' };
  if (name.includes('\0')) return { kind: 'not-found', message: 'The name of the command holds a NUL.' };
  const folders = name.includes('/') ? ['.'] : (place.path ?? '').split(':');
  const candidates = folders.map((folder) => resolve(place.cwd, folder === '' ? '.' : folder, name));
  const files = name.includes('/') || place.path ? candidates.filter(isFile) : [];
  const file = files.find(isExecutable);
  if (file !== undefined) return { kind: 'found', file };
  if (files[0] !== undefined) {
    return { kind: 'not-executable', message: `${files[0]} is not executable: chmod +x it, or name its interpreter.` };
  }
  const where = name.includes('/') ? ` in ${place.cwd}` : ` on ${describePath(place.path)}`;
  return { kind: 'not-found', message: `${name}: not found${where}.` };
}

function describePath(path: string | undefined): string {
  return path === undefined || path === '' ? 'PATH, which is not set' : `PATH=${path}`;
}

function isFile(file: string): boolean {
  try {
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function readHead(file: string): string {
  try {
    const handle = openSync(file, 'r');
    try {
      const bytes = Buffer.alloc(512);
      return bytes.toString('latin1', 0, readSync(handle, bytes, 0, bytes.length, 0));
    } finally {
      closeSync(handle);
    }
  } catch {
    // A program may be executable and yet not readable; then it is no script that we could judge.
    return '';
  }
}
