import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCronExpression } from '../../../src/watcher/schedule/cron-expression.js';
import {
  calendarOf,
  pathOfService,
  systemdService,
  systemdTimer,
} from '../../../src/watcher/schedule/systemd-units.js';
import { difficult, entryOf } from './entries.js';

/** What systemd reads from a line of quoted words: C escapes undone, then `%%`, then (in arguments) `$$`. */
function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word = '']) =>
    word.replaceAll(/\\(.)/g, '$1').replaceAll('%%', '%'),
  );
}

function lineOf(text: string, name: string): string {
  return text.split('\n').find((line) => line.startsWith(`${name}=`)) ?? '';
}

describe('the units of systemd', () => {
  it('read for an ordinary channel as a person would write them', async () => {
    await expect(systemdService(entryOf())).toMatchFileSnapshot('golden/systemd-ordinary.service');
    await expect(systemdTimer(entryOf())).toMatchFileSnapshot('golden/systemd-ordinary.timer');
  });

  it('carry any root', async () => {
    await expect(systemdService(entryOf(difficult))).toMatchFileSnapshot('golden/systemd-difficult.service');
    await expect(systemdTimer(entryOf(difficult))).toMatchFileSnapshot('golden/systemd-difficult.timer');
  });

  it('whatever the paths, each is one line and one word, with nothing for systemd to expand', () => {
    const path = fc
      .string({
        unit: fc.oneof(
          fc.constantFrom('%', '$', '\\', '"', "'", ' ', ';', '{', '}'),
          fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
        ),
      })
      .filter((text) => !/[\p{Cc}\p{Cs}]/u.test(text))
      .map((text) => `/${text}`);
    fc.assert(
      fc.property(path, path, path, (root, config, state) => {
        const entry = { ...entryOf(), args: ['/tool.js', root, config], environment: { PATH: state } };
        const service = systemdService({ ...entry, root });
        const [program, ...args] = wordsOf(lineOf(service, 'ExecStart'));
        expect(program).toBe(entry.program);
        expect(args.map((arg) => arg.replaceAll('$$', '$'))).toEqual(entry.args);
        expect(args.join('').replaceAll('$$', '')).not.toContain('$');
        expect(wordsOf(lineOf(service, 'Environment'))).toEqual([`PATH=${state}`]);
        expect(pathOfService(service)).toBe(state);
        expect(service.split('\n')).toHaveLength(8);
        expect(service.replaceAll('%%', '')).not.toContain('%');
      }),
    );
  });

  it.each([
    ['* * * * *', '*-*-* *:*:00 UTC'],
    ['*/3 * * * *', '*-*-* *:0/3:00 UTC'],
    ['*/7 * * * *', '*-*-* *:0/7:00 UTC'],
    ['1,31 8-10 * * 1-5', 'Mon,Tue,Wed,Thu,Fri *-*-* 8,9,10:1,31:00 UTC'],
    ['0 0 1 */6 *', '*-1,7-1 0:0:00 UTC'],
    ['0 12 * * 7', 'Sun *-*-* 12:0:00 UTC'],
  ])('%s is %s', (text, calendar) => {
    const expression = parseCronExpression(text);
    expect('problem' in expression ? expression.problem : calendarOf(expression)).toBe(calendar);
  });
});
