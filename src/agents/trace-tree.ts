import { countsOf, type Trace, type TraceStep } from './trace.js';
import { REVIEW_TITLES, reviewOf } from './trace-review.js';

const DETAIL_LIMIT = 200;

/** One line that a terminal shows and does not obey: control and bidi characters become visible (DESIGN.md 8). */
function oneLine(text: string): string {
  const line = text
    .trim()
    .replace(/[ \t]*[\r\n]+[ \t]*/g, ' / ')
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
  const characters = [...line];
  return characters.length <= DETAIL_LIMIT ? line : `${characters.slice(0, DETAIL_LIMIT).join('')} ...`;
}

function cost(step: TraceStep): string {
  if (step.kind === 'code') return '';
  const tokens =
    step.tokensIn === undefined && step.tokensOut === undefined
      ? ''
      : `, ${step.tokensIn ?? '?'} > ${step.tokensOut ?? '?'} tokens`;
  return `  (${oneLine(step.model ?? 'model')}, ${step.durationSeconds.toFixed(1)} s${tokens})`;
}

function markOf(step: TraceStep, ungrounded: boolean): string {
  const marks = [
    ...(step.title === REVIEW_TITLES.forced ? ['FORCED BY THE CAP'] : []),
    ...(ungrounded ? ['RESTS ONLY ON EMPTY SEARCHES'] : []),
  ];
  return marks.length === 0 ? '' : `  !! ${marks.join(', ')}`;
}

function labelOf(round: number): string {
  return round === 0 ? 'first answers' : `round ${round}`;
}

/**
 * The trace as a tree for a person: rounds, and in each its steps with who decided, what it cost and the start of the
 * detail. A dashed edge (`+- -`) is a step whose model chose what happens next; a verdict that the cap forced, and one
 * that rests only on searches that found nothing, are marked with `!!` (rules R6, R18).
 */
export function renderTrace(trace: Trace): string {
  const ungrounded = reviewOf(trace)?.ungrounded ?? false;
  const verdictAt = trace.steps.findLastIndex(
    (step) => step.title === REVIEW_TITLES.turn || step.title === REVIEW_TITLES.forced,
  );
  const counts = countsOf(trace);
  const failed = counts.failedCalls > 0 ? ` (${counts.failedCalls} failed)` : '';
  const settings = Object.entries(trace.settings).map(([name, value]) => `${name} ${value}`);
  const lines = [
    oneLine(`${trace.executor}, ${trace.recordedAt}, models: ${trace.models.join(', ')}`),
    oneLine([`${counts.calls} calls${failed}`, ...settings].join(', ')),
  ];
  let round: number | undefined;
  for (const [index, step] of trace.steps.entries()) {
    if (step.round !== undefined && step.round !== round) lines.push(`+-- ${labelOf(step.round)}`);
    round = step.round;
    const indent = round === undefined ? '' : '|   ';
    const edge = step.decidedBy === 'model' ? '+- -' : '+---';
    const outcome = step.outcome === undefined ? '' : ` [${oneLine(step.outcome)}]`;
    const mark = markOf(step, index === verdictAt && ungrounded);
    lines.push(`${indent}${edge} ${index + 1}. ${oneLine(step.title)}${outcome}${mark}${cost(step)}`);
    if (step.detail.trim() !== '') lines.push(`${indent}|      ${oneLine(step.detail)}`);
  }
  return `${lines.join('\n')}\n`;
}
