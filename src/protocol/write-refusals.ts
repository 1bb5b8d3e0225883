import type { Channel } from './channel.js';
import { Refusal } from './core/refusal.js';
import type { State } from './core/state.js';
import { errnoOf } from './disk.js';
import { ShortWrite } from './file.js';

/** The entry is not in the mailbox, or a part of it that counts for nothing. */
export function notWritten(number: number, error: unknown): Refusal {
  const code = errnoOf(error) || 'unknown error';
  const isTorn = error instanceof ShortWrite && error.written > 0;
  return new Refusal({
    code: 'not-written',
    message: isTorn
      ? `Only ${error.written} of ${error.wanted} bytes of MSG-${number} could be written; what is there is void.`
      : `MSG-${number} could not be written (${code}).`,
    hint: 'Free space on the disk, or make the mailbox writable, then post again.',
  });
}

/** Another writer's claim to the number came first. */
export function lostRace(number: number, state: State): Refusal {
  return new Refusal({
    code: 'lost-race',
    message: `Another writer was first: the MSG-${number} of this draft is void, and the record is at MSG-${state.seq} now.`,
    hint: 'Read the channel again with `debate read`; post again only if it is still your turn.',
  });
}

/** Refused by every command that writes (format.md 3). */
export function brokered(channel: Channel): Refusal {
  return new Refusal({
    code: 'brokered',
    message: `The channel at ${channel.paths.root} is brokered by another program ("managed_version": 2).`,
    hint: 'It can be read and verified here; write to it through that program.',
  });
}
