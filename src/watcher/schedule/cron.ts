import { cronLine, findCronLine, pathOfCronLine, withCronLine, withoutCronLine } from './cron-table.js';
import { programProblem, runProgram } from './run-program.js';
import type { Scheduler, SchedulerWorld } from './scheduler.js';

type Table = { readonly table: string } | { readonly problem: string };

/** The user's crontab, read and written through `crontab`. */
export const cron: Scheduler = {
  render: (entry) => {
    const rendered = cronLine(entry);
    return 'problem' in rendered ? rendered : { text: `${rendered.line}\n` };
  },
  install: async (entry, world) => {
    const rendered = cronLine(entry);
    if ('problem' in rendered) return { ok: false, problem: rendered.problem };
    return change(world, (table) => withCronLine(table, entry.key, rendered.line));
  },
  remove: (key, world) => change(world, (table) => withoutCronLine(table, key)),
  status: async (key, world) => {
    const read = await readTable(world);
    if ('problem' in read) return { ok: false, problem: read.problem };
    const line = findCronLine(read.table, key);
    return { ok: true, installed: line === undefined ? undefined : { text: line, path: pathOfCronLine(line) } };
  },
};

async function change(world: SchedulerWorld, edit: (table: string) => string) {
  const read = await readTable(world);
  if ('problem' in read) return { ok: false, problem: read.problem } as const;
  const edited = edit(read.table);
  if (edited === read.table) return { ok: true, changed: false, notices: [] } as const;
  const command = ['crontab', '-'];
  const written = await runProgram(command, world.environment, edited);
  return written.exitCode === 0
    ? ({ ok: true, changed: true, notices: [] } as const)
    : ({ ok: false, problem: programProblem(command, written) } as const);
}

// "No crontab" is an empty table; any other failure must never be taken for one, or it would be overwritten.
async function readTable(world: SchedulerWorld): Promise<Table> {
  const command = ['crontab', '-l'];
  const result = await runProgram(command, world.environment);
  if (result.exitCode === 0) return { table: result.stdout };
  if (result.started && /\bno crontab\b/i.test(result.stderr)) return { table: '' };
  return { problem: programProblem(command, result) };
}
