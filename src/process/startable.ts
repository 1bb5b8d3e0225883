import { statSync } from 'node:fs';
import { findCommand } from './find-command.js';

/** A command as it can be started, or one sentence that says why it cannot. */
export type Startable =
  | { readonly kind: 'found'; readonly file: string; readonly args: readonly string[] }
  | { readonly kind: 'cannot-start' | 'argument-too-long'; readonly message: string };

/** Linux takes at most this many bytes in one argument, its final NUL not counted. */
const argumentLimit = 131_071;

/**
 * Whether the system could start this command: its folder, its program on the child's PATH, the size of each argument
 * (field case W3). Looked at before anything is started, so that "cannot start" is never taken for a run (decision 25).
 */
export function findStartable(
  argv: readonly string[],
  place: { readonly cwd: string; readonly path: string | undefined },
): Startable {
  if (statSync(place.cwd, { throwIfNoEntry: false })?.isDirectory() !== true) {
    return { kind: 'cannot-start', message: `The folder to run in does not exist: ${place.cwd}.` };
  }
  const [name = '', ...args] = argv;
  const found = findCommand(name, place);
  if (found.kind !== 'found') return { kind: 'cannot-start', message: found.message };
  const tooLong = process.platform === 'linux' ? args.map(byteLength).find((size) => size > argumentLimit) : undefined;
  if (tooLong === undefined) return { kind: 'found', file: found.file, args };
  return {
    kind: 'argument-too-long',
    message: argumentTooLong(
      `One argument of the command has ${tooLong} bytes, and this system takes ${argumentLimit}`,
    ),
  };
}

/** The sentence for arguments that are too long for the system: what is, and what to do. */
export function argumentTooLong(what: string): string {
  return `${what}: set "stdin": "prompt" for this party, so that the prompt is sent on stdin.`;
}

/** The bytes of a text as an argument. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text);
}
