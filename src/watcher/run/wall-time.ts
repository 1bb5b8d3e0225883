/** What a clock on a wall shows; the month counts from 1. */
export interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

const dayMs = 86_400_000;

/** Whether this is the name of a time zone that the system knows. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** What the wall clock of a zone shows at an instant (milliseconds since 1970). */
export function wallTimeAt(instant: number, timeZone: string): WallTime {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  return { year: part('year'), month: part('month'), day: part('day'), hour: part('hour'), minute: part('minute') };
}

/**
 * The instant at which the clock of a zone shows this. Of two such instants, when clocks are set back, the later;
 * a time that is skipped when they are set forward is taken as the one an hour after it (rule T11).
 */
export function instantOf(wall: WallTime, timeZone: string): number {
  const asIfUtc = utcOf(wall);
  // A zone's offset is the same a day before and a day after, except around the change that matters here.
  const offsets = [-dayMs, dayMs].map((distance) => offsetAt(asIfUtc + distance, timeZone));
  const candidates = offsets.map((offset) => asIfUtc - offset);
  const exact = candidates.filter((instant) => utcOf(wallTimeAt(instant, timeZone)) === asIfUtc);
  return Math.max(...(exact.length > 0 ? exact : candidates));
}

/** The same wall clock time on another day. */
export function addDays(wall: WallTime, days: number): WallTime {
  const moved = new Date(utcOf(wall) + days * dayMs);
  return { ...wall, year: moved.getUTCFullYear(), month: moved.getUTCMonth() + 1, day: moved.getUTCDate() };
}

function utcOf(wall: WallTime): number {
  return Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute);
}

function offsetAt(instant: number, timeZone: string): number {
  const wholeMinute = Math.floor(instant / 60_000) * 60_000;
  return utcOf(wallTimeAt(wholeMinute, timeZone)) - wholeMinute;
}
