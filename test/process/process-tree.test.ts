import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ancestorsOf, type ProcessRecord } from '../../src/process/process-table.js';
import { membersOfTree, unknownTree } from '../../src/process/process-tree.js';

const pids = fc.integer({ min: 1, max: 12 });
const tables = fc.uniqueArray(
  fc.record({
    pid: pids,
    ppid: fc.integer({ min: 0, max: 12 }),
    pgid: pids,
    startTime: fc.constantFrom('1', '2'),
    alive: fc.boolean(),
  }),
  { selector: (record) => record.pid },
);

function listed(pid: number, ppid: number, pgid = pid, startTime = '1'): ProcessRecord {
  return { pid, ppid, pgid, startTime, alive: true };
}

const found = (table: readonly ProcessRecord[], root: number, self: number) =>
  membersOfTree([{ pid: root, startTime: '1' }], unknownTree, { table, marked: new Set(), self });

describe('what belongs to the tree of a run (DESIGN.md 7)', () => {
  it('never holds the process that looks, its ancestors, the first process or a zombie, whatever roots and marks say', () => {
    const roots = fc.array(fc.record({ pid: pids, startTime: fc.constantFrom('1', undefined) }));
    fc.assert(
      fc.property(tables, roots, fc.array(pids), pids, (table, given, marked, self) => {
        const { alive, knowledge } = membersOfTree(given, unknownTree, { table, marked: new Set(marked), self });
        const ancestors = ancestorsOf(table, self);
        for (const record of alive) {
          expect(record.pid > 1 && record.alive && !ancestors.has(record.pid)).toBe(true);
        }
        for (const pid of [...ancestors, 1]) expect(knowledge.groups.has(pid)).toBe(false);
      }),
    );
  });

  it('is nothing at all when an ancestor or the first process is named: nobody ends what is beside it', () => {
    const table = [listed(1, 0), listed(5, 1), listed(6, 5), listed(7, 5), listed(8, 1)];
    expect(found(table, 1, 6).alive).toEqual([]);
    expect(found(table, 5, 6).alive).toEqual([]);
    expect(found(table, 6, 6).alive).toEqual([]);
  });

  it('holds children in sessions of their own, and members of the group whose parents are gone', () => {
    const table = [listed(1, 0), listed(2, 1), listed(5, 1), listed(6, 5, 6), listed(7, 1, 5), listed(8, 1)];
    expect(found(table, 5, 2).alive.map((record) => record.pid)).toEqual(expect.arrayContaining([5, 6, 7]));
    expect(found(table, 5, 2).alive).toHaveLength(3);
  });

  it('remembers a tool that led a group, so that what it left behind is found after it ended', () => {
    const before = [listed(1, 0), listed(2, 1), listed(5, 1), listed(6, 5)];
    const after = [listed(1, 0), listed(2, 1), listed(9, 1, 6, '3')];
    const { knowledge } = found(before, 5, 2);
    const snapshot = { table: after, marked: new Set<number>(), self: 2 };
    expect(membersOfTree([{ pid: 5, startTime: '1' }], knowledge, snapshot).alive).toEqual([listed(9, 1, 6, '3')]);
  });

  it('leaves a recycled pid and its group alone', () => {
    const table = [listed(1, 0), listed(2, 1), listed(5, 1, 5, '2'), listed(6, 5, 5)];
    expect(found(table, 5, 2).alive).toEqual([]);
  });
});
