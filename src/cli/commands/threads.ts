import { EXIT, type ExitCode } from '../../protocol/core/refusal.js';
import { trailerValues } from '../../protocol/core/trailers.js';
import { visibleLine } from '../../protocol/core/visible.js';
import { streamEntries } from '../../protocol/record/stream-entries.js';
import { readStanding } from '../../protocol/standing.js';
import { type ChannelOptions, openContext } from '../context.js';
import { age, count, json, out, progressLine, styled } from '../print.js';
import { dieOnInterrupt } from '../streams.js';

interface ThreadLine {
  readonly thread: string;
  readonly first: number;
  readonly last: number;
  readonly entries: number;
  readonly opened_by: string;
  readonly open: boolean;
  readonly decision: string | null;
  readonly updated_at: string;
}

/** `debate threads`: a line an opening, oldest first. */
export function threadsCommand(options: ChannelOptions): ExitCode {
  const { world, channel } = openContext(options);
  dieOnInterrupt();
  const { state, bell } = readStanding(world.disk, channel);
  const lines = new Map<string, ThreadLine>();
  const progress = progressLine('reading');
  streamEntries(
    world.disk,
    channel,
    bell.doorbell?.seq ?? Number.POSITIVE_INFINITY,
    ({ entry, opening }) => {
      const key = `${opening}\n${entry.thread}`;
      const known = lines.get(key);
      const [decision = known?.decision ?? null] = trailerValues(entry.trailers, 'Decision');
      lines.set(key, {
        thread: entry.thread,
        first: known?.first ?? entry.seq,
        last: entry.seq,
        entries: (known?.entries ?? 0) + 1,
        opened_by: known?.opened_by ?? entry.sender,
        open: state.thread === entry.thread && state.openedAt === opening,
        decision,
        updated_at: entry.timestamp,
      });
    },
    progress.update,
  );
  progress.end();
  const all = [...lines.values()].sort((a, b) => a.first - b.first);
  if (options.json) json({ threads: all });
  else for (const line of all) out(lineText(line, world.machine.now()));
  return EXIT.done;
}

function lineText(line: ThreadLine, now: Date): string {
  const seconds = (now.getTime() - Date.parse(line.updated_at)) / 1000;
  const parts = [
    styled('bold', visibleLine(line.thread)),
    line.first === line.last ? `MSG-${line.first}` : `MSG-${line.first}..MSG-${line.last}`,
    count(line.entries, 'entry', 'entries'),
    `opened by ${visibleLine(line.opened_by)}`,
    line.open ? styled('green', 'open') : 'closed',
    line.decision === null ? 'no decision' : visibleLine(line.decision),
    Number.isNaN(seconds) ? '' : `${age(seconds)} ago`,
  ];
  return parts.filter((part) => part !== '').join('  ');
}
