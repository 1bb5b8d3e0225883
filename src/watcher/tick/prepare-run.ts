import { join } from 'node:path';
import { findStartable } from '../../process/startable.js';
import type { Channel } from '../../protocol/channel.js';
import { Refusal } from '../../protocol/core/refusal.js';
import type { Disk } from '../../protocol/disk.js';
import { projectOf } from '../../protocol/project.js';
import { type BranchRequest, openBranchTree, type TreeSetup } from '../../worktree/branch-tree.js';
import { makeDetachedTree, removeDetachedTree } from '../../worktree/detached-tree.js';
import { type ReadyTree, resolveCommit, type TreeProblem } from '../../worktree/tree.js';
import { childEnvironment } from '../config/child-environment.js';
import { fill, type PlaceholderValues } from '../config/placeholders.js';
import type { PartySettings, WatcherConfig } from '../config/watcher-config.js';
import type { Cause } from '../decide.js';
import type { SetUpTree } from './set-up-tree.js';

/** What a run is for. */
export interface RunFor {
  readonly runId: string;
  readonly thread: string;
  readonly seq: number;
  /** The commit that the thread's newest citation names, as its hex digits. */
  readonly cited: string | undefined;
}

/** A run that may be started: all that `startChild` needs to know of the command. */
export interface Prepared {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly prompt: string | undefined;
  /** To be called when the run is over; `failed` keeps a detached tree for a look. */
  readonly cleanUp: (failed: boolean) => Promise<void>;
}

/** A party's worktree on a branch, as `closeBranchTree` finds it again. */
type BranchTree = Pick<BranchRequest, 'project' | 'folder' | 'branch'>;

/** Why a run cannot be started. */
export interface NotPrepared {
  readonly cause: Extract<Cause, 'cannot-start' | 'no-such-commit'>;
  readonly what: string;
}

/** Trees of failed runs that are kept for a look. */
const KEPT_TREES = 3;

/**
 * What would keep a run from starting, found before it is claimed: a command that cannot start is not a run (issue of
 * back-off), and a citation that does not resolve is an escalation. Undefined when nothing does.
 */
export async function obstacle(
  disk: Disk,
  channel: Channel,
  config: WatcherConfig,
  settings: PartySettings,
  run: RunFor,
  inherited: Readonly<Record<string, string | undefined>>,
): Promise<NotPrepared | undefined> {
  const values = valuesOf(config, settings, run, undefined);
  const child = childEnvironment(config, settings, inherited, values);
  if (!child.ok) return missingVariables(child.missing);
  const argv = (settings.command ?? []).map((word) => fill(word, values));
  // The worktree is made once the run is claimed; until then the folder of the config stands for it.
  const cwd = settings.worktree ? config.folder : fill(settings.cwd, values);
  const found = findStartable(argv, { path: child.environment.PATH, cwd });
  if (found.kind !== 'found') return { cause: 'cannot-start', what: found.message };
  if (!settings.worktree) return undefined;
  const project = projectFor(disk, channel);
  if (typeof project !== 'string') return project;
  const commit = await resolveCommit(project, run.cited);
  return commit.kind === 'commit' ? undefined : fromTree(commit);
}

function projectFor(disk: Disk, channel: Channel): string | NotPrepared {
  try {
    const project = projectOf(disk, channel, undefined);
    if (project !== undefined) return project;
    return { cause: 'cannot-start', what: 'The party has a "worktree", and the channel has no project.' };
  } catch (error) {
    if (error instanceof Refusal) return { cause: 'cannot-start', what: error.message };
    throw error;
  }
}

/**
 * The tree of a branch that the run will work in, to be closed when its thread has. To be remembered before it is made: its setup may
 * fail, or this process be killed meanwhile.
 */
export function branchTreeFor(
  disk: Disk,
  channel: Channel,
  config: WatcherConfig,
  settings: PartySettings,
  run: RunFor,
): BranchTree | undefined {
  const project = settings.worktree?.kind === 'branch' ? projectFor(disk, channel) : undefined;
  return typeof project === 'string' ? branchTreeOf(config, settings, run, project) : undefined;
}

