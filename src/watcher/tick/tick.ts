import { runFilesIn } from '../../process/run-files.js';
import type { Channel } from '../../protocol/channel.js';
import { EXIT, type ExitCode } from '../../protocol/core/refusal.js';
import type { State } from '../../protocol/core/state.js';
import { type Standing, WentBack } from '../../protocol/standing.js';
import { brokered } from '../../protocol/write-refusals.js';
import type { WatcherConfig } from '../config/watcher-config.js';
import { type Cause, type Concern, type Decision, decide, wait } from '../decide.js';
import { currentHold } from '../hold.js';
import type { Memory } from '../memory.js';
import { memoryFile } from '../memory-file.js';
import { observed, type Seen, wentBackFrom } from '../observe.js';
import { noteTick } from '../tick-file.js';
import { closeTrees } from './close-trees.js';
import { remediesOf, withEscalations } from './escalate.js';
import { healedStanding } from './heal.js';
import { type Mirroring, mirrorNew, type News, newsOf } from './mirror.js';
import { signalOf, watchRules } from './signal.js';
import { tendRuns } from './tend-runs.js';
import { nowMs, type Ticking, type TickWorld } from './ticking.js';
import type { Invoked } from './try-invoke.js';

/** What a tick came to. */
export interface TickResult {
  readonly exit: ExitCode;
  /** Why it did what it did: the audit trail. */
  readonly reason: string;
  /** When something may happen, in milliseconds since 1970; undefined when only a change of the record can. */
  readonly dueMs: number | undefined;
  /** True when a party's command was run. */
  readonly ran: boolean;
  /** True when it asked for the right to run an agent and did not get it. */
  readonly queued: boolean;
  /** True when an agent of this channel ran at its end, whoever started it. */
  readonly running: boolean;
  /** True when nothing happens any more unless a person acts. */
  readonly stuck: boolean;
  /** Why a human should look. */
  readonly causes: readonly Cause[];
  /** Mirrors that failed and worktrees that were kept, a sentence each. */
  readonly failures: readonly string[];
  /** Where the record stood at its end. */
  readonly seq: number;
  readonly thread: string;
  readonly turn: string;
}

/**
 * One tick of the watcher (DESIGN.md 7): heals the doorbell, mirrors what is new, ends what a dead watcher left running, and
 * runs the pinned command of the party that is due, if all conditions hold. Nothing that a child does can end it.
 *
 * @throws Refusal - `brokered`, `unreadable`, `locked`, `not-written`, `record-went-back` (which it escalates first).
 */
export async function tick(channel: Channel, config: WatcherConfig, around: TickWorld): Promise<TickResult> {
  if (channel.config.brokered) throw brokered(channel);
  const { world, environment, writeOut } = around;
  const memory = memoryFile(world, config.statePath, channel.paths.root, channel.paths.id);
  const files = runFilesIn(channel.paths.runs);
  const mirroring: Mirroring = { config, memory, environment, writeOut };
  const ticking: Ticking = { channel, config, around, memory, files, mirroring, failures: [] };
  try {
    const result = await runTick(ticking);
    noteTick(config.statePath, world.machine.now());
    return result;
  } catch (error) {
    if (error instanceof WentBack) await escalateWentBack(ticking, error);
    throw error;
  }
}

async function runTick(ticking: Ticking): Promise<TickResult> {
  let standing = await look(ticking);
  const running = await tend(ticking, standing);
  const known = ticking.memory.read();
  let decision = decideNow(ticking, standing, running, known);
  let done: Invoked = 'not-run';
  if (decision.action.kind === 'invoke') {
    const { tryInvoke } = await import('./try-invoke.js');
    const came = await tryInvoke(ticking, standing, decision.action, known);
    if (typeof came === 'object') decision = came;
    else done = came;
    if (done === 'outrun') decision = wait(nowMs(ticking), 'another tick was faster, or the record moved');
    if (done === 'queued') decision = wait(undefined, 'as many agents run already as may');
  }
  if (done === 'ran') {
    standing = await look(ticking);
    decision = afterRun(decideNow(ticking, standing, undefined, ticking.memory.read()), nowMs(ticking));
  }
  await escalate(ticking, decision.concerns, standing.state, newsOf(ticking.around.world, ticking.channel, standing));
  return resultOf(decision, done, running !== undefined, standing.state, ticking.failures);
}

