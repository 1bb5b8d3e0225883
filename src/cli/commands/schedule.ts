import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { commandOnPath } from '../../process/find-command.js';
import { EXIT, type ExitCode, Refusal } from '../../protocol/core/refusal.js';
import { visible } from '../../protocol/core/visible.js';
import type { Watched } from '../../watcher/open-watched.js';
import { chooseScheduler, schedulers } from '../../watcher/schedule/choose-scheduler.js';
import { type ScheduleEntry, scheduleEntry } from '../../watcher/schedule/entry.js';
import type { SchedulerName, SchedulerWorld } from '../../watcher/schedule/scheduler.js';
import type { ChannelOptions } from '../context.js';
import { json, out, print, say } from '../print.js';
import { toolPath } from '../tool-path.js';
import { openConfigured } from '../watched.js';

/** Options of the commands under `debate schedule`. */
export interface ScheduleOptions extends ChannelOptions {
  readonly config: string;
  readonly scheduler?: SchedulerName;
}

/** `debate schedule print`: what `install` would install; touches nothing. */
export function schedulePrintCommand(options: ScheduleOptions): ExitCode {
  const watched = openConfigured(options, options.config);
  const scheduler = schedulerOf(options);
  const rendered = schedulers[scheduler].render(entryOf(watched));
  if ('problem' in rendered) throw notSchedulable(rendered.problem);
  if (options.json) json({ scheduler, text: rendered.text });
  else print(rendered.text);
  return EXIT.done;
}

/** `debate schedule install`: one entry a channel, in place of the one that it had. */
export async function scheduleInstallCommand(options: ScheduleOptions): Promise<ExitCode> {
  const watched = openConfigured(options, options.config);
  const scheduler = schedulerOf(options);
  const entry = entryOf(watched);
  const done = await schedulers[scheduler].install(entry, schedulerWorld());
  if (!done.ok) throw notSchedulable(done.problem);
  for (const notice of done.notices) say(`notice: ${visible(notice)}`);
  if (options.json) json({ scheduler, key: entry.key, changed: done.changed, notices: done.notices });
  else out(`${done.changed ? 'installed' : 'already installed'} in ${scheduler}: ${entry.schedule}  ${entry.key}`);
  return EXIT.done;
}

/** `debate schedule remove`: also an entry that another release or another folder installed. */
export async function scheduleRemoveCommand(options: ScheduleOptions): Promise<ExitCode> {
  const { config } = openConfigured(options, options.config);
  const scheduler = schedulerOf(options);
  const done = await schedulers[scheduler].remove(config.channelKey, schedulerWorld());
  if (!done.ok) throw notSchedulable(done.problem);
  if (options.json) json({ scheduler, key: config.channelKey, changed: done.changed });
  else out(`${done.changed ? 'removed from' : 'nothing of this channel in'} ${scheduler}: ${config.channelKey}`);
  return EXIT.done;
}

/** `debate schedule status`: what is in force; 4 when it is not what would be installed now. */
export async function scheduleStatusCommand(options: ScheduleOptions): Promise<ExitCode> {
  const watched = openConfigured(options, options.config);
  const scheduler = schedulerOf(options);
  const state = await schedulers[scheduler].status(watched.config.channelKey, schedulerWorld());
  if (!state.ok) throw notSchedulable(state.problem);
  const rendered = schedulers[scheduler].render(entryOf(watched));
  const { installed } = state;
  const isCurrent = installed !== undefined && 'text' in rendered && rendered.text.trim() === installed.text.trim();
  if (options.json)
    json({ scheduler, installed: installed?.text ?? null, path: installed?.path ?? null, current: isCurrent });
  else if (installed === undefined) out(`nothing of this channel in ${scheduler}`);
  else {
    out(visible(installed.text.trimEnd()));
    if (!isCurrent) out('it differs from what would be installed now: see `debate schedule print`, and install again');
  }
  return installed !== undefined && !isCurrent ? EXIT.look : EXIT.done;
}

/** Where schedulers are asked: as this person, on this machine. */
export function schedulerWorld(): SchedulerWorld {
  return { environment: process.env, home: homedir(), uid: process.getuid?.() ?? 0 };
}

function schedulerOf({ scheduler }: ScheduleOptions): SchedulerName {
  const has = (program: string) => commandOnPath(program, process.env.PATH) !== undefined;
  const chosen = scheduler ?? chooseScheduler(process.platform, has);
  if (chosen !== undefined) return chosen;
  throw new Refusal({
    code: 'not-applicable',
    message: 'This machine has no scheduler that is known: neither cron nor systemd nor launchd.',
    hint: 'Keep `debate watch` running instead.',
  });
}

function entryOf({ channel, config }: Watched): ScheduleEntry {
  const entry = scheduleEntry({
    key: config.channelKey,
    root: config.root,
    config: config.path,
    channelId: channel.paths.id,
    schedule: config.schedule,
    node: realpathSync(process.execPath),
    tool: toolPath(),
    environment: process.env,
  });
  if ('problem' in entry) throw notSchedulable(entry.problem);
  return entry;
}

function notSchedulable(problem: string): Refusal {
  return new Refusal({
    code: 'could-not-check',
    message: `The schedule was left as it is: ${problem}.`,
    hint: 'Put that right, or keep `debate watch` running instead.',
  });
}
