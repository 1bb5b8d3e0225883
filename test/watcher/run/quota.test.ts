import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { usedUpQuota } from '../../../src/watcher/run/quota.js';
import { instantOf, isTimeZone, wallTimeAt } from '../../../src/watcher/run/wall-time.js';

const now = Date.UTC(2026, 6, 6, 18, 10);
const vienna = { now, timeZone: 'Europe/Vienna' };
const until = (text: string, at = vienna) => {
  const found = usedUpQuota(text, at);
  return found === undefined ? undefined : new Date(found.until).toISOString().slice(0, 16);
};

describe('output that says a quota is used up until a time (W9)', () => {
  it.each([
    ["You've hit your session limit, resets 10:30pm", '2026-07-06T20:30'],
    ["You've hit your session limit · resets 10:30pm (Europe/Vienna)", '2026-07-06T20:30'],
    ["You've hit your limit · resets 3am (America/New_York)", '2026-07-07T07:00'],
    ['\x1b[31m5-hour limit reached ∙ resets 9pm\x1b[39m', '2026-07-06T19:00'],
    ["You've hit your weekly limit · resets Jul 7 at 5pm (UTC)", '2026-07-07T17:00'],
    ['Weekly limit reached ∙ resets Oct 9, 10am', '2026-07-07T18:10'],
    ['Claude AI usage limit reached|1783368000', '2026-07-06T20:00'],
    ["You've hit your usage limit. Upgrade to Pro or try again in 3 hours 20 minutes.", '2026-07-06T21:30'],
    ["You've hit your usage limit. Try again in 3 days 2 hours 10 minutes.", '2026-07-07T18:10'],
    ["You've hit your usage limit, or try again at 9:05 PM.", '2026-07-06T19:05'],
    ["You've hit your usage limit. Try again at Jul 7th, 2026 3:05 PM.", '2026-07-07T13:05'],
    ['{"type":"usage_limit_reached","plan_type":"plus","resets_in_seconds":5400}', '2026-07-06T19:40'],
    ['{"type":"usage_limit_reached","resets_at":1783368000}', '2026-07-06T20:00'],
    ['Rate limit reached for gpt-5 on tokens per min. Please try again in 90s.', '2026-07-06T18:11'],
    ['Rate limit reached for gpt-5. Please try again in 1.898s.', '2026-07-06T18:11'],
    ['You have exhausted your daily quota. Your quota will reset after 3h12m30s.', '2026-07-06T21:22'],
    ['You exceeded your current quota. Please retry in 37.5s.', '2026-07-06T18:11'],
    ['"status": "RESOURCE_EXHAUSTED",\n  "details": [{ "retryDelay": "3000s" }]', '2026-07-06T19:00'],
    ['Quota exceeded. Access resets at 12:00 AM PDT.', '2026-07-07T07:00'],
    ['429 Too Many Requests\nretry-after: 3600\n', '2026-07-06T19:10'],
    ['error: rate_limit_error, x-ratelimit-reset: 1783368000', '2026-07-06T20:00'],
    ['Monthly quota used up; it renews on Tuesday at 09:00', '2026-07-07T07:00'],
    ['Daily limit reached, available again tomorrow at 08:00', '2026-07-07T06:00'],
    ['usage limit; resets at 2026-07-06T21:00:00Z', '2026-07-06T21:00'],
    ['usage limit; resets at 2026-07-06 23:00:00 +02:00', '2026-07-06T21:00'],
    ['Session limit, resets 20:15 CEST', '2026-07-06T18:15'],
    ['session limit, resets 8pm', '2026-07-06T18:11'],
  ])('%s', (text, expected) => {
    expect(until(text)).toBe(expected);
    expect(until(`starting\n${text}\nbye\n`)).toBe(expected);
  });

  it.each([
    ['no quota is named', 'The server is busy, try again at 10:30pm'],
    ['no time is named', "You've hit your session limit. Upgrade your plan."],
    ['the number is no time', 'rate limit: retry 5 of 10'],
    ['the time is impossible', 'session limit, resets 25:70'],
    ['the time stands far from the words', `usage limit ${'x '.repeat(300)} resets 10:30pm`],
    ['a later line of the log has a time of its own', 'usage limit reached\n2026-07-06T18:09:00Z exiting'],
    ['nothing is said at all', ''],
  ])('is not found when %s', (_why, text) => {
    expect(until(text)).toBeUndefined();
  });

  it('quotes the words that said so, on one line', () => {
    const found = usedUpQuota("start\nError: You've hit your session limit,\n  resets 10:30pm tonight", vienna);
    expect(found?.said).toBe("Error: You've hit your session limit, resets 10:30pm");
  });

  it('takes the last statement, and a time that has just passed for today’s, not tomorrow’s', () => {
    expect(until('session limit, resets 9pm\nsession limit, resets 10pm')).toBe('2026-07-06T20:00');
    expect(until('session limit, resets 8:05pm')).toBe('2026-07-06T18:11');
    expect(until('session limit, resets 7:50pm')).toBe('2026-07-07T17:50');
  });

  it('never waits longer than 24 hours, never less than a minute, and never throws, whatever the text', () => {
    const words = fc.constantFrom(
      'usage limit',
      'resets',
      'try again',
      'in',
      'at',
      '10:30pm',
      '99',
      'days',
      'Feb 31',
      '|',
      '1783368000',
    );
    const texts = fc.array(fc.oneof(words, fc.string()), { maxLength: 12 }).map((parts) => parts.join(' '));
    fc.assert(
      fc.property(texts, (text) => {
        const found = usedUpQuota(text, vienna);
        if (found === undefined) return;
        expect(found.until).toBeGreaterThanOrEqual(now + 60_000);
        expect(found.until).toBeLessThanOrEqual(now + 86_400_000);
      }),
    );
  });
});

