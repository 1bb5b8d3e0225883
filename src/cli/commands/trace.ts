import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { snakeCased } from '../../agents/snake-cased.js';
import { countsOf, parseTrace, type Trace } from '../../agents/trace.js';
import { reviewOf } from '../../agents/trace-review.js';
import { renderStats, statsOf } from '../../agents/trace-stats.js';
import { renderTrace } from '../../agents/trace-tree.js';
import { EXIT, type ExitCode, Refusal } from '../../protocol/core/refusal.js';
import { visibleLine } from '../../protocol/core/visible.js';
import { unreadable } from '../../protocol/read-refusals.js';
import { json, print, say } from '../print.js';

const nameOrPermissions = 'Check its name and permissions.';

/** Options of `debate trace`. */
export interface TraceOptions {
  readonly file?: string;
  readonly stats?: string;
  readonly json?: boolean;
}

/** `debate trace FILE` shows a trace as a tree; `debate trace --stats DIR` adds up all traces of a folder. */
export function traceCommand(options: TraceOptions): ExitCode {
  if ((options.file === undefined) === (options.stats === undefined))
    throw new Refusal({
      code: 'usage',
      message: 'It is not said which trace to show.',
      hint: 'Name one FILE, or a folder of traces with --stats DIR, not both.',
    });
  if (options.file === undefined) return showStats(options.stats ?? '', options.json === true);
  const trace = readTrace(options.file);
  if (!options.json) print(renderTrace(trace));
  else json(snakeCased({ ...trace, counts: countsOf(trace), review: reviewOf(trace) ?? null }));
  return EXIT.done;
}

/** A file that is no trace is named and left out, and the exit code says that the sums are not of all. */
function showStats(folder: string, asJson: boolean): ExitCode {
  const traces: Trace[] = [];
  const problems: string[] = [];
  for (const name of filesIn(folder)) {
    try {
      traces.push(readTrace(join(folder, name)));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      problems.push(error.message);
    }
  }
  const stats = statsOf(traces);
  if (asJson) json(snakeCased({ ...stats, problems }));
  else print(renderStats(stats));
  for (const problem of problems) say(`left out: ${visibleLine(problem)}`);
  return problems.length === 0 ? EXIT.done : EXIT.couldNotCheck;
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.jsonl'))
      .sort();
  } catch (error) {
    throw unreadable(folder, error, nameOrPermissions);
  }
}

function readTrace(file: string): Trace {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw unreadable(file, error, nameOrPermissions);
  }
  const parsed = parseTrace(text);
  if (parsed.ok) return parsed.trace;
  throw new Refusal({
    code: 'unreadable',
    message: `${file} is no trace. ${parsed.problem}`,
    hint: 'Traces are the files that end in .trace.jsonl in the folder "traces" of the watcher\'s state.',
  });
}
