import type { CronExpression } from './cron-expression.js';

const MINUTE = 60_000;
const LONGEST_SEARCH = 8 * 24 * 60;

/**
 * The latest `count` moments at which a schedule was due, at or before `now`, newest first; fewer if they lie more than
 * eight days back. The daemon and systemd read a schedule in UTC, cron and launchd in local time.
 */
export function latestMoments(
  expression: CronExpression,
  now: Date,
  count: number,
  zone: 'utc' | 'local',
): readonly Date[] {
  const moments: Date[] = [];
  let at = Math.floor(now.getTime() / MINUTE) * MINUTE;
  for (let searched = 0; searched < LONGEST_SEARCH && moments.length < count; searched += 1) {
    const moment = new Date(at);
    if (isDue(expression, moment, zone)) moments.push(moment);
    at -= MINUTE;
  }
  return moments;
}

/** How late a tick may be noted after its moment, in milliseconds: it may start late, and takes a while. */
export const TICK_TOLERANCE_MS = 60_000;

/**
 * The moment of a tick that should have been noted since `lastTick`, or undefined where none is overdue. The newest moment may be
 * this very minute, with its tick still to come, so the one before it counts.
 */
export function overdueSince(
  expression: CronExpression,
  lastTick: Date,
  now: Date,
  zone: 'utc' | 'local',
): Date | undefined {
  const due = latestMoments(expression, now, 2, zone)[1];
  return due !== undefined && lastTick.getTime() < due.getTime() - TICK_TOLERANCE_MS ? due : undefined;
}

function isDue(expression: CronExpression, moment: Date, zone: 'utc' | 'local'): boolean {
  const utc = zone === 'utc';
  return (
    expression.minutes.includes(utc ? moment.getUTCMinutes() : moment.getMinutes()) &&
    expression.hours.includes(utc ? moment.getUTCHours() : moment.getHours()) &&
    expression.days.includes(utc ? moment.getUTCDate() : moment.getDate()) &&
    expression.months.includes((utc ? moment.getUTCMonth() : moment.getMonth()) + 1) &&
    expression.weekdays.includes(utc ? moment.getUTCDay() : moment.getDay())
  );
}
