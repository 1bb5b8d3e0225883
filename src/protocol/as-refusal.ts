import { type Objection, Refusal } from './core/refusal.js';

/** What to tell of anything that was thrown: a refusal as it is, a failed disk call and a fault of the tool in a sentence. */
export function asRefusal(error: unknown): Objection {
  if (error instanceof Refusal) return error;
  const known = error as NodeJS.ErrnoException;
  if (known instanceof Error && known.syscall === 'uv_cwd')
    return {
      code: 'could-not-check',
      message: 'The folder that this command was started in is gone.',
      hint: 'Change to another one and run the command again.',
    };
  if (known instanceof Error && typeof known.code === 'string' && typeof known.syscall === 'string')
    return {
      code: 'could-not-check',
      message: `${known.path ?? 'The disk'} could not be used (${known.code}).`,
      hint: 'Check the permissions, the free space and the disk, then run the command again.',
    };
  return {
    code: 'could-not-check',
    message: `Something unexpected happened: ${error instanceof Error ? error.message : String(error)}`,
    hint: 'This is a fault of the tool; please report it with the command that you ran.',
  };
}
