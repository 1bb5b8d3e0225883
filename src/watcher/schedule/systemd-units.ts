import { type CronExpression, isEvery, parseCronExpression, stepOf } from './cron-expression.js';
import type { ScheduleEntry } from './entry.js';

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;

/** The name of the channel's units, without `.service` and `.timer`; by it they are found again. */
export function systemdUnitName(key: string): string {
  return `debate-watch-${key}`;
}

/** The service that runs one tick. Whatever an agent left running when the tick ends, systemd ends with it. */
export function systemdService(entry: ScheduleEntry): string {
  const environment = Object.entries(entry.environment).map(
    ([name, value]) => `Environment=${quoteForSystemd(`${name}=${value}`)}`,
  );
  const args = entry.args.map((arg) => quoteForSystemd(arg).replaceAll('$', '$$$$'));
  return [
    '[Unit]',
    `Description=One tick of debate for ${entry.root.replaceAll('\\', '\\\\').replaceAll('%', '%%')}`,
    '',
    '[Service]',
    'Type=oneshot',
    ...environment,
    // In the place of the program systemd replaces no variables, so a dollar sign there must not be doubled.
    `ExecStart=${[quoteForSystemd(entry.program), ...args].join(' ')}`,
    '',
  ].join('\n');
}

/** The timer that starts the service, in UTC as the daemon's schedule is. */
export function systemdTimer(entry: ScheduleEntry): string {
  const expression = parseCronExpression(entry.schedule);
  if ('problem' in expression) throw new Error(`not a schedule: ${expression.problem}`);
  return [
    '[Unit]',
    `Description=When debate looks at ${entry.root.replaceAll('\\', '\\\\').replaceAll('%', '%%')}`,
    '',
    '[Timer]',
    `OnCalendar=${calendarOf(expression)}`,
    'AccuracySec=1s',
    '',
    '[Install]',
    'WantedBy=timers.target',
    '',
  ].join('\n');
}

/** The PATH that a service sets, as `systemdService` wrote it. */
export function pathOfService(service: string): string | undefined {
  const [, word] = /^Environment="PATH=((?:[^"\\]|\\.)*)"$/m.exec(service) ?? [];
  return word?.replaceAll(/\\(.)/g, '$1').replaceAll('%%', '%');
}

/** A cron expression as systemd's calendar event, in UTC. */
export function calendarOf({ minutes, hours, days, months, weekdays }: CronExpression): string {
  const named = isEvery(weekdays, 7) ? '' : `${weekdays.map((day) => WEEKDAYS[day]).join(',')} `;
  const date = `*-${valuesOf(months, 1, 12)}-${valuesOf(days, 1, 31)}`;
  return `${named}${date} ${valuesOf(hours, 0, 23)}:${valuesOf(minutes, 0, 59)}:00 UTC`;
}

function valuesOf(values: readonly number[], first: number, last: number): string {
  if (isEvery(values, last - first + 1)) return '*';
  const step = values.length > 2 ? stepOf(values, first, last) : undefined;
  return step === undefined ? values.join(',') : `${first}/${step}`;
}

// Quoted words know C escapes, and percent signs begin specifiers everywhere in a unit.
function quoteForSystemd(word: string): string {
  return `"${word.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')}"`;
}
