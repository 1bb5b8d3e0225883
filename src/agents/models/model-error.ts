/**
 * Why a call failed.
 *
 * `cannot-start`: there is nothing to call (no such program, no such host). `timeout`: no answer within the bound
 * (rule X2). `aborted`: the caller's signal ended it (rule X7). `refused`: the other side said no, and would say so
 * again. `overloaded`: 429 or 5xx, still so after the last retry (rule X3). `bad-answer`: an answer came and cannot be
 * read. `exhausted`: a script has no reply left. `settings`: the configuration cannot work.
 */
export type ModelErrorCode =
  | 'cannot-start'
  | 'timeout'
  | 'aborted'
  | 'refused'
  | 'overloaded'
  | 'bad-answer'
  | 'exhausted'
  | 'settings';

/** A call of a model that did not bring an answer. The message is one sentence for a person and holds no secret. */
export class ModelError extends Error {
  override readonly name = 'ModelError';

  constructor(
    readonly code: ModelErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Throws `aborted` when the caller's signal is set: called before every call, so that no call starts after it (rule
 * X7).
 */
export function refuseIfAborted(name: string, signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new ModelError('aborted', `The call of model ${name} was stopped before it began.`);
}
