import type { Channel } from '../../protocol/channel.js';
import type { Woken } from '../../protocol/core/wake.js';
import type { World } from '../../protocol/world.js';
import type { Environment } from '../models/world.js';
import type { SeatCheck } from './desk.js';
import type { AgentSettings } from './read-settings.js';
import type { DebateVariant, SeatKind } from './schema.js';

/** What a seat needs from outside. */
export interface Seating {
  readonly world: World;
  readonly channel: Channel;
  readonly party: string;
  readonly woken: Woken | undefined;
  readonly kind: SeatKind;
  /** Of a debating seat: the variant, instead of the one in its settings. */
  readonly variant: DebateVariant | undefined;
  readonly settings: AgentSettings;
  /** The folder of the configuration, against which paths in it resolve. */
  readonly configFolder: string;
  /** The folder of the watcher's memory. */
  readonly stateFolder: string;
  /** The worktree that the watcher made for this run (`DEBATE_WORKTREE`). */
  readonly worktree: string | undefined;
  /** The current folder. */
  readonly folder: string;
  /** Where `${NAME}` in the settings of models is looked up, and what harnesses inherit. */
  readonly environment: Environment;
  /** The pinned command of the other party, for the warning about one model in both seats. */
  readonly otherCommand: readonly string[] | undefined;
  /** Runs a pinned check at a commit, or joins its run. */
  readonly runCheck: (name: string, commit: string, signal: AbortSignal) => Promise<Omit<SeatCheck, 'name'>>;
  readonly signal: AbortSignal;
}
