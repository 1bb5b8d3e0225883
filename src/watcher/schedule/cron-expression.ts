/**
 * The five fields of a cron expression, each as the sorted list of values it stands for. `weekdays` runs from 0
 * (Sunday) to 6. `daysRestricted` and `weekdaysRestricted` keep what the lists cannot: by the rule of cron a day fits
 * if *either* field fits, once both are restricted.
 */
export interface CronExpression {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly days: readonly number[];
  readonly months: readonly number[];
  readonly weekdays: readonly number[];
  readonly daysRestricted: boolean;
  readonly weekdaysRestricted: boolean;
}

interface Field {
  readonly name: string;
  readonly first: number;
  readonly last: number;
}

const MINUTE: Field = { name: 'minute', first: 0, last: 59 };
const HOUR: Field = { name: 'hour', first: 0, last: 23 };
const DAY: Field = { name: 'day of the month', first: 1, last: 31 };
const MONTH: Field = { name: 'month', first: 1, last: 12 };
const WEEKDAY: Field = { name: 'day of the week', first: 0, last: 7 };

/**
 * Reads a cron expression of five fields: numbers, `*`, ranges, steps and lists. That is what every cron daemon and
 * node-cron agree on; names of days, seconds and `@daily` are left out, since a schedule must mean the same wherever
 * it is installed. Answers with one sentence where it cannot be read (issue 3: `schedule`, "validated cron expression").
 */
export function parseCronExpression(text: string): CronExpression | { readonly problem: string } {
  const fields = text.trim().split(/[ \t]+/);
  if (fields.length !== 5) {
    return {
      problem: `a cron expression has five fields (minute hour day month weekday), this one has ${fields.length}`,
    };
  }
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = fields;
  const parsed = [
    parseField(minute, MINUTE),
    parseField(hour, HOUR),
    parseField(day, DAY),
    parseField(month, MONTH),
    parseField(weekday, WEEKDAY),
  ];
  for (const values of parsed) if (typeof values === 'string') return { problem: values };
  const [minutes, hours, days, months, weekdays] = parsed as number[][];
  return {
    minutes: minutes ?? [],
    hours: hours ?? [],
    days: days ?? [],
    months: months ?? [],
    weekdays: sorted((weekdays ?? []).map((value) => value % 7)),
    daysRestricted: !day.startsWith('*'),
    weekdaysRestricted: !weekday.startsWith('*'),
  };
}

/** True where the value stands for every value of its field, which schedulers write as `*`. */
export function isEvery(values: readonly number[], first: number, last: number): boolean {
  return values.length === last - first + 1;
}

function parseField(text: string, field: Field): number[] | string {
  const values: number[] = [];
  for (const part of text.split(',')) {
    const match = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/.exec(part);
    if (match === null) return `"${part}" is no ${field.name}`;
    const [, from, to, step] = match;
    if (step !== undefined && from !== undefined && to === undefined) {
      return `"${part}" needs a range before its step, as in ${from}-${field.last}/${step}`;
    }
    const first = from === undefined ? field.first : Number(from);
    const last = to === undefined ? (from === undefined ? everyUpTo(field) : first) : Number(to);
    if (first < field.first || last > field.last || first > last) {
      return `"${part}" is no ${field.name} between ${field.first} and ${field.last}`;
    }
    if (step !== undefined && Number(step) === 0) return `"${part}" has a step of 0`;
    for (let value = first; value <= last; value += Number(step ?? 1)) values.push(value);
  }
  return sorted(values);
}

// 7 is a second name of Sunday: "*" and its steps must not count it twice.
function everyUpTo(field: Field): number {
  return field === WEEKDAY ? 6 : field.last;
}

function sorted(values: readonly number[]): number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}
