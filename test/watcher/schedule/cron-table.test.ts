import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  cronLine,
  findCronLine,
  pathOfCronLine,
  quoteForCron,
  withCronLine,
  withoutCronLine,
} from '../../../src/watcher/schedule/cron-table.js';
import type { ScheduleEntry } from '../../../src/watcher/schedule/entry.js';
import { difficult, entryOf } from './entries.js';

let folder: string;
let echo: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'debate-cron-'));
  echo = join(folder, 'an "echo" for 100%');
  writeFileSync(echo, '#!/bin/sh\nprintf "%s\\0" "$PATH" "$@"\n');
  chmodSync(echo, 0o755);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What cron makes of a line before the shell sees it: five fields off, the text up to the first bare percent sign. */
function asCronReads(line: string): string {
  const command = line.split(' ').slice(5).join(' ');
  return (/^(?:[^%\\]|\\[\s\S])*/.exec(command)?.[0] ?? '').replaceAll('\\%', '%');
}

/** Runs a line as cron does, with `echo` in the place of node, and gives back the PATH and argv that arrived. */
function arrived(entry: ScheduleEntry): readonly string[] {
  const rendered = cronLine({ ...entry, program: echo });
  if ('problem' in rendered) throw new Error(rendered.problem);
  const out = execFileSync('/bin/sh', ['-c', asCronReads(rendered.line)], {
    encoding: 'utf8',
    env: { PATH: '/nowhere' },
  });
  return out.split('\0').slice(0, -1);
}

// No control characters and no lone surrogates: `scheduleEntry` refuses those.
const word = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom(...`%'"\\$\`!#;&|<>(){}[]*?~ =日é\u{1F600}`),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    ),
    maxLength: 20,
  })
  .filter((text) => !/[\p{Cc}\p{Cs}]/u.test(text));

describe('the line of a crontab', () => {
  it('reads for an ordinary channel as a person would write it', async () => {
    await expect(rendered()).toMatchFileSnapshot('golden/cron-ordinary.txt');
  });

  it('carries any root', async () => {
    await expect(rendered(difficult)).toMatchFileSnapshot('golden/cron-difficult.txt');
    const entry = entryOf(difficult);
    expect(arrived(entry)).toEqual([entry.environment.PATH, ...entry.args]);
  });

  it('whatever the paths, the shell that cron starts gets them whole', () => {
    fc.assert(
      fc.property(word, word, word, (root, config, path) => {
        const entry: ScheduleEntry = {
          ...entryOf(),
          args: ['/tool.js', 'watch-once', '--root', `/${root}`, '--config', `/${config}`],
          environment: { PATH: `/${path}` },
        };
        expect(arrived(entry)).toEqual([`/${path}`, ...entry.args]);
        const rendered = cronLine(entry);
        expect('line' in rendered ? pathOfCronLine(rendered.line) : rendered.problem).toBe(`/${path}`);
      }),
      { numRuns: 200 },
    );
  });

  it('never holds a percent sign, which ends a command and which crons escape differently', () => {
    fc.assert(
      fc.property(word, (text) => {
        expect(quoteForCron(text)).not.toContain('%');
      }),
    );
  });

  it('is refused where cron would cut it', () => {
    const PATH = Array.from({ length: 60 }, (_, index) => `/home/ann/tools/${index}/bin`).join(':');
    expect(cronLine(entryOf({ environment: { PATH } }))).toEqual({
      problem: expect.stringMatching(
        /^the line would be 1\d+ bytes long and cron cuts it at 998: install with a shorter PATH/,
      ),
    });
  });
});

function rendered(change: Parameters<typeof entryOf>[0] = {}): string {
  const line = cronLine(entryOf(change));
  return 'line' in line ? `${line.line}\n` : line.problem;
}

describe('a crontab', () => {
  const mine = '*/3 * * * * node x # debate-watch a-1';
  const line = fc.oneof(
    fc.constantFrom(
      '',
      '# debate-watch a-1',
      mine,
      '# disabled # debate-watch a-1',
      'MAILTO=ann',
      '0 1 * * * x # debate-watch a-10',
    ),
    fc.string().filter((text) => !text.includes('\n')),
  );
  const table = fc.array(line).map((lines) => lines.map((each) => `${each}\n`).join(''));
  const others = (text: string) => withoutCronLine(text, 'a-1');

  it('keeps every other line as it is, whatever it holds', () => {
    fc.assert(
      fc.property(table, (text) => {
        expect(others(withCronLine(text, 'a-1', mine))).toBe(others(text));
      }),
    );
  });

  it('has one line for a channel after installing, however often', () => {
    fc.assert(
      fc.property(table, (text) => {
        const once = withCronLine(text, 'a-1', mine);
        expect(findCronLine(once, 'a-1')).toBe(mine);
        expect(once.split('\n').filter((each) => each.endsWith(' # debate-watch a-1'))).toEqual([mine]);
        expect(withCronLine(once, 'a-1', mine)).toBe(once);
        expect(once.endsWith('\n')).toBe(true);
      }),
    );
  });

  it('has none after removing, and another channel keeps its own', () => {
    const both = withCronLine(withCronLine('', 'a-1', mine), 'a-10', '* * * * * node y # debate-watch a-10');
    expect(findCronLine(withoutCronLine(both, 'a-1'), 'a-1')).toBeUndefined();
    expect(findCronLine(withoutCronLine(both, 'a-1'), 'a-10')).toBe('* * * * * node y # debate-watch a-10');
    expect(withoutCronLine('MAILTO=ann', 'a-1')).toBe('MAILTO=ann');
  });

  it('that lacks its last newline does not swallow the new line', () => {
    expect(withCronLine('MAILTO=ann', 'a-1', mine)).toBe(`MAILTO=ann\n${mine}\n`);
    expect(withCronLine('', 'a-1', mine)).toBe(`${mine}\n`);
  });

  it('whose line someone commented out has none in force', () => {
    expect(findCronLine(`#${mine}\n`, 'a-1')).toBeUndefined();
    expect(withCronLine(`#${mine}\n`, 'a-1', mine)).toBe(`${mine}\n`);
  });
});
