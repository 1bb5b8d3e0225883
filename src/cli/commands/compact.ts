import { compact } from '../../protocol/compaction/compact.js';
import { EXIT, type ExitCode } from '../../protocol/core/refusal.js';
import { visibleLine } from '../../protocol/core/visible.js';
import { type ChannelOptions, openContext } from '../context.js';
import { count, json, out } from '../print.js';
import { realWorld } from '../real-world.js';

/** Options of `debate compact`. */
export interface CompactOptions extends ChannelOptions {
  readonly keepDays: number;
  readonly dryRun?: boolean;
}

/** `debate compact`: says what moved. */
export function compactCommand(options: CompactOptions): ExitCode {
  const { channel } = openContext(options);
  const isDry = options.dryRun === true;
  const { entries, upTo, threads } = compact(realWorld(), channel, options.keepDays, isDry);
  const moved = threads.map(({ thread, first, last, entries }) => ({ thread, first, last, entries }));
  if (options.json) json({ dry_run: isDry, entries, up_to: upTo, threads: moved });
  else if (entries === 0)
    out(`nothing to move: what is closed and older than ${options.keepDays} days is in the archive already`);
  else {
    for (const { thread, first, last } of moved) out(`${visibleLine(thread)}: MSG-${first}..MSG-${last}`);
    out(
      `${count(entries, 'entry', 'entries')} up to MSG-${upTo} ${isDry ? 'would move' : 'moved'} to ${channel.paths.archive}`,
    );
  }
  return EXIT.done;
}
