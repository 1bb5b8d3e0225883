import type { RunFiles } from '../../process/run-files.js';
import type { Channel } from '../../protocol/channel.js';
import type { World } from '../../protocol/world.js';
import type { WatcherConfig } from '../config/watcher-config.js';
import type { Outcome } from '../memory.js';
import type { MemoryFile } from '../memory-file.js';

/** What one invocation needs. */
export interface Invoking {
  readonly world: World;
  readonly channel: Channel;
  readonly config: WatcherConfig;
  readonly memory: MemoryFile;
  readonly files: RunFiles;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Aborts the run, with the reason that is recorded. */
  readonly signal: AbortSignal | undefined;
  /** Cuts the grace of a run that is being ended short. */
  readonly hurry: AbortSignal | undefined;
  /** Told when the agent starts and how it ends. */
  readonly tell: (event: RunEvent) => void;
}

/** What happens to a run, for people who watch. */
export type RunEvent =
  | {
      readonly kind: 'started';
      readonly party: string;
      readonly seq: number;
      readonly attempt: 1 | 2;
      readonly log: string;
    }
  | {
      readonly kind: 'ended';
      readonly party: string;
      readonly seq: number;
      readonly outcome: Outcome;
      readonly detail: string;
    };
