import type { ExitCode } from '../../protocol/core/refusal.js';
import { visible } from '../../protocol/core/visible.js';
import { tick } from '../../watcher/tick/tick.js';
import type { ChannelOptions } from '../context.js';
import { json, out, print, say } from '../print.js';
import { realWorld } from '../real-world.js';
import { openConfigured } from '../watched.js';
import { writeOutput } from '../write.js';

/** Options of `debate watch-once`. */
export interface WatchOnceOptions extends ChannelOptions {
  readonly config: string;
  readonly verbose?: boolean;
}

/** `debate watch-once`: one tick. Quiet when there is nothing to say. */
export async function watchOnceCommand(options: WatchOnceOptions): Promise<ExitCode> {
  const { channel, config } = openConfigured(options, options.config);
  const result = await tick(channel, config, {
    world: realWorld(),
    environment: process.env,
    writeOut: (text) => {
      if (options.json) writeOutput(2, text);
      else print(text);
    },
    tell: (event) => {
      if (options.verbose !== true) return;
      const what = event.kind === 'started' ? `started, log ${event.log}` : `${event.outcome}: ${event.detail}`;
      say(visible(`${event.party} for MSG-${event.seq}: ${what}`));
    },
  });
  for (const failure of result.failures) say(visible(failure));
  if (options.json) {
    const { exit, reason, dueMs, ran, failures } = result;
    json({ exit, reason, due_at: dueMs === undefined ? null : new Date(dueMs).toISOString(), ran, failures });
  } else if (options.verbose === true) out(visible(result.reason));
  return result.exit;
}
