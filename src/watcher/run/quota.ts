import { addDays, instantOf, isTimeZone, type WallTime, wallTimeAt } from './wall-time.js';

/** A quota that an agent reported as used up. */
export interface UsedUpQuota {
  /** When to try again, milliseconds since 1970: always after now and at most 24 hours away. */
  readonly until: number;
  /** The words that said so, on one line. */
  readonly said: string;
}

/** When and where the text is read. */
export interface ReadingTime {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The zone in which a time without one is meant: that of this machine. */
  readonly timeZone: string;
}

const minute = 60_000;
const hour = 60 * minute;
const longestWait = 24 * hour;
/** The agent wrote its text a little before we read it: a time that has just passed is not tomorrow's. */
const justPassed = 15 * minute;
const shortestWait = minute;

const usedUp =
  /usage[ _-]limit|session limit|weekly limit|daily limit|monthly limit|\bhour limit|-hour limit|hit your (?:[\w-]+ )?limit|limit (?:was |has been )?reached|rate[ _-]?limit|quota|too many requests|resource[ _]exhausted|out of (?:credits|messages|requests)|exceeded your/gi;
/** How far after those words the time stands at most. */
const sameStatement = 400;

/**
 * Finds in an agent's output that its quota is used up until a time, and until when (DESIGN.md 7, field case W9). Only
 * for a run that failed: an agent that reviews a rate limiter writes such words too. The last statement that names a
 * time stands; a wait is never longer than 24 hours, whatever the text says. Undefined when nothing says so.
 */
export function usedUpQuota(text: string, at: ReadingTime): UsedUpQuota | undefined {
  const plain = text.replace(/\x1b\[[0-9;]*[A-Za-z]/g, '');
  for (const found of [...plain.matchAll(usedUp)].reverse()) {
    const statement = plain.slice(found.index, found.index + sameStatement);
    const read = readTime(statement, at);
    if (read === undefined) continue;
    const until = Math.min(Math.max(read.until, at.now + shortestWait), at.now + longestWait);
    const lineStart = plain.lastIndexOf('\n', found.index) + 1;
    const said = plain.slice(Math.max(lineStart, found.index - 100), found.index + read.end);
    return { until, said: said.replace(/\s+/g, ' ').trim() };
  }
  return undefined;
}

interface ReadInstant {
  readonly until: number;
  /** Where in the statement its words end. */
  readonly end: number;
}

type Reader = (found: RegExpExecArray, at: ReadingTime) => number | undefined;

const timeOfDay = String.raw`(?<hour>\d{1,2})(?::(?<minute>\d{2}))?(?::\d{2})?\s?(?<half>[ap]\.?m\b\.?)?`;
const zone = String.raw`(?:\s*\(?(?<zone>[A-Z][A-Za-z_]+(?:\/[A-Za-z_+-]+){1,2}|UTC|GMT|Z|[ECMP][SD]T|CES?T)\b\)?)?`;
const months = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec';
const date = String.raw`(?<month>${months})[a-z]*\.?\s+(?<day>\d{1,2})(?:st|nd|rd|th)?(?:,?\s+(?<year>\d{4}))?`;
const weekdays = 'sun|mon|tue|wed|thu|fri|sat';
const again = String.raw`(?:resets?|again|retry|retrying|available|renews?|refresh(?:es|ed)?|until|back)\W{0,3}(?:will\s)?`;
const unit = `(?:d(?:ays?)?|h(?:ours?|rs?)?|m(?:in(?:ute)?s?)?|s(?:ec(?:ond)?s?)?)`;

/** Ways to name a time; of those that are found, the one that stands first is meant. */
const readers: readonly (readonly [RegExp, Reader])[] = [
  [
    /(?:resets?|again|retry|until|available)[^\n]{0,30}?(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?\s?(?:Z|UTC|[+-]\d\d:?\d\d))/i,
    ([, text = '']) => isoInstant(text),
  ],
  [/(?:limit reached\||resets?_?at\W{1,5}|reset\W{1,5})(\d{10})(?:\d{3})?\b/i, ([, seconds]) => Number(seconds) * 1000],
  [
    /(?:resets?_?in_?seconds|retry[-_ ]?after(?:[-_ ]seconds)?)\W{1,4}(\d{1,9}(?:\.\d+)?)(?![.\d]|\s?[mhd])/i,
    ([, seconds], { now }) => now + Number(seconds) * 1000,
  ],
  [/retry[-_ ]?delay\W{1,5}(\d{1,9}(?:\.\d+)?)s\b/i, ([, seconds], { now }) => now + Number(seconds) * 1000],
  [
    new RegExp(
      String.raw`${again}(?:in|after)\s+(?:about\s)?((?:\d+(?:\.\d+)?\s?${unit}(?![a-z])(?:,?\sand\s|,?\s)?|\d+${unit}(?=\d))+)`,
      'i',
    ),
    (found, at) => readDuration(found[1] ?? '', at),
  ],
  [new RegExp(String.raw`${again}(?:on\s|at\s)?${date}(?:,?\s+(?:at\s)?${timeOfDay})?${zone}`, 'i'), readDate],
  [
    new RegExp(String.raw`${again}(?:on\s)?(?<weekday>${weekdays})[a-z]*,?\s(?:at\s)?${timeOfDay}${zone}`, 'i'),
    readTimeOfDay,
  ],
  [new RegExp(String.raw`${again}(?:(?<tomorrow>tomorrow)\s)?(?:at\s)?${timeOfDay}${zone}`, 'i'), readTimeOfDay],
];

function readTime(statement: string, at: ReadingTime): ReadInstant | undefined {
  const read = readers.flatMap(([pattern, reader]) => {
    const found = pattern.exec(statement);
    const until = found === null ? undefined : reader(found, at);
    if (found === null || until === undefined || !Number.isFinite(until)) return [];
    return [{ until, start: found.index, end: found.index + found[0].length }];
  });
  return read.sort((a, b) => a.start - b.start)[0];
}

function isoInstant(text: string): number | undefined {
  const instant = Date.parse(
    text
      .replace(' ', 'T')
      .replace(/\s?UTC$/, 'Z')
      .replace(/\s/g, ''),
  );
  return Number.isNaN(instant) ? undefined : instant;
}

function readDuration(text: string, { now }: ReadingTime): number | undefined {
  const units: Readonly<Record<string, number>> = { d: 24 * hour, h: hour, m: minute, s: 1000 };
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)\s?([dhms])/gi)) {
    total += Number(amount) * (units[(unit ?? '').toLowerCase()] ?? 0);
  }
  return total > 0 ? now + total : undefined;
}

