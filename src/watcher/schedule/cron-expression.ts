/**
 * The five fields of a cron expression, each as the sorted list of values it stands for. `weekdays` runs from 0
 * (Sunday) to 6.
 */
export interface CronExpression {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly days: readonly number[];
  readonly months: readonly number[];
  readonly weekdays: readonly number[];
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
 * Reads a cron expression of five fields: numbers, `*`, ranges, steps and lists. That is what every scheduler agrees
 * on. Names of days, seconds, `@daily`, and a day of the month together with a weekday (cron takes either, node-cron
 * both) are refused, since a schedule must mean the same wherever it is installed. Answers with one sentence where it
 * cannot be read (issue 3: `schedule`, "validated cron expression").
 */
export function parseCronExpression(text: string): CronExpression | { readonly problem: string } {
  const fields = text.trim().split(/[ \t]+/);
  if (fields.length !== 5) {
    return { problem: `it needs five fields (minute hour day month weekday) and has ${fields.length}` };
  }
  const parsed = [MINUTE, HOUR, DAY, MONTH, WEEKDAY].map((field, index) => parseField(fields[index] ?? '', field));
  for (const values of parsed) if (typeof values === 'string') return { problem: values };
  const [minutes = [], hours = [], days = [], months = [], named = []] = parsed as number[][];
  const weekdays = sorted(named.map((value) => value % 7));
  if (!isEvery(days, 31) && !isEvery(weekdays, 7)) {
    return { problem: 'it restricts both the day of the month and the weekday, which schedulers read differently' };
  }
  if (!months.some((month) => (days[0] ?? 1) <= (LONGEST[month - 1] ?? 31))) {
    return { problem: 'it names a day that none of its months has' };
  }
  return { minutes, hours, days, months, weekdays };
}

/** Days of each month, in a leap year. */
const LONGEST = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** True where the values are all that their field has, which schedulers write as `*`. */
export function isEvery(values: readonly number[], all: number): boolean {
  return values.length === all;
}

/**
 * The step of a list that is written `first/step`: it begins at the field's first value, goes on in equal steps, and the
 * next would be past the field's last. Undefined for any other list.
 */
export function stepOf(values: readonly number[], first: number, last: number): number | undefined {
  const step = (values[1] ?? last + 1) - first;
  const isRegular = values.every((value, index) => value === first + index * step);
  return isRegular && (values.at(-1) ?? first) + step > last ? step : undefined;
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
    const last = from === undefined ? lastOf(field) : Number(to ?? from);
    if (first < field.first || last > field.last || first > last) {
      return `"${part}" is no ${field.name} between ${field.first} and ${field.last}`;
    }
    if (step !== undefined && Number(step) === 0) return `"${part}" has a step of 0`;
    for (let value = first; value <= last; value += Number(step ?? 1)) values.push(value);
  }
  return sorted(values);
}

// 7 is a second name of Sunday: "*" and its steps must not count it twice.
function lastOf(field: Field): number {
  return field === WEEKDAY ? 6 : field.last;
}

function sorted(values: readonly number[]): number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}
