import type { Channel } from '../../protocol/channel.js';
import { openThread } from '../../protocol/core/open-thread.js';
import { EXIT, type ExitCode } from '../../protocol/core/refusal.js';
import { visibleLine } from '../../protocol/core/visible.js';
import type { Entry } from '../../protocol/core/words.js';
import type { Disk } from '../../protocol/disk.js';
import { streamEntries } from '../../protocol/record/stream-entries.js';
import { readStanding, type Standing } from '../../protocol/standing.js';
import { completeHint } from '../complete-hint.js';
import { type ChannelOptions, openContext } from '../context.js';
import { progressLine, say } from '../print.js';
import { showReading, type TellEntries } from '../show-reading.js';
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
  let told = 0;
  const counted: TellEntries = (each) =>
    entries((entry) => {
      told += 1;
      each(entry);
    });
  await showReading(channel, standing, counted, showing);
  if (told === 0 && standing.state.seq > 0) sayNone(options);
  return EXIT.done;
}

/** Silence would leave open whether a name was misspelt. */
function sayNone(options: ReadOptions): void {
  const { thread, since } = options;
  const after = since === undefined ? '' : ` after MSG-${since}`;
  if (thread !== undefined)
    say(completeHint(`No entry${after} is of thread ${visibleLine(thread)}; \`debate threads\` lists them.`, options));
  else if (after !== '') say(`There is no entry${after}.`);
}

/** The entries that were asked for: from the tail where it reaches far enough, else streamed from the whole record. */
function chosen(disk: Disk, channel: Channel, standing: Standing, options: ReadOptions): TellEntries {
  const { state, tail } = standing;
  const { thread, since, last, all } = options;
  const asks = thread !== undefined || since !== undefined || last !== undefined || all === true;
  if (!asks) return (each) => openThread(tail.entries, state).forEach(each);
  const oldest = tail.entries[0]?.seq ?? state.seq + 1;
  const reaches =
    all !== true &&
    thread === undefined &&
    (since === undefined || since >= oldest - 1) &&
    (last === undefined || last <= tail.entries.length);
  const pool: TellEntries = reaches
    ? (each) => tail.entries.forEach(each)
    : (each) => streamRecord(disk, channel, standing, each);
  const wanted: TellEntries = (each) =>
    pool((entry) => {
      if ((thread === undefined || entry.thread === thread) && entry.seq > (since ?? 0)) each(entry);
    });
  return last === undefined ? wanted : newest(wanted, last);
}

/** The newest `last` of what is told, by counting first: memory stays bounded however many are asked for. */
function newest(wanted: TellEntries, last: number): TellEntries {
  return (each) => {
    let count = 0;
    wanted(() => {
      count += 1;
    });
    let at = 0;
    wanted((entry) => {
      at += 1;
      if (at > count - last && at <= count) each(entry);
    });
  };
}

function streamRecord(disk: Disk, channel: Channel, standing: Standing, each: (entry: Entry) => void): void {
  const progress = progressLine('reading');
  const bell = standing.bell.doorbell?.seq ?? Number.POSITIVE_INFINITY;
  const told = ({ entry }: { readonly entry: Entry }) => {
    progress.end();
    each(entry);
  };
  streamEntries(disk, channel, bell, told, progress.update);
  progress.end();
}
