import type { FoundRecord } from '../evidence/find-records.js';
import { ageSeconds, recordJson } from '../evidence/record.js';
import { renderEvidence } from '../protocol/core/evidence.js';
import { visible } from '../protocol/core/visible.js';
import { age, styled } from './print.js';

/** One line that says what a check came to, and when. */
export function recordLine({ record }: FoundRecord, now: Date): string {
  const { name, commit, exit, timedOut, durationSeconds, finishedAt } = record;
  const result = styled(exit === 0 ? 'green' : 'red', timedOut ? `exit ${exit} at its timeout` : `exit ${exit}`);
  return `${styled('bold', name)} at ${commit.slice(0, 10)}: ${result} in ${durationSeconds.toFixed(1)} s, ${age(ageSeconds(finishedAt, now))} ago`;
}

/** The last lines of a check's log, indented, as they may be shown. */
export function lastLinesText(found: FoundRecord): string {
  return visible(found.lastLines)
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
}

/** A record as programs read it, with the trailer that cites it. */
export function foundJson(found: FoundRecord): Record<string, unknown> {
  return {
    ...recordJson(found.record),
    fresh: found.fresh,
    trailer: renderEvidence(found.record),
    log: found.logPath,
    last_lines: found.lastLines,
  };
}
