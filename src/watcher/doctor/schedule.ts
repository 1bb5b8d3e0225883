import { parseCronExpression } from '../schedule/cron-expression.js';
import { overdueSince, TICK_TOLERANCE_MS } from '../schedule/moments.js';
import type { SchedulerName, ScheduleState } from '../schedule/scheduler.js';
import { type Finding, ok, problem, warning } from './finding.js';

/** What is known of who drives a channel. */
export interface Driving {
  /** The scheduler that was asked; undefined if this machine has none. */
  readonly scheduler: SchedulerName | undefined;
  readonly state: ScheduleState | undefined;
  /** The daemon that drives the channel instead, in words; undefined for none. */
  readonly daemon: string | undefined;
  /** What `debate schedule install` would install now, for comparing; undefined if it cannot be. */
  readonly expected: string | undefined;
  /** The cron expression of the config. */
  readonly schedule: string;
  /** When the watcher's memory says that a tick last ran. */
  readonly lastTickAt: Date | undefined;
  readonly now: Date;
}

/** Whether something is installed that drives the channel, and whether ticks are really seen. */
export function judgeSchedule(driving: Driving): readonly Finding[] {
  return [judgeInstalled(driving), judgeLastTick(driving)];
}

function judgeInstalled({ scheduler, state, expected, daemon }: Driving): Finding {
  const about = 'schedule';
  if (daemon !== undefined) return ok(about, `driven by ${daemon}`);
  const remedy = 'run "debate schedule install", or keep "debate watch" running';
  if (scheduler === undefined || state === undefined) {
    return warning(about, 'this machine has no scheduler that is known', 'keep "debate watch" running');
  }
  if (!state.ok) return warning(about, `what ${scheduler} has could not be found out: ${state.problem}`, remedy);
  if (state.installed === undefined)
    return warning(about, `nothing is installed in ${scheduler} for this channel`, remedy);
  if (expected !== undefined && state.installed.text.trim() !== expected.trim()) {
    return warning(
      about,
      `what ${scheduler} has for this channel differs from what would be installed now (PATH, node, config or schedule changed)`,
      'look at "debate schedule status", and run "debate schedule install" again',
    );
  }
  return ok(about, `installed in ${scheduler}`);
}

function judgeLastTick({ scheduler, state, schedule, lastTickAt, now }: Driving): Finding {
  const about = 'last tick';
  const installed = state?.ok === true && state.installed !== undefined;
  if (lastTickAt === undefined) {
    return warning(
      about,
      'no tick has been seen yet',
      installed ? 'wait for the schedule, then ask again' : 'run "debate watch-once" once to see it work',
    );
  }
  const seen = `the last tick was ${lastTickAt.toISOString()}`;
  if (lastTickAt.getTime() > now.getTime() + TICK_TOLERANCE_MS)
    return warning(about, `${seen}, in the future`, 'set the clock');
  const expression = parseCronExpression(schedule);
  if (!installed || 'problem' in expression) return ok(about, seen);
  const due = overdueSince(expression, lastTickAt, now, scheduler === 'systemd' ? 'utc' : 'local');
  if (due === undefined) return ok(about, seen);
  return problem(
    about,
    `${seen}, and one was due at ${due.toISOString()}`,
    scheduler === 'cron'
      ? 'see that the cron daemon runs, and what it wrote to its log'
      : `see what ${scheduler} logged`,
  );
}
