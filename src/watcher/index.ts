export { loadWatcherConfig, type Surroundings } from './config/load.js';
export type { MirrorTarget, PartySettings, WatcherConfig } from './config/watcher-config.js';
export {
  type Cause,
  type Concern,
  type Decision,
  decide,
  type PartyRule,
  type Signal,
  type WatchRules,
} from './decide.js';
export { type Attempt, emptyMemory, type Memory } from './memory.js';
export type { RunEvent } from './tick/invoking.js';
export { type TickResult, tick } from './tick/tick.js';
export type { TickWorld } from './tick/ticking.js';