/** Reads and heals the record, remembers it, and mirrors what is new. */
async function look(ticking: Ticking): Promise<Standing> {
  const { channel, memory, around } = ticking;
  const remembered = memory.read();
  const standing = healedStanding(around.world, channel);
  const { state, tail } = standing;
  const seen: Seen = { state, entries: tail.entries, accepted: channel.config.accepted };
  // What a fence hides is to be named before a record that seems to be shorter.
  if (tail.stops.some(({ kind }) => kind === 'forged-fence')) return standing;
  const lost = wentBackFrom(remembered, seen);
  if (lost !== undefined) throw new WentBack(channel, lost, state.seq);
  memory.update((each) => observed(each, seen, nowMs(ticking)));
  ticking.failures.push(...(await mirrorNew(ticking.mirroring, newsOf(around.world, channel, standing))));
  return standing;
}

/** Ends what is left of dead watchers' runs; while nobody runs, worktrees of closed threads go too. */
async function tend(ticking: Ticking, standing: Standing): Promise<string | undefined> {
  const { files, memory, config, around } = ticking;
  const graceSeconds = Math.max(0, ...Object.values(config.parties).map((settings) => settings.graceSeconds));
  const now = () => around.world.machine.now();
  const running = await tendRuns({ files, memory, graceSeconds, now }, standing);
  if (running === undefined) ticking.failures.push(...(await closeTrees(memory, standing.state)));
  return running;
}

function decideNow(ticking: Ticking, standing: Standing, running: string | undefined, known: Memory): Decision {
  const { channel, config } = ticking;
  const now = nowMs(ticking);
  const signal = signalOf(standing, channel, currentHold(ticking.files, standing.state.turn, now), running);
  return decide(signal, known, watchRules(standing, channel, config), now);
}

/** One tick runs at most one command: what is due after it is the next tick's. */
function afterRun(decision: Decision, now: number): Decision {
  return decision.action.kind === 'invoke' ? { ...decision, action: { kind: 'wait', dueMs: now } } : decision;
}

/** Once per thread, seq and cause, to every mirror. */
async function escalate(
  ticking: Ticking,
  concerns: readonly Concern[],
  state: Pick<State, 'seq' | 'thread' | 'turn' | 'cap'>,
  news: News,
): Promise<void> {
  if (concerns.length === 0) return;
  const remedies = remediesOf(ticking.channel, ticking.config, state);
  ticking.memory.update((memory) => withEscalations(memory, concerns, remedies, nowMs(ticking)));
  ticking.failures.push(...(await mirrorNew(ticking.mirroring, news)));
}

/** A record that went back is escalated before the tick stops (DESIGN.md 4.3). */
async function escalateWentBack(ticking: Ticking, error: WentBack): Promise<void> {
  const seq = error.recorded;
  const concern: Concern = { cause: 'record-went-back', thread: '', seq, what: error.message };
  const news: News = { seq, startAfter: seq, since: () => [] };
  await escalate(ticking, [concern], { seq, thread: '', turn: '', cap: undefined }, news);
}

function resultOf(
  { action, reason, concerns }: Decision,
  done: Invoked,
  running: boolean,
  { seq, thread, turn }: State,
  failures: readonly string[],
): TickResult {
  const dueMs = action.kind === 'wait' ? action.dueMs : undefined;
  const isOver = action.kind === 'wait' && dueMs === undefined && done !== 'queued' && !running;
  return {
    exit: concerns.length > 0 ? EXIT.look : EXIT.done,
    reason,
    dueMs,
    ran: done === 'ran',
    queued: done === 'queued',
    running,
    stuck: isOver && concerns.length > 0,
    causes: concerns.map((concern) => concern.cause),
    failures,
    seq,
    thread,
    turn,
  };
}
