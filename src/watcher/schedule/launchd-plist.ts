import { type CronExpression, isEvery, parseCronExpression, stepOf } from './cron-expression.js';
import type { ScheduleEntry } from './entry.js';

// More moments than this are a schedule that nobody meant for launchd, which lists each of them.
const MOST_MOMENTS = 1000;

/** The label of the channel's job; by it the job is found again. */
export function launchdLabel(key: string): string {
  return `debate-watch.${key}`;
}

/**
 * The property list of the job that runs one tick. "Every n minutes" becomes an interval; anything else the list of its
 * moments, in local time, as launchd has no other. Answers with one sentence where there would be too many.
 */
export function launchdPlist(entry: ScheduleEntry): { readonly text: string } | { readonly problem: string } {
  const expression = parseCronExpression(entry.schedule);
  if ('problem' in expression) return expression;
  const moments = everyMinutes(expression) === undefined ? momentsOf(expression) : [];
  if (moments.length > MOST_MOMENTS) {
    return {
      problem: `the schedule "${entry.schedule}" has ${moments.length} moments, too many for launchd: use fewer`,
    };
  }
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    '<dict>',
    '  <key>Label</key>',
    `  ${stringOf(launchdLabel(entry.key))}`,
    '  <key>ProgramArguments</key>',
    '  <array>',
    ...[entry.program, ...entry.args].map((word) => `    ${stringOf(word)}`),
    '  </array>',
    '  <key>EnvironmentVariables</key>',
    '  <dict>',
    ...Object.entries(entry.environment).flatMap(([name, value]) => [
      `    <key>${name}</key>`,
      `    ${stringOf(value)}`,
    ]),
    '  </dict>',
    ...whenOf(expression, moments),
    '  <key>ProcessType</key>',
    '  <string>Background</string>',
    '</dict>',
    '</plist>',
    '',
  ];
  return { text: lines.join('\n') };
}

/** The PATH that a property list sets, as `launchdPlist` wrote it. */
export function pathOfPlist(plist: string): string | undefined {
  const [, text] = /<key>PATH<\/key>\s*<string>([^<]*)<\/string>/.exec(plist) ?? [];
  return text?.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

function whenOf(expression: CronExpression, moments: readonly Moment[]): readonly string[] {
  const minutes = everyMinutes(expression);
  if (minutes !== undefined) return ['  <key>StartInterval</key>', `  <integer>${minutes * 60}</integer>`];
  const dicts = moments.flatMap((moment) => [
    '    <dict>',
    ...Object.entries(moment).flatMap(([name, value]) => [
      `      <key>${name}</key>`,
      `      <integer>${value}</integer>`,
    ]),
    '    </dict>',
  ]);
  return ['  <key>StartCalendarInterval</key>', '  <array>', ...dicts, '  </array>'];
}

function everyMinutes({ minutes, hours, days, months, weekdays }: CronExpression): number | undefined {
  if (!isEvery(hours, 24) || !isEvery(days, 31) || !isEvery(months, 12) || !isEvery(weekdays, 7)) return undefined;
  const step = stepOf(minutes, 0, 59);
  return step !== undefined && 60 % step === 0 ? step : undefined;
}

type Moment = Readonly<Record<string, number>>;

function momentsOf({ minutes, hours, days, months, weekdays }: CronExpression): readonly Moment[] {
  let moments: readonly Moment[] = [{}];
  for (const [name, values, all] of [
    ['Month', months, 12],
    ['Day', days, 31],
    ['Weekday', weekdays, 7],
    ['Hour', hours, 24],
    ['Minute', minutes, 60],
  ] as const) {
    // A key that is left out stands for every value.
    if (isEvery(values, all)) continue;
    moments = moments.flatMap((moment) => values.map((value) => ({ ...moment, [name]: value })));
  }
  return moments;
}

function stringOf(text: string): string {
  return `<string>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</string>`;
}
