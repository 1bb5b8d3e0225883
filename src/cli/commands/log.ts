import { EXIT, type ExitCode } from '../../protocol/core/refusal.js';
import { streamEntries } from '../../protocol/record/stream-entries.js';
import { readDoorbell } from '../../protocol/standing.js';
import { type ChannelOptions, openContext } from '../context.js';
import { entryJson, entryLine } from '../entry-text.js';
import { out, progressLine } from '../print.js';
import { dieOnInterrupt } from '../streams.js';

/** `debate log`: one line an entry, newest last; with `--json` one JSON object a line. */
export function logCommand(options: ChannelOptions): ExitCode {
  const { world, channel } = openContext(options);
  dieOnInterrupt();
  const bell = readDoorbell(world.disk, channel).doorbell?.seq ?? Number.POSITIVE_INFINITY;
  const progress = progressLine('reading');
  streamEntries(
    world.disk,
    channel,
    bell,
    ({ entry }) => {
      progress.end();
      out(options.json ? JSON.stringify(entryJson(entry)) : entryLine(entry));
    },
    progress.update,
  );
  progress.end();
  return EXIT.done;
}
