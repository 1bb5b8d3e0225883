import { EXIT, type ExitCode } from '../../protocol/core/refusal.js';
import { streamEntries } from '../../protocol/record/stream-entries.js';
import { readDoorbell, WentBack } from '../../protocol/standing.js';
import { type ChannelOptions, openContext } from '../context.js';
import { entryJson, entryLine } from '../entry-text.js';
import { out, progressLine, say } from '../print.js';
import { dieOnInterrupt } from '../streams.js';

/** `debate log`: one line an entry, newest last; with `--json` one JSON object a line. Says so where the record went back. */
export function logCommand(options: ChannelOptions): ExitCode {
  const { world, channel } = openContext(options);
  dieOnInterrupt();
  const bell = readDoorbell(world.disk, channel).doorbell?.seq;
  let newest = 0;
  const progress = progressLine('reading');
  streamEntries(
    world.disk,
    channel,
    bell ?? Number.POSITIVE_INFINITY,
    ({ entry }) => {
      newest = Math.max(newest, entry.seq);
      progress.end();
      out(options.json ? JSON.stringify(entryJson(entry)) : entryLine(entry));
    },
    progress.update,
  );
  progress.end();
  // What is left is shown all the same: the supervisor chooses by it from where to go on.
  if (bell !== undefined && bell > newest && !channel.config.brokered)
    say(`stopped: ${new WentBack(channel, bell, newest).message}`);
  return EXIT.done;
}
