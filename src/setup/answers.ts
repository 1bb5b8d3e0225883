import type { HarnessName } from '../harness/harnesses.js';
import type { Role } from '../harness/role.js';

/** `other`: a harness that setup has no preset for; the party takes its turns by itself. */
export type SeatHarness = HarnessName | 'other';

/** Who drives a seat: the watcher alone, a person's session alone, or the watcher once that session has let it wait. */
export const SEAT_MODES = ['headless', 'live', 'fallback'] as const;

/** One of them. */
export type SeatMode = (typeof SEAT_MODES)[number];

/** How long a live session may let its turn wait before the watcher wakes the party headless, in seconds (issue 5). */
export const FALLBACK_SECONDS = 600;

/** One seat as it shall be. */
export interface Seat {
  readonly role: Role;
  readonly party: string;
  readonly harness: SeatHarness;
  readonly mode: SeatMode;
  readonly model: string | undefined;
}

/** Everything that the interview asks, complete. */
export interface Answers {
  readonly supervisor: string;
  /** The builder's seat, then the reviewer's. */
  readonly seats: readonly [Seat, Seat];
  /** The argv that runs the project's tests, to be pinned as the check `tests`; undefined for none. */
  readonly tests: readonly string[] | undefined;
}

/** What was said of a seat, on the command line or in the interview. */
export interface GivenSeat {
  readonly harness?: SeatHarness;
  readonly mode?: SeatMode;
  readonly model?: string;
}

/** What was said so far; what is missing is asked for, or taken from what was found. */
export interface Given {
  /** The builder's name, then the reviewer's. */
  readonly parties?: readonly string[];
  readonly supervisor?: string;
  readonly builder: GivenSeat;
  readonly reviewer: GivenSeat;
  /** One line, split at blanks; false for no tests. */
  readonly tests?: string | false;
}

/** What was found on this machine and in this project, from which the defaults come. */
export interface Found {
  /** Harnesses whose program is on the PATH, in our order. */
  readonly harnesses: readonly HarnessName[];
  /** The channel's parties and supervisor where there is one already. */
  readonly channel: { readonly parties: readonly [string, string]; readonly supervisor: string } | undefined;
  /** How this kind of project runs its tests. */
  readonly tests: readonly string[] | undefined;
}
