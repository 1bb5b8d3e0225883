import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ancestorsOf,
  descendantsOf,
  environCarries,
  isSameProcess,
  type ProcessRecord,
  parseProcStat,
  parsePs,
} from '../../src/process/process-table.js';

const pid = fc.integer({ min: 1, max: 4_194_304 });
const record = (at: number, ppid: number): ProcessRecord => ({ pid: at, ppid, pgid: at, startTime: '1', alive: true });

describe('one line of /proc/<pid>/stat', () => {
  it('is read whatever the name of the command holds: blanks, line breaks, parentheses', () => {
    fc.assert(
      fc.property(pid, pid, pid, fc.string(), fc.nat(), (at, ppid, pgid, name, started) => {
        const text = `${at} (${name}) S ${ppid} ${pgid} 7 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 ${started} 2555904 500\n`;
        expect(parseProcStat(text)).toEqual({ pid: at, ppid, pgid, startTime: String(started), alive: true });
      }),
    );
  });

  it('of a zombie says that it is not alive, unless other threads of it still run', () => {
    const line = (state: string, threads: number) =>
      `9 (x) ${state} 1 9 9 0 -1 0 0 0 0 0 0 0 0 0 20 0 ${threads} 0 77 0`;
    expect(parseProcStat(line('Z', 1))?.alive).toBe(false);
    expect(parseProcStat(line('Z', 3))?.alive).toBe(true);
    expect(parseProcStat(line('D', 1))?.alive).toBe(true);
  });

  it('that is torn or something else is no process, and never an exception', () => {
    expect(parseProcStat('9 (x) S 1 9')).toBeUndefined();
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseProcStat(text)).toBeUndefined();
      }),
    );
  });
});

describe('the listing of ps', () => {
  it('gives back every process that was printed, and skips lines that are none', () => {
    const row = fc.record({ pid, ppid: pid, pgid: pid, state: fc.constantFrom('S', 'Ss+', 'R', 'Z', 'Z+', 'T') });
    fc.assert(
      fc.property(fc.array(row), (rows) => {
        const lines = rows.map((r) => `  ${r.pid}   ${r.ppid} ${r.pgid} ${r.state}  Mon Mar  2 09:05:01 2026 `);
        expect(parsePs(`not a process\n${lines.join('\n')}\n`)).toEqual(
          rows.map((r) => ({
            pid: r.pid,
            ppid: r.ppid,
            pgid: r.pgid,
            startTime: 'Mon Mar 2 09:05:01 2026',
            alive: !r.state.startsWith('Z'),
          })),
        );
      }),
    );
  });
});

describe('the tree below a process', () => {
  it('holds exactly those whose chain of parents reaches it, even in a table with loops', () => {
    const table = fc.uniqueArray(fc.tuple(fc.integer({ min: 2, max: 20 }), fc.integer({ min: 1, max: 20 })), {
      selector: ([at]) => at,
    });
    fc.assert(
      fc.property(table, fc.integer({ min: 2, max: 20 }), (pairs, root) => {
        const records = pairs.map(([at, ppid]) => record(at, ppid));
        const found = new Set(descendantsOf(records, new Set([root])).map((r) => r.pid));
        const listed = records.some((r) => r.pid === root);
        for (const { pid: at } of records) {
          expect(found.has(at)).toBe(listed && ancestorsOf(records, at).has(root));
        }
      }),
    );
  });
});

it('a recycled pid is another process, because its start time differs', () => {
  expect(isSameProcess(record(5, 1), { pid: 5, startTime: '1' })).toBe(true);
  expect(isSameProcess(record(5, 1), { pid: 5, startTime: '2' })).toBe(false);
  expect(isSameProcess(record(5, 1), { pid: 6, startTime: '1' })).toBe(false);
});

it('an environment carries a marker only as a whole variable', () => {
  const environ = 'HOME=/root\0DEBATE_WAKE=run-1\0OTHER=DEBATE_WAKE=run-2\0';
  expect(environCarries(environ, ['DEBATE_WAKE=run-1'])).toBe(true);
  expect(environCarries(environ, ['DEBATE_WAKE=run'])).toBe(false);
  expect(environCarries(environ, ['DEBATE_WAKE=run-2'])).toBe(false);
  expect(environCarries('A=\0\0', ['', 'A=', '='])).toBe(false);
});
