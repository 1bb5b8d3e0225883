import { EXIT, type ExitCode } from '../../protocol/core/refusal.js';
import { visible } from '../../protocol/core/visible.js';
import type { RunEvent } from '../../watcher/tick/invoking.js';
import { tick } from '../../watcher/tick/tick.js';
import type { ChannelOptions } from '../context.js';
import { json, out, say } from '../print.js';
import { realWorld } from '../real-world.js';
import type { Stopped } from '../run.js';
import { handleHangup, handleInterrupt } from '../streams.js';
import { openConfigured } from '../watched.js';
import { tryWrite } from '../write.js';

/** Options of `debate watch-once`. */
export interface WatchOnceOptions extends ChannelOptions {
  readonly config: string;
  readonly verbose?: boolean;
}

/**
 * `debate watch-once`: one tick. Quiet when there is nothing to say. SIGTERM, SIGINT or a terminal that goes away ends the agent that runs with its whole tree,
 * a second one without any grace; that is remembered, and the exit code is 143, 130 or 129.
 */
export async function watchOnceCommand(options: WatchOnceOptions): Promise<ExitCode | Stopped> {
  const { channel, config } = openConfigured(options, options.config);
  // Asked for before an agent starts; most ticks start none.
  let interrupted: ReturnType<typeof interruptible> | undefined;
  const interruption = () => {
    interrupted ??= interruptible();
    return interrupted;
  };
  const result = await tick(channel, config, {
    world: realWorld(),
    environment: process.env,
    get signal() {
      return interruption().signal;
    },
    get hurry() {
      return interruption().hurry;
    },
    writeOut: (text) => {
      const problem = tryWrite(options.json ? 2 : 1, text);
      if (problem === 'EPIPE') process.exit(EXIT.done);
      if (problem !== undefined) throw new Error(problem);
    },
    tell: (event) => {
      interruption().take(event);
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
  return interrupted?.stoppedBy() ?? result.exit;
}

/** Without an agent a tick can be broken off anywhere; one that runs must not be left behind, where nobody would end it in time. */
function interruptible() {
  const ending = new AbortController();
  const hurrying = new AbortController();
  let isRunning = false;
  let by: Stopped | undefined;
  const stop = (code: Stopped) => () => {
    if (!isRunning || hurrying.signal.aborted) process.exit(code);
    if (by !== undefined) hurrying.abort();
    by ??= code;
    ending.abort('shutdown');
  };
  handleInterrupt(stop(130));
  process.on('SIGTERM', stop(143));
  handleHangup(stop(129));
  return {
    signal: ending.signal,
    hurry: hurrying.signal,
    stoppedBy: () => by,
    take(event: RunEvent) {
      isRunning = event.kind === 'started';
    },
  };
}
