import { EXIT, type ExitCode } from '../../protocol/core/refusal.js';
import { fileLock } from '../../protocol/lock.js';
import { thisMachine } from '../../protocol/machine.js';
import { startDaemon } from '../../watcher/daemon/daemon.js';
import type { DaemonEvent } from '../../watcher/daemon/report.js';
import type { TickResult } from '../../watcher/tick/tick.js';
import { out, print } from '../print.js';
import { realWorld } from '../real-world.js';
import { endQuietlyOnClosedPipe, handleInterrupt } from '../streams.js';
import { eventDocument, eventLine } from '../watch/event-text.js';
import { lastLineOf } from '../watch/last-line.js';
import { type LiveStatus, liveStatus } from '../watch/live-status.js';
import { type ConfigsOptions, configsOf, openConfigured } from '../watched.js';

/** Options of `debate watch`. */
export interface WatchOptions extends ConfigsOptions {
  readonly channel?: string;
  readonly untilClose?: boolean;
  readonly json?: boolean;
}

/** How long one channel's lock may keep the others waiting, in milliseconds; a tick that does not get it comes again. */
const LOCK_MS = 1000;

/**
 * `debate watch`: watches until it is told to stop. The first SIGTERM or SIGINT lets running agents end by themselves for their grace
 * period, the second ends them at once; both end with 0. With `--until-close`: 0 when every thread is closed, 4 when what is
 * open is stuck.
 */
export async function watchCommand(options: WatchOptions): Promise<ExitCode> {
  // Names that cannot be used are refused now; what is wrong with one of many channels is told, and tried again.
  const named = configsOf(options);
  const live = process.stdout.isTTY && !options.json ? liveStatus(process.stdout, Date.now, lastLineOf) : undefined;
  if (live) endQuietlyOnClosedPipe(process.stdout);
  let finish: (exit: ExitCode) => void = () => undefined;
  const finished = new Promise<ExitCode>((resolve) => {
    finish = resolve;
  });
  const closes = options.untilClose ? untilClose(named, finish) : () => undefined;
  // In place before the first agent can start: a signal that comes in between must not leave one behind.
  let asked = 0;
  let hurry = (): void => undefined;
  const interrupted = () => {
    asked += 1;
    if (asked > 1) hurry();
    finish(EXIT.done);
  };
  handleInterrupt(interrupted);
  process.on('SIGTERM', interrupted);
  const daemon = await startDaemon({
    world: { ...realWorld(), lock: fileLock(thisMachine, undefined, LOCK_MS) },
    environment: process.env,
    configs: () => configsOf(options),
    open: (config) => openConfigured(options.channel === undefined ? {} : { channel: options.channel }, config, true),
    report: (event) => {
      show(event, options.json === true, live);
      closes(event);
    },
  });
  hurry = daemon.hurry;
  if (asked > 1) hurry();
  const exit = await finished;
  await daemon.stop();
  live?.end();
  return exit;
}

function show(event: DaemonEvent, asJson: boolean, live: LiveStatus | undefined): void {
  const now = new Date();
  if (asJson) {
    print(`${JSON.stringify(eventDocument(event, now))}\n`);
    return;
  }
  const line = event.kind === 'mirrored' ? event.text.trimEnd() : eventLine(event, now);
  const isNews = event.kind !== 'ticked' || event.result.failures.length > 0;
  if (live === undefined) {
    if (line !== undefined) out(line);
    return;
  }
  live.take(event);
  if (line !== undefined && isNews) live.print(line);
}

/** Takes events in until each of the configs is closed, or one that is not cannot go on by itself. */
function untilClose(configs: readonly string[], finish: (exit: ExitCode) => void): (event: DaemonEvent) => void {
  const ends = new Map<string, ExitCode>();
  return (event) => {
    if (event.kind !== 'ticked' && event.kind !== 'failed') return;
    const { config } = event.about;
    const exit = event.kind === 'failed' ? (event.look ? EXIT.look : undefined) : endOf(event.result);
    if (exit === undefined) ends.delete(config);
    else ends.set(config, exit);
    if (configs.every((each) => ends.has(each)))
      finish([...ends.values()].some((each) => each !== EXIT.done) ? EXIT.look : EXIT.done);
  };
}

function endOf({ thread, stuck }: TickResult): ExitCode | undefined {
  if (thread === '') return EXIT.done;
  return stuck ? EXIT.look : undefined;
}
