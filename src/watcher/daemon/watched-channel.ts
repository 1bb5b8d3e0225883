import { basename } from 'node:path';
import { asRefusal } from '../../protocol/as-refusal.js';
import { EXIT, REFUSALS } from '../../protocol/core/refusal.js';
import type { World } from '../../protocol/world.js';
import type { Watched } from '../open-watched.js';
import { type TickResult, tick } from '../tick/tick.js';
import type { TickWorld } from '../tick/ticking.js';
import { noteTick } from '../tick-file.js';
import { channelLoop, type Round } from './channel-loop.js';
import { type FolderWatch, watchFolder } from './folder-watch.js';
import { filesOf } from './idle.js';
import { endPresence, notePresence } from './presence.js';
import type { About, DaemonEvent } from './report.js';

/** What a daemon gives to each of its channels. */
export interface ChannelHost {
  readonly world: World;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly open: (config: string) => Watched;
  readonly report: (event: DaemonEvent) => void;
  /** Ends the agents that run. */
  readonly signal: AbortSignal;
  readonly hurry: AbortSignal;
  readonly takeSlot: NonNullable<TickWorld['takeSlot']>;
  /** Called when a channel could not run its agent because as many run already as may. */
  readonly queue: (channel: WatchedChannel) => void;
}

/** One channel of a daemon. */
export interface WatchedChannel {
  readonly config: string;
  /** When it is ticked; undefined while its config cannot be read. */
  schedule(): string | undefined;
  /** How many agents the daemon may run at most, as this config says. */
  mostAgents(): number | undefined;
  graceSeconds(): number;
  isRunning(): boolean;
  /** A tick now, or once more after the one under way. */
  wake(): void;
  /** The same by its schedule: an idle channel whose files are as they were is left alone. */
  wakeOnSchedule(): void;
  /** Drives the channel no more from now on; resolves when its agent has ended. May be called again. */
  stop(): Promise<void>;
}

/**
 * Watches one channel: reads both configs anew for each tick, so that a change needs no restart, and tells what changed. Whatever is
 * wrong with it is told and tried again by schedule; it never throws, so that one broken channel stops no other.
 */
export function watchChannel(config: string, host: ChannelHost): WatchedChannel {
  let watched: Watched | undefined;
  let folder: FolderWatch | undefined;
  let idle: string | undefined;
  let isRunning = false;
  let told = '';

  const about = (): About => ({ config, channel: watched?.config.channelName, root: watched?.channel.paths.root });
  const tellOnce = (event: DaemonEvent, text: string): void => {
    if (text !== told) host.report(event);
    told = text;
  };
  const release = (): void => {
    if (watched) endPresence(watched.config.statePath, host.world.machine);
    folder?.close();
    folder = undefined;
  };
  const open = (): Watched => {
    const opened = host.open(config);
    const { paths } = opened.channel;
    const isSame = watched?.channel.paths.root === paths.root && watched.config.statePath === opened.config.statePath;
    if (!isSame) release();
    watched = opened;
    if (!isSame) {
      notePresence(opened.config.statePath, host.world.machine);
      const names = {
        bell: basename(paths.doorbell),
        others: [paths.mailbox, paths.config].map((each) => basename(each)),
      };
      folder = watchFolder(paths.root, names, () => loop.wake());
      host.report({ kind: 'watching', about: about(), schedule: opened.config.schedule });
    }
    folder?.renew();
    return opened;
  };
  const round = async (yields: () => void): Promise<Round> => {
    idle = undefined;
    try {
      const opened = open();
      const before = filesOf(opened);
      const result = await tick(opened.channel, opened.config, around(yields));
      tellOnce({ kind: 'ticked', about: about(), result }, textOf(result));
      if (result.queued) host.queue(channel);
      if (isIdle(result) && filesOf(opened) === before) idle = before;
      return { dueMs: result.dueMs, again: result.ran };
    } catch (error) {
      const { code, message, hint } = asRefusal(error);
      const look = REFUSALS[code as keyof typeof REFUSALS] === EXIT.look;
      tellOnce({ kind: 'failed', about: about(), code, message, hint, look }, `${code} ${message}`);
      return { dueMs: undefined, again: false };
    }
  };
  const around = (yields: () => void): TickWorld => ({
    world: host.world,
    environment: host.environment,
    writeOut: (text) => host.report({ kind: 'mirrored', about: about(), text }),
    signal: host.signal,
    hurry: host.hurry,
    takeSlot: host.takeSlot,
    tell: (event) => {
      isRunning = event.kind === 'started';
      if (isRunning) yields();
      host.report({ kind: 'run', about: about(), event });
    },
  });
  const loop = channelLoop(round, () => host.world.machine.now().getTime());
  const channel: WatchedChannel = {
    config,
    schedule: () => watched?.config.schedule,
    mostAgents: () => watched?.config.maxConcurrentAgents,
    graceSeconds: () => Math.max(0, ...Object.values(watched?.config.parties ?? {}).map((each) => each.graceSeconds)),
    isRunning: () => isRunning,
    wake: loop.wake,
    wakeOnSchedule() {
      if (watched && idle !== undefined && filesOf(watched) === idle)
        noteTick(watched.config.statePath, host.world.machine.now());
      else loop.wake();
    },
    async stop() {
      // First: while its agent runs on, the channel may be watched again, and what that one notes is its own.
      release();
      await loop.stop();
    },
  };
  return channel;
}

/** Nothing to wait for, nothing left over: what the next tick finds can only come from a change of the files. */
function isIdle({ thread, failures, causes, ran }: TickResult): boolean {
  return thread === '' && failures.length === 0 && causes.length === 0 && !ran;
}

/** What makes a tick's result another one. That an agent ended matters to who waits for the close, though nothing else changed. */
function textOf({ reason, causes, failures, running, stuck }: TickResult): string {
  return [reason, `${running} ${stuck}`, ...causes, ...failures].join('\n');
}