/** Fills the command, the environment and the prompt in, and makes the worktree where the party has one, with its setup. */
export async function prepareRun(
  disk: Disk,
  channel: Channel,
  config: WatcherConfig,
  settings: PartySettings,
  run: RunFor,
  inherited: Readonly<Record<string, string | undefined>>,
  setUp: SetUpTree,
): Promise<Prepared | NotPrepared> {
  const project = settings.worktree ? projectFor(disk, channel) : undefined;
  if (typeof project === 'object') return project;
  const setUpTree: TreeSetup['run'] = async (argv, made) => {
    const child = childEnvironment(config, settings, inherited, valuesOf(config, settings, run, made));
    return child.ok ? setUp(argv, made.path, child.environment) : missingVariables(child.missing).what;
  };
  const tree = project === undefined ? undefined : await makeTree(config, settings, run, project, setUpTree);
  if (tree && tree.kind !== 'ready') return fromTree(tree);
  const values = valuesOf(config, settings, run, tree);
  const child = childEnvironment(config, settings, inherited, values);
  if (!child.ok) return missingVariables(child.missing);
  return {
    argv: (settings.command ?? []).map((word) => fill(word, values)),
    cwd: fill(settings.cwd, values),
    env: { ...child.environment, ...debateVariables(channel, settings.party, run, tree) },
    prompt: settings.stdin === 'prompt' ? values.prompt : undefined,
    cleanUp: async (failed) => {
      if (tree && project !== undefined && settings.worktree?.kind === 'detached' && !failed)
        await removeDetachedTree(project, tree.path);
    },
  };
}

/** What binds the run to its turn (DESIGN.md 7, decisions.md 22). */
function debateVariables(
  channel: Channel,
  party: string,
  run: RunFor,
  tree: ReadyTree | undefined,
): Readonly<Record<string, string>> {
  return {
    DEBATE_ROOT: channel.paths.root,
    ...(channel.paths.id === '' ? {} : { DEBATE_CHANNEL: channel.paths.id }),
    DEBATE_PARTY: party,
    DEBATE_THREAD: run.thread,
    DEBATE_SEQ: String(run.seq),
    DEBATE_WAKE: run.runId,
    ...(tree ? { DEBATE_WORKTREE: tree.path } : {}),
  };
}

function valuesOf(
  config: WatcherConfig,
  settings: PartySettings,
  run: RunFor,
  tree: ReadyTree | undefined,
): PlaceholderValues {
  const values: PlaceholderValues = {
    channel_root: config.root,
    channel_name: config.channelName,
    party: settings.party,
    thread: run.thread,
    seq: String(run.seq),
    ...(tree ? { worktree: tree.path, git_dir: tree.gitDir, git_common_dir: tree.gitCommonDir } : {}),
  };
  return settings.prompt === undefined ? values : { ...values, prompt: fill(settings.prompt, values) };
}

async function makeTree(
  config: WatcherConfig,
  settings: PartySettings,
  run: RunFor,
  project: string,
  setUpTree: TreeSetup['run'],
): Promise<ReadyTree | TreeProblem | undefined> {
  const { cited } = run;
  const { worktree } = settings;
  if (worktree?.kind === 'detached') {
    const folder = join(config.stateFolder, 'worktrees', 'detached');
    return makeDetachedTree({ project, folder, name: run.runId, cited, keep: KEPT_TREES });
  }
  const branch = branchTreeOf(config, settings, run, project);
  if (worktree?.kind !== 'branch' || branch === undefined) return undefined;
  const { setup } = worktree;
  return openBranchTree({ ...branch, cited, ...(setup ? { setup: { argv: setup, run: setUpTree } } : {}) });
}

function branchTreeOf(
  config: WatcherConfig,
  settings: PartySettings,
  run: RunFor,
  project: string,
): BranchTree | undefined {
  if (settings.worktree?.kind !== 'branch') return undefined;
  const branch = fill(settings.worktree.branch, valuesOf(config, settings, run, undefined));
  return { project, folder: join(config.stateFolder, 'worktrees', 'branches'), branch };
}

function fromTree(problem: TreeProblem): NotPrepared {
  return { cause: problem.kind === 'no-such-commit' ? 'no-such-commit' : 'cannot-start', what: problem.message };
}

function missingVariables(names: readonly string[]): NotPrepared {
  return { cause: 'cannot-start', what: `The environment has no ${names.join(', ')}, which the config names.` };
}
