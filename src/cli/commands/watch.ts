import { EXIT, type ExitCode } from '../../protocol/core/refusal.js';
import { fileLock } from '../../protocol/lock.js';
import { thisMachine } from '../../protocol/machine.js';
import { startDaemon } from '../../watcher/daemon/daemon.js';
import type { DaemonEvent } from '../../watcher/daemon/report.js';
import type { Watched } from '../../watcher/open-watched.js';
import type { TickResult } from '../../watcher/tick/tick.js';
import { realWorld } from '../real-world.js';
import { handleHangup, handleInterrupt } from '../streams.js';
import { eventDocument, eventLine } from '../watch/event-text.js';
import { lastLineOf } from '../watch/last-line.js';
import { type LiveStatus, liveStatus } from '../watch/live-status.js';
import { type ConfigsOptions, configsOf, openConfigured } from '../watched.js';
import { tryWrite } from '../write.js';

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
 * period, the second ends them at once; both end with 0. A terminal or a reader of the output that goes away is such a signal.
 * With `--until-close`: 0 when every thread is closed, 4 when what is open is stuck, 3 where a config cannot be used.
 */
export async function watchCommand(options: WatchOptions): Promise<ExitCode> {
  // Names that cannot be used are refused now; what is wrong with one of many channels is told, and tried again.
  const named = configsOf(options);
  if (options.all === undefined) refuseUnlessOneOpens(named, options);
  const live = process.stdout.isTTY && !options.json ? liveStatus(process.stdout, Date.now, lastLineOf) : undefined;
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
  handleHangup(interrupted);
  // Nobody reads any more: told to stop, but by no signal. What else fails, such as a full disk, must not end a daemon.
  const lost = (problem: string | undefined) => {
    if (problem === 'EPIPE' || problem === 'EIO') finish(EXIT.done);
  };
  if (live) process.stdout.on('error', (error: NodeJS.ErrnoException) => lost(error.code));
  const daemon = await startDaemon({
    world: { ...realWorld(), lock: fileLock(thisMachine, undefined, LOCK_MS) },
    environment: process.env,
    configs: () => configsOf(options),
    open: (config) => openNamed(config, options),
    report: (event) => {
      const problem = show(event, options.json === true, live);
      lost(problem);
      closes(event);
      if (problem !== undefined && event.kind === 'mirrored') throw new Error(problem);
    },
  });
  hurry = daemon.hurry;
  if (asked > 1) hurry();
  const exit = await finished;
  await daemon.stop();
  live?.end();
  return exit;
}

function openNamed(config: string, { channel }: WatchOptions): Watched {
  return openConfigured(channel === undefined ? {} : { channel }, config, true);
}

/** Where nothing that was named can be watched, whoever started it is told at once; a folder of configs may still fill. */
function refuseUnlessOneOpens(named: readonly string[], options: WatchOptions): void {
  let first: unknown;
  for (const config of named) {
    try {
      openNamed(config, options);
      return;
    } catch (error) {
      first ??= error;
    }
  }
  throw first;
}

/** Shows an event; answers with the error's code where it could not be written. */
function show(event: DaemonEvent, asJson: boolean, live: LiveStatus | undefined): string | undefined {
  const now = new Date();
  if (asJson) return tryWrite(1, `${JSON.stringify(eventDocument(event, now))}\n`);
  const line = event.kind === 'mirrored' ? event.text.trimEnd() : eventLine(event, now);
  const isNews = event.kind !== 'ticked' || event.result.failures.length > 0;
  if (live === undefined) return line === undefined ? undefined : tryWrite(1, `${line}\n`);
  live.take(event);
  if (line !== undefined && isNews) live.print(line);
  return undefined;
}

/** Takes events in until each of the configs is closed, or one that is not cannot go on by itself. */
function untilClose(configs: readonly string[], finish: (exit: ExitCode) => void): (event: DaemonEvent) => void {
  const ends = new Map<string, ExitCode>();
  return (event) => {
    if (event.kind !== 'ticked' && event.kind !== 'failed') return;
    const { config } = event.about;
    const exit = event.kind === 'failed' ? endOfFailed(event) : endOf(event.result);
    if (exit === undefined) ends.delete(config);
    else ends.set(config, exit);
    if (configs.every((each) => ends.has(each))) finish(worst([...ends.values()]));
  };
}

const worst = (exits: readonly ExitCode[]): ExitCode =>
  [EXIT.look, EXIT.couldNotCheck].find((each) => exits.includes(each)) ?? EXIT.done;

/** Refusals that no later tick finds otherwise unless a person acts; the rest, such as a lock, may pass. */
const LASTING = ['bad-config', 'no-channel', 'ambiguous-root', 'wrong-copy', 'brokered'];

function endOfFailed({ code, look }: { readonly code: string; readonly look: boolean }): ExitCode | undefined {
  if (look) return EXIT.look;
  return LASTING.includes(code) ? EXIT.couldNotCheck : undefined;
}

/** An agent that has closed its thread may finish what it does. */
function endOf({ thread, stuck, running }: TickResult): ExitCode | undefined {
  if (running) return undefined;
  if (thread === '') return EXIT.done;
  return stuck ? EXIT.look : undefined;
}
