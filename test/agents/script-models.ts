import type { Model, ModelRequest } from '../../src/agents/model.js';

/** A model that says what it is told to, and keeps what it was asked. */
export interface ScriptModel extends Model {
  readonly requests: ModelRequest[];
}

export type Line = string | Error;

function model(name: string, next: (request: ModelRequest, call: number) => Line | Promise<Line>): ScriptModel {
  const requests: ModelRequest[] = [];
  return {
    name,
    requests,
    complete: async (request, { signal }) => {
      signal?.throwIfAborted();
      requests.push(request);
      const line = await next(request, requests.length);
      if (line instanceof Error) throw line;
      const usage = { inputTokens: 10, outputTokens: 2 };
      return { text: line, usage, model: name, durationSeconds: 0.5, finish: 'stop' };
    },
  };
}

/** Says the lines in order; one call too many fails the test by its message. */
export function says(name: string, ...lines: readonly Line[]): ScriptModel {
  return model(name, (_request, call) => lines[call - 1] ?? new Error(`${name} was called ${call} times`));
}

/** Says the same at every call. */
export function repeats(name: string, line: Line): ScriptModel {
  return model(name, () => line);
}

/** Answers by a function of the request and the number of the call. */
export function answersBy(
  name: string,
  next: (request: ModelRequest, call: number) => Line | Promise<Line>,
): ScriptModel {
  return model(name, next);
}

/** The prompt of one call, 1-based. */
export function promptOf(scripted: ScriptModel, call: number): string {
  return scripted.requests[call - 1]?.prompt ?? '';
}

/** A clock that stands still until it is moved, in seconds. */
export function manualClock(): { readonly clock: () => number; advance(seconds: number): void } {
  let now = Date.UTC(2026, 6, 6, 14, 11, 2);
  return {
    clock: () => now,
    advance: (seconds) => {
      now += seconds * 1000;
    },
  };
}

/** Random numbers that are the same in every run. */
export function seededRng(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
