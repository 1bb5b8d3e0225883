import { lastLinesOf } from '../../process/bounded-output.js';
import type { SeatCheck } from './desk.js';
import { oneLine, type Quoting, quoted } from './quote.js';

/** Of the output of a check so many last lines, and characters, go into an entry. */
const LINES = 12;
const CHARACTERS = 1200;

/**
 * What the pinned checks came to, as the tool ran them; undefined without any. Of those whose output stands in the entry
 * already (`shown`) only the result is told.
 */
export function checkLines(
  checks: readonly SeatCheck[],
  quoting: Quoting,
  shown: readonly string[] = [],
): string | undefined {
  if (checks.length === 0) return undefined;
  const parts = checks.map(({ name, run }) => {
    if (!run.ran) return `- ${name} did not run: ${oneLine(run.reason)}`;
    const head = `- ${name}: exit ${run.exitCode} in ${run.durationSeconds.toFixed(1)} s`;
    const output = lastLinesOf(run.output, LINES);
    if (run.exitCode === 0 || output.trim() === '' || shown.includes(name)) return head;
    return `${head}, its last lines:\n\n${quoted(output.slice(-CHARACTERS), quoting)}`;
  });
  return `Pinned checks, run by the tool at the commit:\n\n${parts.join('\n\n')}`;
}