const zones = fc.constantFrom(
  'UTC',
  'Europe/Vienna',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
);
const instants = fc
  .integer({ min: Date.UTC(2026, 0, 1) / 60_000, max: Date.UTC(2028, 0, 1) / 60_000 })
  .map((m) => m * 60_000);

describe('a time on the wall of any zone, at any time of the year (T11)', () => {
  it('that was announced is the next one that the clock there shows', () => {
    fc.assert(
      fc.property(zones, instants, fc.integer({ min: 20, max: 1300 }), (timeZone, at, ahead) => {
        const wall = wallTimeAt(at + ahead * 60_000, timeZone);
        const half = wall.hour < 12 ? 'am' : 'pm';
        const text = `session limit, resets ${wall.hour % 12 || 12}:${String(wall.minute).padStart(2, '0')}${half}`;
        const found = usedUpQuota(text, { now: at, timeZone });
        const shown = found && wallTimeAt(found.until, timeZone);
        expect(found?.until).toBeGreaterThan(at);
        expect(shown).toMatchObject({ hour: wall.hour, minute: wall.minute });
      }),
    );
  });

  it('and its instant lead to each other, except that of two such instants the later is meant', () => {
    fc.assert(
      fc.property(zones, instants, (timeZone, at) => {
        const wall = wallTimeAt(at, timeZone);
        const back = instantOf(wall, timeZone);
        expect(wallTimeAt(back, timeZone)).toEqual(wall);
        expect([0, 30, 60]).toContain((back - at) / 60_000);
      }),
    );
  });

  it('that is skipped in spring is the one an hour later', () => {
    const skipped = { year: 2026, month: 3, day: 29, hour: 2, minute: 30 };
    expect(new Date(instantOf(skipped, 'Europe/Vienna')).toISOString()).toBe('2026-03-29T01:30:00.000Z');
  });

  it('is read only in zones that exist', () => {
    expect(isTimeZone('Europe/Vienna')).toBe(true);
    expect(isTimeZone('Mars/Olympus')).toBe(false);
  });
});