function readTimeOfDay(found: RegExpExecArray, at: ReadingTime): number | undefined {
  const time = clockTime(found.groups);
  // A bare number without a half of the day is a count of something, not a time.
  if (time === undefined || (found.groups?.minute === undefined && found.groups?.half === undefined)) return undefined;
  const timeZone = zoneOf(found.groups?.zone, at.timeZone);
  const today: WallTime = { ...wallTimeAt(at.now, timeZone), ...time };
  if (found.groups?.tomorrow !== undefined) return instantOf(addDays(today, 1), timeZone);
  const weekday = found.groups?.weekday?.toLowerCase();
  const days = [-1, 0, 1, 2, 3, 4, 5, 6, 7].map((distance) => addDays(today, distance));
  const meant = weekday === undefined ? days : days.filter((day) => weekdayOf(day) === weekday);
  const candidates = meant.map((day) => instantOf(day, timeZone));
  return candidates.find((instant) => instant > at.now - justPassed);
}

function readDate(found: RegExpExecArray, at: ReadingTime): number | undefined {
  const groups = found.groups ?? {};
  const time = groups.hour === undefined ? { hour: 0, minute: 0 } : clockTime(groups);
  if (time === undefined) return undefined;
  const timeZone = zoneOf(groups.zone, at.timeZone);
  const month = months.split('|').indexOf((groups.month ?? '').toLowerCase()) + 1;
  const thisYear = wallTimeAt(at.now, timeZone).year;
  const years = groups.year === undefined ? [thisYear, thisYear + 1] : [Number(groups.year)];
  const candidates = years.map((year) => instantOf({ year, month, day: Number(groups.day), ...time }, timeZone));
  return candidates.find((instant) => instant > at.now - 24 * hour) ?? candidates[0];
}

function weekdayOf({ year, month, day }: WallTime): string | undefined {
  return weekdays.split('|')[new Date(Date.UTC(year, month - 1, day)).getUTCDay()];
}

function clockTime(
  groups: Readonly<Record<string, string | undefined>> = {},
): { hour: number; minute: number } | undefined {
  const half = groups.half?.toLowerCase().charAt(0);
  const shown = Number(groups.hour);
  const past = Number(groups.minute ?? 0);
  if (past > 59 || shown > 23 || (half !== undefined && (shown < 1 || shown > 12))) return undefined;
  return { hour: half === undefined ? shown : (shown % 12) + (half === 'p' ? 12 : 0), minute: past };
}

const shortZones: Readonly<Record<string, string>> = {
  Z: 'UTC',
  UTC: 'UTC',
  GMT: 'UTC',
  PST: 'America/Los_Angeles',
  PDT: 'America/Los_Angeles',
  MST: 'America/Denver',
  MDT: 'America/Denver',
  CST: 'America/Chicago',
  CDT: 'America/Chicago',
  EST: 'America/New_York',
  EDT: 'America/New_York',
  CET: 'Europe/Berlin',
  CEST: 'Europe/Berlin',
};

function zoneOf(named: string | undefined, otherwise: string): string {
  const zoneName = named === undefined ? otherwise : (shortZones[named] ?? named);
  return isTimeZone(zoneName) ? zoneName : otherwise;
}
