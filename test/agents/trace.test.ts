import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countsOf, formatTrace, parseTrace, type Trace, type TraceStep } from '../../src/agents/trace.js';
import { REVIEW_TITLES, reviewOf } from '../../src/agents/trace-review.js';
import { renderStats, statsOf } from '../../src/agents/trace-stats.js';
import { renderTrace } from '../../src/agents/trace-tree.js';

function step(title: string, more: Partial<TraceStep> = {}): TraceStep {
  return { kind: 'code', decidedBy: 'code', title, detail: '', durationSeconds: 0, ...more };
}

function call(title: string, more: Partial<TraceStep> = {}): TraceStep {
  return step(title, { kind: 'model', model: 'm', tokensIn: 10, tokensOut: 2, durationSeconds: 1, ...more });
}

function trace(steps: readonly TraceStep[], settings: Trace['settings'] = {}): Trace {
  return { executor: 'checked-review', recordedAt: '2026-07-06T14:11:02.000Z', models: ['m'], settings, steps };
}

const accepted = trace(
  [call(REVIEW_TITLES.draft), call(REVIEW_TITLES.turn, { decidedBy: 'model', outcome: 'accept', detail: 'ACCEPT' })],
  { maxChecks: 2 },
);
const forced = trace(
  [
    call(REVIEW_TITLES.draft),
    call(REVIEW_TITLES.turn, { decidedBy: 'model', outcome: 'check', detail: 'CHECK: price' }),
    step(REVIEW_TITLES.search, { outcome: 'nothing', detail: 'no matching section' }),
    call(REVIEW_TITLES.turn, { decidedBy: 'model', outcome: 'check', detail: 'CHECK: cost' }),
    step(REVIEW_TITLES.search, { outcome: 'nothing', detail: 'no matching section' }),
    step(REVIEW_TITLES.cap, { detail: '2 checks >= 2; forcing a verdict' }),
    call(REVIEW_TITLES.forced, { outcome: 'reject', detail: 'REJECT: not shown' }),
  ],
  { maxChecks: 2 },
);

describe('R16: the trace is the machine record of a run', () => {
  test('R16: one JSON line a step after a head line, with snake_case keys', () => {
    const lines = formatTrace(accepted).trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      executor: 'checked-review',
      recorded_at: '2026-07-06T14:11:02.000Z',
      models: ['m'],
      settings: { maxChecks: 2 },
    });
    expect(JSON.parse(lines[2] ?? '')).toEqual({
      i: 2,
      kind: 'model',
      decided_by: 'model',
      title: 'Reviewer decides what to do next',
      detail: 'ACCEPT',
      outcome: 'accept',
      model: 'm',
      tokens_in: 10,
      tokens_out: 2,
      duration_seconds: 1,
    });
  });

  test('R16: whatever a step says comes back the same', () => {
    const anyStep = fc.record({
      kind: fc.constantFrom('code' as const, 'model' as const),
      decidedBy: fc.constantFrom('code' as const, 'model' as const),
      title: fc.string(),
      detail: fc.string({ unit: 'binary' }),
      durationSeconds: fc.nat(),
      round: fc.option(fc.nat(), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 5 }), (steps) => {
        expect(parseTrace(formatTrace(trace(steps)))).toEqual({ ok: true, trace: trace(steps) });
      }),
    );
  });

  test('R16: a cut file is a problem that names the line, never a shorter trace', () => {
    const text = formatTrace(forced);
    expect(parseTrace(text.slice(0, -20))).toEqual({
      ok: false,
      problem: 'Line 8 is not a step of a trace; the file was cut or edited.',
    });
    expect(parseTrace('')).toMatchObject({ ok: false, problem: expect.stringContaining('Line 1') });
  });

  test('X8: calls and tokens are counted, failed calls too, and unknown usage is told apart from zero', () => {
    const failedCall = step('x', { kind: 'model', outcome: 'failed' });
    expect(countsOf(trace([...forced.steps, failedCall]))).toEqual({
      calls: 5,
      failedCalls: 1,
      tokensIn: 40,
      tokensOut: 8,
      callsWithoutUsage: 1,
    });
  });
});

describe('R16, E5: numbers over traces', () => {
  test('E5: reject rate, checks per review against the cap, and share of forced verdicts', () => {
    const stats = statsOf([accepted, forced, { ...trace([call('First answer')]), executor: 'vote' }]);
    expect(stats).toMatchObject({
      traces: 3,
      calls: 7,
      reviews: 2,
      rejectRate: 0.5,
      checksPerReview: 1,
      checksCap: 2,
      forcedShare: 0.5,
      ungroundedShare: 0.5,
    });
    expect(renderStats(stats)).toContain('checks per review   1.00 of at most 2\nforced verdicts     50 %');
  });

  test('E5: with nothing to count there is no rate, not a rate of zero', () => {
    expect(statsOf([])).toMatchObject({ reviews: 0, rejectRate: undefined, forcedShare: undefined });
    expect(renderStats(statsOf([]))).toContain('reject rate         none to count');
  });

  test('R18: a verdict after one search that found something is not marked as resting on nothing', () => {
    const grounded = trace(forced.steps.map((each, index) => (index === 4 ? { ...each, outcome: 'found' } : each)));
    expect(reviewOf(grounded)).toMatchObject({ checks: 2, forced: true, ungrounded: false });
    expect(reviewOf(forced)).toMatchObject({ checks: 2, forced: true, ungrounded: true });
    expect(reviewOf(accepted)).toMatchObject({ checks: 0, forced: false, ungrounded: false });
  });
});

describe('R6, R18: a trace as a readable tree', () => {
  test('R6: a forced verdict and one that rests only on empty searches are marked', () => {
    const tree = renderTrace(forced);
    expect(tree).toContain(
      '7. Reviewer forced to a verdict [reject]  !! FORCED BY THE CAP, RESTS ONLY ON EMPTY SEARCHES',
    );
    expect(renderTrace(accepted)).not.toContain('!!');
  });

  test('R9: a dashed edge is a step whose model chose what happens next; rounds are branches', () => {
    const rounds = trace([
      call('Answer of debater 1', { round: 0, detail: 'yes' }),
      call('Judge rules', { round: 1, decidedBy: 'model', outcome: 'decided' }),
    ]);
    expect(renderTrace(rounds)).toBe(
      [
        'checked-review, 2026-07-06T14:11:02.000Z, models: m',
        '2 calls',
        '+-- first answers',
        '|   +--- 1. Answer of debater 1  (m, 1.0 s, 10 > 2 tokens)',
        '|   |      yes',
        '+-- round 1',
        '|   +- - 2. Judge rules [decided]  (m, 1.0 s, 10 > 2 tokens)',
        '',
      ].join('\n'),
    );
  });

  test('DESIGN.md 8: what a model wrote cannot move the cursor, break the line or turn the reading direction', () => {
    const tree = renderTrace(trace([call('t', { detail: `a\u001b[2Jb\u202ec\nd${'x'.repeat(400)}` })]));
    expect(tree).toContain('|      a\\u{1b}[2Jb\\u{202e}c / dxxx');
    expect(tree.split('\n')).toHaveLength(5);
    expect(tree).not.toContain('\u001b');
  });
});
