import type { Model, ModelReply, ModelRequest } from '../model.js';
import { FAILED, type Trace, type TraceStep } from '../trace.js';
import type { Environment } from './environment.js';
import { limitOf } from './limit.js';

/** How a caller can stop an execution (rule X7). */
export interface ExecuteOptions {
  /** Checked before every call and handed to every call; when it fires, `execute` throws its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** What a call came to: a text, or the reason why there is none. A call never throws, except for an abort. */
export type Answered = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly error: string };

/** How a call appears in the trace. */
export interface CallStep {
  readonly title: string;
  readonly round?: number;
  /** Reads the outcome word and who decided from the reply; without it, code decided and there is no outcome. */
  readonly judge?: (text: string) => Pick<TraceStep, 'decidedBy' | 'outcome'>;
}

/** One execution: every model call of an executor goes through it, so that each is counted once (rules X7, X8, X9). */
export interface Run {
  ask(model: Model, request: ModelRequest, step: CallStep): Promise<Answered>;
  /** Records what code did. */
  note(title: string, detail: string, more?: Pick<TraceStep, 'round' | 'outcome'>): void;
  /** Seconds since the run began. */
  elapsedSeconds(): number;
  trace(): Trace;
}

/** What a run is made from. */
export interface RunOf {
  readonly executor: string;
  readonly models: readonly Model[];
  readonly settings: Trace['settings'];
  readonly environment: Environment;
  readonly concurrency?: number | undefined;
}

/** The message of whatever was thrown, on one line. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/\s+/g, ' ').trim() || 'the call failed without saying why';
}

function replyStep(reply: ModelReply, base: TraceStep, step: CallStep): TraceStep {
  return {
    ...base,
    ...step.judge?.(reply.text),
    detail: reply.text,
    model: reply.model,
    tokensIn: reply.usage.inputTokens,
    tokensOut: reply.usage.outputTokens,
    durationSeconds: reply.durationSeconds,
  };
}

/** Begins a run. Its steps are in the order in which they started, whatever finished first. */
export function startRun(
  { executor, models, settings, environment, concurrency }: RunOf,
  options: ExecuteOptions,
): Run {
  const { clock } = environment;
  const { signal } = options;
  const started = clock();
  const limit = limitOf(concurrency);
  const steps: TraceStep[] = [];

  async function call(model: Model, request: ModelRequest, step: CallStep): Promise<Answered> {
    signal?.throwIfAborted();
    const began = clock();
    const base: TraceStep = {
      kind: 'model',
      decidedBy: 'code',
      title: step.title,
      detail: '',
      round: step.round,
      model: model.name,
      durationSeconds: 0,
    };
    const at = steps.push(base) - 1;
    try {
      const reply = await model.complete(request, signal ? { signal } : {});
      steps[at] = replyStep(reply, base, step);
      return { ok: true, text: reply.text };
    } catch (error) {
      signal?.throwIfAborted();
      const reason = reasonOf(error);
      steps[at] = { ...base, detail: reason, outcome: FAILED, durationSeconds: (clock() - began) / 1000 };
      return { ok: false, error: reason };
    }
  }

  return {
    ask: (model, request, step) => limit(() => call(model, request, step)),
    note: (title, detail, more = {}) => {
      steps.push({ kind: 'code', decidedBy: 'code', title, detail, durationSeconds: 0, ...more });
    },
    elapsedSeconds: () => (clock() - started) / 1000,
    trace: () => ({
      executor,
      recordedAt: new Date(started).toISOString(),
      models: [...new Set(models.map((model) => model.name))],
      settings,
      steps: [...steps],
    }),
  };
}
