import { runFilesIn } from '../process/run-files.js';
import { readStanding, type Standing, WentBack } from '../protocol/standing.js';
import type { World } from '../protocol/world.js';
import { type Presence, presenceOf } from './daemon/presence.js';
import { type Decision, decide } from './decide.js';
import { currentHold, type Hold } from './hold.js';
import type { Attempt, Memory } from './memory.js';
import { memoryFile } from './memory-file.js';
import { mirrorsBehind } from './mirror/behind.js';
import { escalationId } from './mirror/deliver.js';
import { wentBackFrom } from './observe.js';
import type { Watched } from './open-watched.js';
import { parseCronExpression } from './schedule/cron-expression.js';
import { overdueSince } from './schedule/moments.js';
import { signalOf, watchRules } from './tick/signal.js';
import { liveRun } from './tick/tend-runs.js';
import { lastTickAt } from './tick-file.js';

/** How a channel is watched now. */
export interface WatchStatus {
  readonly channel: string;
  readonly root: string;
  readonly seq: number;
  readonly thread: string;
  readonly turn: string;
  /** The daemon that drives it, or undefined. */
  readonly daemon: Presence | undefined;
  readonly lastTickAt: Date | undefined;
  /** True when a daemon lives, or ticks come as the schedule says. */
  readonly isDriven: boolean;
  /** What the next tick would do, and why. */
  readonly action: Decision['action']['kind'] | 'stop';
  readonly reason: string;
  readonly dueMs: number | undefined;
  /** A live session that holds the turn of the party that is due. */
  readonly held: Hold | undefined;
  /** The last runs, oldest first. */
  readonly runs: readonly Attempt[];
  /** The last escalations, oldest first; `isOpen` while its cause still holds. */
  readonly escalations: readonly (Memory['escalations'][number] & { readonly isOpen: boolean })[];
  /** Why a human should look; empty when nobody needs to. */
  readonly looks: readonly string[];
}

/** Runs and escalations that are shown. */
const SHOWN = 10;

/**
 * How a channel is watched: who drives it, what the next tick would do, what it waits for (issue 3). Decides with the very function
 * that the tick decides with, and writes nothing.
 *
 * @throws Refusal - `unreadable`.
 */
export async function watchStatus(world: World, { channel, config }: Watched): Promise<WatchStatus> {
  const { paths } = channel;
  const nowMs = world.machine.now().getTime();
  const memory = memoryFile(world, config.statePath, paths.root, paths.id).read();
  const files = runFilesIn(paths.runs);
  const standing = standingOrBack(world, { channel, config }, memory);
  const state = standing instanceof WentBack ? undefined : standing.state;
  const held = currentHold(files, state?.turn ?? '', nowMs);
  const decision =
    standing instanceof WentBack
      ? undefined
      : decide(
          signalOf(standing, channel, held, await liveRun(files)),
          memory,
          watchRules(standing, channel, config),
          nowMs,
        );
  const daemon = presenceOf(config.statePath, world.machine);
  const ticked = lastTickAt(config.statePath);
  const isTicking = isOnSchedule(config.schedule, ticked, nowMs);
  const isDriven = daemon !== undefined || isTicking;
  const concerns = decision?.concerns ?? [];
  const open = new Set(concerns.map(escalationId));
  return {
    channel: config.channelName,
    root: paths.root,
    seq: state?.seq ?? (standing as WentBack).recorded,
    thread: state?.thread ?? '',
    turn: state?.turn ?? '',
    daemon,
    lastTickAt: ticked,
    isDriven,
    action: decision?.action.kind ?? 'stop',
    reason: decision?.reason ?? (standing as WentBack).message,
    dueMs: decision?.action.kind === 'wait' ? decision.action.dueMs : undefined,
    held,
    runs: memory.attempts.slice(-SHOWN),
    escalations: memory.escalations.slice(-SHOWN).map((each) => ({ ...each, isOpen: open.has(escalationId(each)) })),
    looks: [
      ...(standing instanceof WentBack ? [standing.message] : []),
      ...concerns.map((concern) => concern.what),
      ...(isTicking || !isSettled(daemon, nowMs) ? [] : [silentDaemon(daemon, ticked)]),
      ...mirrorsBehind(memory, config.mirror, nowMs),
      ...(isDriven || !wantsTick(decision) ? [] : ['an agent is due, and nothing drives this channel']),
    ],
  };
}

function standingOrBack(world: World, { channel }: Watched, memory: Memory): Standing | WentBack {
  try {
    const standing = readStanding(world.disk, channel);
    const seen = { state: standing.state, entries: standing.tail.entries, accepted: channel.config.accepted };
    const lost = wentBackFrom(memory, seen);
    return lost === undefined ? standing : new WentBack(channel, lost, standing.state.seq);
  } catch (error) {
    if (error instanceof WentBack) return error;
    throw error;
  }
}

/** So long a daemon has for its first tick, in milliseconds. */
const SETTLING_MS = 180_000;

function isSettled(daemon: Presence | undefined, nowMs: number): daemon is Presence {
  return daemon !== undefined && nowMs - Date.parse(daemon.since) > SETTLING_MS;
}

/** It hangs, was stopped, or cannot do a single tick, which its own log says. */
function silentDaemon({ pid, host }: Presence, ticked: Date | undefined): string {
  const last = ticked === undefined ? 'has never ticked' : `has not ticked since ${ticked.toISOString()}`;
  return `process ${pid} on ${host} drives this channel and ${last}: look at its log, or start it again`;
}

function wantsTick(decision: Decision | undefined): boolean {
  if (decision === undefined) return false;
  return decision.action.kind === 'invoke' || (decision.action.kind === 'wait' && decision.action.dueMs !== undefined);
}

/** Who drives it is not known here, and so neither is the zone in which it reads the schedule: either will do. */
function isOnSchedule(schedule: string, ticked: Date | undefined, nowMs: number): boolean {
  const expression = parseCronExpression(schedule);
  if (ticked === undefined || 'problem' in expression) return false;
  const now = new Date(nowMs);
  return (['utc', 'local'] as const).some((zone) => overdueSince(expression, ticked, now, zone) === undefined);
}
