import fc from 'fast-check';
import cron from 'node-cron';
import { describe, expect, it } from 'vitest';
import { parseCronExpression, stepOf } from '../../../src/watcher/schedule/cron-expression.js';

/** A part of a field, well-formed more often than not. */
function part(first: number, last: number) {
  const number = fc.integer({ min: first, max: last + 1 });
  const step = fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined });
  return fc.oneof(
    step.map((every) => (every === undefined ? '*' : `*/${every}`)),
    number.map(String),
    fc.tuple(number, number, step).map(([from, to, every]) => `${from}-${to}${every === undefined ? '' : `/${every}`}`),
  );
}

function field(first: number, last: number) {
  return fc.array(part(first, last), { minLength: 1, maxLength: 3 }).map((parts) => parts.join(','));
}

const expression = fc
  .tuple(field(0, 59), field(0, 23), field(1, 31), field(1, 12), field(0, 7))
  .map((fields) => fields.join(' '));

describe('a cron expression', () => {
  it('that is accepted is one that node-cron, which drives the daemon, accepts too', () => {
    fc.assert(
      fc.property(expression, (text) => {
        fc.pre(!('problem' in parseCronExpression(text)));
        expect(cron.validate(text)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('any text is read or refused with a sentence, never thrown at', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), expression), (text) => {
        const parsed = parseCronExpression(text);
        if ('problem' in parsed) expect(parsed.problem).not.toBe('');
        else expect(parsed.minutes.length).toBeGreaterThan(0);
      }),
    );
  });

  it('stands for the values of its lists, ranges and steps', () => {
    expect(parseCronExpression('*/20 8-10,13 1-31/10 1-3 *')).toEqual({
      minutes: [0, 20, 40],
      hours: [8, 9, 10, 13],
      days: [1, 11, 21, 31],
      months: [1, 2, 3],
      weekdays: [0, 1, 2, 3, 4, 5, 6],
    });
  });

  it('knows Sunday as 0 and as 7', () => {
    expect(parseCronExpression('0 0 * * 7')).toMatchObject({ weekdays: [0] });
    expect(parseCronExpression('0 0 * * 5-7')).toMatchObject({ weekdays: [0, 5, 6] });
    expect(parseCronExpression('0 0 * * *')).toMatchObject({ weekdays: [0, 1, 2, 3, 4, 5, 6] });
  });

  it.each([
    ['* * * *', 'it needs five fields (minute hour day month weekday) and has'],
    ['* * * * * *', 'it needs five fields (minute hour day month weekday) and has'],
    ['60 * * * *', '"60" is no minute between 0 and 59'],
    ['* * 0 * *', '"0" is no day of the month between 1 and 31'],
    ['* * * jan *', '"jan" is no month'],
    ['30-10 * * * *', '"30-10" is no minute between 0 and 59'],
    ['5/10 * * * *', '"5/10" needs a range before its step, as in 5-59/10'],
    ['*/0 * * * *', '"*/0" has a step of 0'],
    ['1, * * * *', '"" is no minute'],
    ['0 0 1 * 1', 'it restricts both the day of the month and the weekday, which schedulers read differently'],
  ])('%s is refused', (text, problem) => {
    expect(parseCronExpression(text)).toEqual({ problem: expect.stringContaining(problem) });
  });

  it('has a step where its values go on evenly to the end of the field, and only there', () => {
    expect(stepOf([0, 15, 30, 45], 0, 59)).toBe(15);
    expect(stepOf([0, 7, 14, 21, 28, 35, 42, 49, 56], 0, 59)).toBe(7);
    expect(stepOf([0], 0, 59)).toBe(60);
    for (const values of [[0, 15, 30], [1, 16, 31, 46], [0, 1, 3], [5]]) expect(stepOf(values, 0, 59)).toBeUndefined();
  });
});
