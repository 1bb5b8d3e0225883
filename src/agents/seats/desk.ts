import type { Channel } from '../../protocol/channel.js';
import type { Decision, EntryType, Trailer } from '../../protocol/core/words.js';
import type { Model } from '../model.js';
import type { ModelSettings } from '../models/schema.js';
import type { CheckRun } from '../review/reviewer-check.js';
import type { Trace } from '../trace.js';
import type { Quoting } from './quote.js';
import type { SpeakerSettings } from './speaker.js';
import type { Turn } from './turn.js';

/** A pinned check that ran, or why it did not, and the tool's own record of it (DESIGN.md 5, rule 8). */
export interface SeatCheck {
  readonly name: string;
  readonly run: CheckRun;
  /** The value of the trailer `Debate-Check`; undefined where the check did not run. */
  readonly record: string | undefined;
}

/** What a seat works with while it answers a turn. */
export interface Desk {
  readonly channel: Channel;
  readonly turn: Turn;
  /** Opens a model by its name in `models`, with what the seat says of it. Its calls go into the transcript. */
  readonly open: (speaker: SpeakerSettings & { readonly model: string }) => Promise<Model>;
  readonly modelSettings: (name: string) => ModelSettings;
  /** The repository of the channel's citations. Refuses `could-not-check` when there is none. */
  readonly project: () => string;
  /** The worktree in which the seat runs, if the watcher made one. */
  readonly worktree: string;
  /** Runs a pinned check at a commit, once; later calls get the same run. */
  readonly check: (name: string, commit: string) => Promise<SeatCheck>;
  /** The pinned checks that a post of a type must carry, by the channel's rules, and those that the seat names. */
  readonly checkNames: (type: EntryType, named: readonly string[]) => readonly string[];
  readonly signal: AbortSignal;
  /** The clock of traces, in milliseconds since 1970. */
  readonly clock: () => number;
  /** The warning about a reviewer and a builder of one model, if there is one. */
  readonly sameModel: string | undefined;
}

/** What a seat has to say: one entry, before it is posted. */
export interface SeatAnswer {
  readonly type: EntryType;
  /** Empty for none. */
  readonly refs: string;
  readonly decision?: Decision | undefined;
  /** Asks the supervisor (`Debate-Ask`). */
  readonly ask?: boolean | undefined;
  readonly checks: readonly SeatCheck[];
  /** The body without its trailers. */
  readonly body: (quoting: Quoting) => string;
  /** The author's trailers, after those that name the seat. */
  readonly trailers: readonly Trailer[];
  /** What was done; undefined where no executor ran. */
  readonly trace: Trace | undefined;
}
