import { countsOf, type Trace } from './trace.js';
import { CHECKS_CAP_SETTING, reviewOf } from './trace-review.js';

/** The numbers to watch over a folder of traces (R16, E5). A share is 0 to 1, undefined when nothing was counted. */
export interface TraceStats {
  readonly traces: number;
  readonly calls: number;
  readonly failedCalls: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** Traces that hold a verdict of a reviewer; the figures below are of these. */
  readonly reviews: number;
  readonly rejectRate: number | undefined;
  readonly checksPerReview: number | undefined;
  /** The cap on checks that the reviews were made with; undefined if they differ or do not say. */
  readonly checksCap: number | undefined;
  readonly forcedShare: number | undefined;
  /** Verdicts that rest only on searches that found nothing. */
  readonly ungroundedShare: number | undefined;
}

/** Adds up traces. */
export function statsOf(traces: readonly Trace[]): TraceStats {
  const counts = traces.map(countsOf);
  const total = (of: (count: (typeof counts)[number]) => number) => counts.reduce((sum, count) => sum + of(count), 0);
  const reviewed = traces.filter((trace) => reviewOf(trace) !== undefined);
  const reviews = reviewed.flatMap((trace) => reviewOf(trace) ?? []);
  const mean = (of: (review: (typeof reviews)[number]) => number) =>
    reviews.length === 0 ? undefined : reviews.reduce((sum, review) => sum + of(review), 0) / reviews.length;
  const caps = new Set(reviewed.map((trace) => trace.settings[CHECKS_CAP_SETTING]));
  const [cap] = caps;
  return {
    traces: traces.length,
    calls: total((count) => count.calls),
    failedCalls: total((count) => count.failedCalls),
    tokensIn: total((count) => count.tokensIn),
    tokensOut: total((count) => count.tokensOut),
    reviews: reviews.length,
    rejectRate: mean((review) => Number(review.verdict === 'reject')),
    checksPerReview: mean((review) => review.checks),
    checksCap: caps.size === 1 && typeof cap === 'number' ? cap : undefined,
    forcedShare: mean((review) => Number(review.forced)),
    ungroundedShare: mean((review) => Number(review.ungrounded)),
  };
}

function percent(share: number | undefined): string {
  return share === undefined ? 'none to count' : `${(100 * share).toFixed(0)} %`;
}

/** The numbers as lines for a person. */
export function renderStats(stats: TraceStats): string {
  const failed = stats.failedCalls > 0 ? `, ${stats.failedCalls} of them failed` : '';
  const cap = stats.checksCap === undefined ? '' : ` of at most ${stats.checksCap}`;
  const checks = stats.checksPerReview === undefined ? 'none to count' : `${stats.checksPerReview.toFixed(2)}${cap}`;
  const lines = [
    `traces              ${stats.traces}`,
    `calls               ${stats.calls}${failed}`,
    `tokens reported     ${stats.tokensIn} in, ${stats.tokensOut} out`,
    `reviews             ${stats.reviews}`,
    `reject rate         ${percent(stats.rejectRate)}`,
    `checks per review   ${checks}`,
    `forced verdicts     ${percent(stats.forcedShare)}`,
    `on empty searches   ${percent(stats.ungroundedShare)}`,
  ];
  return `${lines.join('\n')}\n`;
}
