import * as z from 'zod/mini';

/** What one step of an executor was. All text is data: a reader must not obey it. */
export interface TraceStep {
  /** `model`: a model was called; `code`: code did something worth seeing. */
  readonly kind: 'code' | 'model';
  /** `model` only if the model's output chose what happens next; a forced verdict and a parsed reply are `code` (R9). */
  readonly decidedBy: 'code' | 'model';
  readonly title: string;
  readonly detail: string;
  /** What the step came to, as one word of its executor: `approved`, `reject`, `failed` ... */
  readonly outcome?: string | undefined;
  /** 1-based round, iteration or turn; 0 is the first answers. Absent where the executor has none. */
  readonly round?: number | undefined;
  /** The model that answered, or that failed to. */
  readonly model?: string | undefined;
  /** As the model reported them; undefined is unknown, never zero. */
  readonly tokensIn?: number | undefined;
  readonly tokensOut?: number | undefined;
  readonly durationSeconds: number;
}

/** The machine record of one run of an executor. */
export interface Trace {
  readonly executor: string;
  /** UTC, ISO 8601. */
  readonly recordedAt: string;
  /** The names of the models that could be called, each once. */
  readonly models: readonly string[];
  /** The numbers and switches that the run was made with, for example `maxChecks`. */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  readonly steps: readonly TraceStep[];
}

/** What a run spent. A failed call is a call; tokens are the sum of those that models reported (rule X8). */
export interface TraceCounts {
  readonly calls: number;
  readonly failedCalls: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** Calls whose model reported no tokens: the sums above are a lower bound if there are any. */
  readonly callsWithoutUsage: number;
}

/** The outcome word of a call that threw. */
export const FAILED = 'failed';

/** Counts the calls and tokens of a trace (rule X8). */
export function countsOf(trace: Trace): TraceCounts {
  const calls = trace.steps.filter((step) => step.kind === 'model');
  const sum = (of: (step: TraceStep) => number | undefined) =>
    calls.reduce((total, step) => total + (of(step) ?? 0), 0);
  return {
    calls: calls.length,
    failedCalls: calls.filter((step) => step.outcome === FAILED).length,
    tokensIn: sum((step) => step.tokensIn),
    tokensOut: sum((step) => step.tokensOut),
    callsWithoutUsage: calls.filter((step) => step.tokensIn === undefined && step.tokensOut === undefined).length,
  };
}

/** The trace as text: a head line, then one JSON line a step, LF, ending in a newline. Keys are snake_case. */
export function formatTrace(trace: Trace): string {
  const head = {
    executor: trace.executor,
    recorded_at: trace.recordedAt,
    models: trace.models,
    settings: trace.settings,
  };
  const lines = trace.steps.map((step, index) => ({
    i: index + 1,
    kind: step.kind,
    decided_by: step.decidedBy,
    title: step.title,
    detail: step.detail,
    outcome: step.outcome,
    round: step.round,
    model: step.model,
    tokens_in: step.tokensIn,
    tokens_out: step.tokensOut,
    duration_seconds: step.durationSeconds,
  }));
  return [head, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
}

const decider = z.enum(['code', 'model']);
const Head = z.object({
  executor: z.string(),
  recorded_at: z.string(),
  models: z.array(z.string()),
  settings: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
});
const Step = z.object({
  kind: decider,
  decided_by: decider,
  title: z.string(),
  detail: z.string(),
  outcome: z.optional(z.string()),
  round: z.optional(z.number()),
  model: z.optional(z.string()),
  tokens_in: z.optional(z.number()),
  tokens_out: z.optional(z.number()),
  duration_seconds: z.number(),
});

/** A trace, or the sentence that says which line is none. */
export type ParsedTrace =
  | { readonly ok: true; readonly trace: Trace }
  | { readonly ok: false; readonly problem: string };

function parseLine<Schema extends z.ZodMiniType>(schema: Schema, line: string): z.output<Schema> | undefined {
  try {
    return z.safeParse(schema, JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/** Reads what `formatTrace` writes. Unknown keys are ignored; a line that is no step is a problem, never skipped. */
export function parseTrace(text: string): ParsedTrace {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const head = parseLine(Head, lines[0] ?? '');
  if (!head) return { ok: false, problem: 'Line 1 is not the head of a trace; give a file that an executor wrote.' };
  const steps: TraceStep[] = [];
  for (const [index, line] of lines.slice(1).entries()) {
    const step = parseLine(Step, line);
    if (!step) {
      return { ok: false, problem: `Line ${index + 2} is not a step of a trace; the file was cut or edited.` };
    }
    steps.push({
      kind: step.kind,
      decidedBy: step.decided_by,
      title: step.title,
      detail: step.detail,
      outcome: step.outcome,
      round: step.round,
      model: step.model,
      tokensIn: step.tokens_in,
      tokensOut: step.tokens_out,
      durationSeconds: step.duration_seconds,
    });
  }
  const { executor, recorded_at: recordedAt, models, settings } = head;
  return { ok: true, trace: { executor, recordedAt, models, settings, steps } };
}
