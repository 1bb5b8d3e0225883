import { setTimeout as sleep } from 'node:timers/promises';
import type { World } from '../../protocol/world.js';
import { DEFAULTS } from '../config/watcher-config.js';
import type { Watched } from '../open-watched.js';
import { loadLate } from '../tick/load-late.js';
import { watchClock } from './clock-watch.js';
import type { DaemonEvent } from './report.js';
import { cronSchedules } from './schedules.js';
import { makeSlots } from './slots.js';
import { type ChannelHost, type WatchedChannel, watchChannel } from './watched-channel.js';

/** What a daemon works with. */
export interface DaemonSettings {
  readonly world: World;
  /** What commands inherit. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The absolute paths of the configs to watch; asked again every minute, for a folder of them may change. */
  readonly configs: () => readonly string[];
  readonly open: (config: string) => Watched;
  readonly report: (event: DaemonEvent) => void;
}

/** A daemon that runs. */
export interface Daemon {
  /**
   * No new run; running agents have their grace period to end by themselves, then they are ended; resolves when all memories are
   * saved.
   */
  stop(): Promise<void>;
  /** Ends running agents at once, without any grace. */
  hurry(): void;
}

/** How often `configs` is asked, and configs that could not be read are tried, whatever the schedules say. */
const EVERY_MINUTE = '* * * * *';

/**
 * Watches channels until it is stopped (DESIGN.md 7): one tick of each at the start, then by its schedule, at once when its folder
 * changes, at the time that its last tick named, and once after the wall clock jumped. A channel that is broken is told and
 * tried again; it stops no other.
 */
export async function startDaemon(settings: DaemonSettings): Promise<Daemon> {
  const { world, environment, open, report } = settings;
  const channels = new Map<string, WatchedChannel>();
  const queued = new Set<WatchedChannel>();
  // No longer watched, and not yet at their end: an agent of theirs may run.
  const leaving = new Set<WatchedChannel>();
  const ending = new AbortController();
  const hurrying = new AbortController();
  const most = () =>
    Math.min(...[...channels.values()].map((each) => each.mostAgents() ?? DEFAULTS.maxConcurrentAgents));
  const slots = makeSlots(most, () => wakeQueued(queued));
  const host: ChannelHost = {
    world,
    environment,
    open,
    report,
    signal: ending.signal,
    hurry: hurrying.signal,
    takeSlot: slots.take,
    queue: (channel) => {
      if (!leaving.has(channel)) queued.add(channel);
    },
  };

  const rescan = (): void => {
    const wanted = new Set(configsNow(settings, [...channels.keys()]));
    for (const [config, channel] of channels) if (!wanted.has(config)) drop(config, channel);
    for (const config of wanted) if (!channels.has(config)) channels.set(config, watchChannel(config, host));
  };
  const drop = (config: string, channel: WatchedChannel): void => {
    channels.delete(config);
    queued.delete(channel);
    report({ kind: 'gone', about: { config, channel: undefined, root: undefined } });
    leaving.add(channel);
    void channel.stop().finally(() => leaving.delete(channel));
  };
  const onDue = async (expression: string): Promise<void> => {
    if (expression === EVERY_MINUTE) rescan();
    for (const channel of channels.values()) {
      if ((channel.schedule() ?? EVERY_MINUTE) !== expression) continue;
      channel.wakeOnSchedule();
      await new Promise(setImmediate);
    }
    reschedule();
  };
  const schedules = await cronSchedules(onDue);
  const reschedule = (): void => {
    const named = [...channels.values()].flatMap((channel) => channel.schedule() ?? []);
    schedules.set(new Set([EVERY_MINUTE, ...named]));
  };
  const endClock = watchClock({ wall: Date.now, monotonic: () => performance.now() }, () => {
    report({ kind: 'clock-jumped' });
    for (const channel of channels.values()) channel.wake();
  });

  await loadLate();
  rescan();
  for (const channel of channels.values()) channel.wake();
  await new Promise(setImmediate);
  reschedule();

  const finish = async (): Promise<void> => {
    slots.close();
    schedules.stop();
    endClock();
    const all = [...channels.values(), ...leaving];
    const running = all.filter((channel) => channel.isRunning());
    report({ kind: 'stopping', running: running.length });
    const stopped = Promise.all(all.map((channel) => channel.stop()));
    const graceMs = 1000 * Math.max(0, ...running.map((channel) => channel.graceSeconds()));
    await Promise.race([stopped, sleep(graceMs, undefined, { signal: ending.signal }).catch(() => undefined)]);
    ending.abort('shutdown');
    await stopped;
  };
  let finished: Promise<void> | undefined;
  return {
    stop() {
      finished ??= finish();
      return finished;
    },
    hurry() {
      ending.abort('shutdown');
      hurrying.abort();
    },
  };
}

/** A folder of configs that cannot be read for a moment does not end the watching of what was in it. */
function configsNow({ configs }: DaemonSettings, before: readonly string[]): readonly string[] {
  try {
    return configs();
  } catch {
    return before;
  }
}

function wakeQueued(queued: Set<WatchedChannel>): void {
  const [next] = queued;
  if (next === undefined) return;
  queued.delete(next);
  next.wake();
}
