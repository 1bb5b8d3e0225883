import type { ExecuteOptions } from './run.js';

/** A procedure over models: from one text to one result, any number of times. */
export interface Executor<Result> {
  /** The name under which its traces are recorded. */
  readonly name: string;
  /** Throws only when the caller's signal fires; what models do wrong is part of the result. */
  execute(input: string, options?: ExecuteOptions): Promise<Result>;
}
