import { watch } from 'node:fs';
import type { Channel } from './channel.js';
import { recordStopped } from './core/admit.js';
import { isDue, requireParty } from './core/due.js';
import { Refusal } from './core/refusal.js';
import type { Disk } from './disk.js';
import type { ChannelPaths } from './layout.js';
import { readStanding, type Standing } from './standing.js';
import type { World } from './world.js';

/** What is waited for, and how long. */
export interface TurnWait {
  /** Opens the channel; called again after every change, since its config may change while one waits. */
  readonly open: () => Channel;
  readonly party: string;
  /** True in a process that a watcher woke for this channel: while it runs nobody else is woken, so it must not wait. */
  readonly woken: boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** How a wait ended, and where the channel stood then. */
export interface Waited {
  readonly how: 'due' | 'timeout' | 'aborted';
  readonly channel: Channel;
  readonly standing: Standing;
}

/** How often the files are looked at, in milliseconds; a file event comes sooner where the platform tells it. */
const POLL_MS = 75;

/**
 * Waits until it is a party's turn. Level-triggered: it looks before it waits, so a turn that came earlier is never
 * missed. Polling is the truth, `fs.watch` only a hint (DESIGN.md 9). Leaves no timer and no watch behind.
 *
 * @throws Refusal - `unknown-sender`, `party-only`, `not-when-woken`; `record-stopped`, `record-went-back` and whatever
 * else makes waiting pointless end the wait when they appear.
 */
export async function waitForTurn(world: Omit<World, 'lock'>, wait: TurnWait): Promise<Waited> {
  const { disk, machine } = world;
  const deadline = machine.monotonicMs() + wait.timeoutMs;
  let channel = wait.open();
  const folder = watchFolder(channel.paths.root);
  try {
    // Taken before the look: what changes during a look is seen by the next one.
    let seen = stampOf(disk, channel.paths);
    let standing = look(disk, channel, wait);
    for (;;) {
      if (isDue(standing.state, wait.party)) return { how: 'due', channel, standing };
      if (wait.woken) throw notWhenWoken(wait.party, standing);
      if (wait.signal?.aborted) return { how: 'aborted', channel, standing };
      const left = deadline - machine.monotonicMs();
      if (left <= 0) return { how: 'timeout', channel, standing };
      await folder.changed(Math.min(POLL_MS, left), wait.signal);
      const stamp = stampOf(disk, channel.paths);
      if (stamp === seen) continue;
      seen = stamp;
      channel = wait.open();
      standing = look(disk, channel, wait);
    }
  } finally {
    folder.close();
  }
}

function look(disk: Disk, channel: Channel, wait: TurnWait): Standing {
  requireParty(channel.config, wait.party);
  const standing = readStanding(disk, channel);
  const [stop] = standing.tail.stops;
  if (stop) throw new Refusal(recordStopped(stop));
  return standing;
}

/** Changes when a file changes that whose turn it is depends on. */
function stampOf(disk: Disk, paths: ChannelPaths): string {
  return [paths.mailbox, paths.doorbell, paths.config]
    .map((path) => {
      const info = disk.info(path);
      return info ? `${info.identity} ${info.size} ${info.modifiedMs}` : '-';
    })
    .join('|');
}

interface FolderWatch {
  /** Resolves at the next event in the folder, or after `ms`, or when `signal` aborts. */
  changed(ms: number, signal: AbortSignal | undefined): Promise<void>;
  close(): void;
}

/** Events of a folder as a hint: where they cannot be had (network disks, too many watches) the polling goes on alone. */
function watchFolder(folder: string): FolderWatch {
  let told = false;
  let wake: (() => void) | undefined;
  const hint = startHint(folder, () => {
    told = true;
    wake?.();
  });
  return {
    changed: (ms, signal) =>
      new Promise((resolve) => {
        const done = () => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', done);
          wake = undefined;
          told = false;
          resolve();
        };
        const timer = setTimeout(done, told ? 0 : ms);
        signal?.addEventListener('abort', done);
        wake = done;
        if (signal?.aborted) done();
      }),
    close: () => hint?.close(),
  };
}

function startHint(folder: string, onEvent: () => void): { close(): void } | undefined {
  try {
    const watcher = watch(folder, { persistent: false }, onEvent);
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}

function notWhenWoken(party: string, standing: Standing): Refusal {
  return new Refusal({
    code: 'not-when-woken',
    message: `It is not ${party}'s turn (the record is at MSG-${standing.state.seq}), and a process that was woken does not wait: nobody else is woken while it runs.`,
    hint: 'Stop here; the watcher wakes whoever is due.',
  });
}
