/** Where the channel lies and what stands around it: all that a plan needs to know of this machine. */
export interface Place {
  /** The channel's root, absolute, symbolic links resolved. */
  readonly root: string;
  /** Its id in the named layout; empty in the plain one. */
  readonly channelId: string;
  readonly channelName: string;
  /** False where `debate init` has yet to make it. */
  readonly exists: boolean;
  /** True where the channel pins a check called `tests` already. */
  readonly hasTestsCheck: boolean;
  /** The git repository that the parties work on, absolute; undefined outside one. */
  readonly project: string | undefined;
  /** The folder in which a person's sessions run, and woken agents that have no worktree. */
  readonly workFolder: string;
  /** What makes a fresh checkout of the project ready, such as `npm ci`. */
  readonly setup: readonly string[] | undefined;
  /** The absolute path of this machine's config; what belongs to it lies beside it. */
  readonly config: string;
  /** The absolute paths of node and of the tool's main file. */
  readonly node: string;
  readonly tool: string;
  /** How an agent's shell starts the tool. */
  readonly cli: readonly string[];
  readonly codexHome: string;
  readonly copilotHome: string;
  /** The line that keeps git from tracking the channel, and the file it belongs into; undefined where none is needed. */
  readonly exclude: { readonly file: string; readonly line: string } | undefined;
  /** The text of a file as it stands, or undefined where there is none. */
  readonly textOf: (path: string) => string | undefined;
}
