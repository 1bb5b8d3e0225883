import { Refusal } from './core/refusal.js';
import { errnoOf } from './disk.js';

/** A file or folder that cannot be read (field case L7). `hint` says what to do now, where permissions are not the likeliest. */
export function unreadable(path: string, error: unknown, hint?: string): Refusal {
  const code = errnoOf(error);
  return new Refusal({
    code: 'unreadable',
    message: `${path} cannot be read${code ? ` (${code})` : ''}.`,
    hint:
      hint ??
      (code === 'EISDIR'
        ? 'A folder stands where a file belongs: move it away.'
        : 'Check the permissions of it and of the folders above it.'),
  });
}
