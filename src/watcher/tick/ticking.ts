import type { RunFiles } from '../../process/run-files.js';
import type { Channel } from '../../protocol/channel.js';
import type { World } from '../../protocol/world.js';
import type { WatcherConfig } from '../config/watcher-config.js';
import type { MemoryFile } from '../memory-file.js';
import type { RunEvent } from './invoking.js';
import type { Mirroring } from './mirror.js';

/** What a tick needs of the world around it. */
export interface TickWorld {
  readonly world: World;
  /** What commands inherit. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where the mirror `stdout` goes. */
  readonly writeOut: (text: string) => void;
  /** Aborts a run that is under way, with the reason that is recorded. */
  readonly signal?: AbortSignal;
  /** Cuts the grace of a run that is being ended short. */
  readonly hurry?: AbortSignal;
  readonly tell?: (event: RunEvent) => void;
  /** Asks for the right to run one more agent; undefined when too many run already. Called when it is done. */
  readonly takeSlot?: () => (() => void) | undefined;
}

/** One tick under way: what its steps work with. */
export interface Ticking {
  readonly channel: Channel;
  readonly config: WatcherConfig;
  readonly around: TickWorld;
  readonly memory: MemoryFile;
  readonly files: RunFiles;
  readonly mirroring: Mirroring;
  readonly failures: string[];
}

/** The time of this tick's world, in milliseconds since 1970. */
export function nowMs({ around }: Ticking): number {
  return around.world.machine.now().getTime();
}
