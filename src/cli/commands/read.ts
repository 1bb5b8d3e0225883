import type { Channel } from '../../protocol/channel.js';
import { openThread } from '../../protocol/core/open-thread.js';
import { EXIT, type ExitCode } from '../../protocol/core/refusal.js';
import type { Entry } from '../../protocol/core/words.js';
import type { Disk } from '../../protocol/disk.js';
import { readStanding, type Standing } from '../../protocol/standing.js';
import { streamEntries } from '../../protocol/stream-entries.js';
import { type ChannelOptions, openContext } from '../context.js';
import { progressLine } from '../print.js';
import { showReading } from '../show-reading.js';
import { dieOnInterrupt } from '../streams.js';

/** Options of `debate read`. */
export interface ReadOptions extends ChannelOptions {
  readonly thread?: string;
  readonly since?: number;
  readonly last?: number;
  readonly all?: boolean;
  readonly checks?: boolean;
}

/** `debate read`: the open thread, or what the options ask for. On a defect it reads all the same, and says so. */
export async function readCommand(options: ReadOptions): Promise<ExitCode> {
  const { world, channel } = openContext(options);
  dieOnInterrupt();
  const standing = readStanding(world.disk, channel);
  const entries = chosen(world.disk, channel, standing, options);
  const showing = { json: options.json === true, lastLines: options.checks === true, now: world.machine.now() };
  await showReading(channel, standing, entries, showing);
  return EXIT.done;
}

/** The entries that were asked for: from the tail where it reaches far enough, else from the whole record. */
function chosen(disk: Disk, channel: Channel, standing: Standing, options: ReadOptions): readonly Entry[] {
  const { state, tail } = standing;
  const { thread, since, last, all } = options;
  const asks = thread !== undefined || since !== undefined || last !== undefined || all === true;
  if (!asks) return openThread(tail.entries, state);
  const oldest = tail.entries[0]?.seq ?? state.seq + 1;
  const reaches =
    all !== true &&
    thread === undefined &&
    (since === undefined || since >= oldest - 1) &&
    (last === undefined || last <= tail.entries.length);
  const pool = reaches ? tail.entries : everything(disk, channel, standing, thread, since);
  const wanted = pool.filter((entry) => (thread === undefined || entry.thread === thread) && entry.seq > (since ?? 0));
  return last === undefined ? wanted : last === 0 ? [] : wanted.slice(-last);
}

function everything(
  disk: Disk,
  channel: Channel,
  standing: Standing,
  thread: string | undefined,
  since: number | undefined,
): readonly Entry[] {
  const found: Entry[] = [];
  const progress = progressLine('reading');
  const bell = standing.bell.doorbell?.seq ?? Number.POSITIVE_INFINITY;
  streamEntries(
    disk,
    channel,
    bell,
    ({ entry }) => {
      if ((thread === undefined || entry.thread === thread) && entry.seq > (since ?? 0)) found.push(entry);
    },
    progress.update,
  );
  progress.end();
  return found;
}
