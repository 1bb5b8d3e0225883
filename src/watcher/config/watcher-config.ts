/**
 * `watcher.json`, read and resolved: every path absolute, every default filled in, the flat keys and the fuller form
 * made one. It is plain data; the functions that use it are `fill` and `expand` (placeholders), `childEnvironment`,
 * and the watcher's own.
 */
export interface WatcherConfig {
  /** The absolute path of the config file. */
  readonly path: string;
  /** The folder of the config file, against which everything relative in it was resolved. */
  readonly folder: string;
  /** The absolute root of the channel, symbolic links resolved. */
  readonly root: string;
  readonly channelName: string;
  /** Unique to this channel on this machine; names units, labels and folders. */
  readonly channelKey: string;
  /** The file of the watcher's memory; outside `root`. */
  readonly statePath: string;
  /** The folder of `statePath`, for logs and worktrees. */
  readonly stateFolder: string;
  /** What `env_file` sets; empty without one. Every value may be a secret. */
  readonly envFile: Readonly<Record<string, string>>;
  /** Every party that the config names. One that is not here, or has no command, is never woken. */
  readonly parties: Readonly<Record<string, PartySettings>>;
  readonly mirror: readonly MirrorTarget[];
  readonly mirrorBody: 'summary' | 'full';
  readonly budget: Budget;
  /** How long a turn may stand before it is escalated. */
  readonly staleSeconds: number;
  /** A cron expression of five fields, in UTC for the daemon. */
  readonly schedule: string;
  readonly maxConcurrentAgents: number;
  /** As written; the schemas of models and seats read them. */
  readonly models: Readonly<Record<string, unknown>>;
  readonly seats: Readonly<Record<string, unknown>>;
}

/** How one party is woken. */
export interface PartySettings {
  readonly party: string;
  /**
   * The pinned argv, never empty, placeholders not yet filled; undefined if the party is never woken. A program given
   * by a relative path is already absolute; one given by a bare name is looked up on the child's PATH.
   */
  readonly command: readonly string[] | undefined;
  /** The pinned prompt, placeholders not yet filled. */
  readonly prompt: string | undefined;
  /** `prompt`: the filled prompt, then end-of-file. `none`: end-of-file at once. */
  readonly stdin: 'prompt' | 'none';
  /** Placeholders not yet filled; absolute once they are. */
  readonly cwd: string;
  /** Placeholders and `${NAME}` not yet filled: `childEnvironment` does both. */
  readonly env: Readonly<Record<string, string>>;
  /** The names that the command inherits; undefined for all. */
  readonly envPassthrough: readonly string[] | undefined;
  readonly debounceSeconds: number;
  readonly retrySeconds: number;
  readonly timeoutSeconds: number;
  readonly graceSeconds: number;
  readonly worktree: WorktreeSettings | undefined;
  /** Names of pinned checks of the channel that run before the party is woken. */
  readonly checksBefore: readonly string[];
}

/** The git worktree of a run: a bare look at a commit, or a branch that the agent commits on. */
export type WorktreeSettings =
  | { readonly kind: 'detached' }
  | {
      readonly kind: 'branch';
      /** Placeholders not yet filled. */
      readonly branch: string;
      /** An argv that prepares a new worktree. */
      readonly setup: readonly string[] | undefined;
    };

/** Where entries are copied. `key` names the target in the watcher's memory, whatever its place in the list. */
export type MirrorTarget =
  | { readonly kind: 'stdout'; readonly key: string }
  | { readonly kind: 'file'; readonly key: string /** `${NAME}` not yet filled. */; readonly path: string }
  | {
      readonly kind: 'command';
      readonly key: string /** `${NAME}` not yet filled. */;
      readonly command: readonly string[];
    }
  | { readonly kind: 'webhook'; readonly key: string /** `${NAME}` not yet filled. */; readonly url: string };

/** How often agents may be woken, whatever threads they open. */
interface Budget {
  readonly maxInvocationsPerHour: number;
  /** Undefined: twice the cap of the thread. */
  readonly maxInvocationsPerThread: number | undefined;
}

/** What holds where the config is silent (seconds). */
export const DEFAULTS = {
  debounceSeconds: 0,
  retrySeconds: 1800,
  timeoutSeconds: 1800,
  graceSeconds: 10,
  // A whole run, its retry's wait and a second run fit into it, and a person's long lunch.
  staleSeconds: 7200,
  maxInvocationsPerHour: 12,
  schedule: '* * * * *',
  maxConcurrentAgents: 4,
} as const;
