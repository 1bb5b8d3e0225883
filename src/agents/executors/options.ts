import * as z from 'zod/mini';
import type { Model } from '../model.js';
import { realEnvironment } from './environment.js';

/** Options that an executor cannot be built with; the message is one sentence for whoever gave them. */
export class ExecutorOptionsError extends Error {
  override readonly name = 'ExecutorOptionsError';
}

function isModel(value: unknown): value is Model {
  return (
    typeof value === 'object' &&
    value !== null &&
    'complete' in value &&
    typeof value.complete === 'function' &&
    'name' in value &&
    typeof value.name === 'string'
  );
}

/** A model; required. */
export const modelOption = z.custom<Model>(isModel, { error: 'must be a model' });

/** A whole number of at least `least`; `fallback` when it is left out. */
export function countOption(least: number, fallback: number) {
  const message = { error: `must be a whole number of at least ${least}` };
  return z._default(z.number(message).check(z.int(message), z.minimum(least, message)), fallback);
}

/** Seconds, 0 or more; `fallback` when it is left out. */
export function secondsOption(fallback: number) {
  const message = { error: 'must be a number of seconds, 0 or more' };
  return z._default(z.number(message).check(z.minimum(0, message)), fallback);
}

/** A sampling temperature, 0 to 2. */
export const temperatureOption = z
  .number({ error: 'must be a number from 0 to 2' })
  .check(z.minimum(0, { error: 'must be at least 0' }), z.maximum(2, { error: 'must be at most 2' }));

/** How many calls may run at the same time (rule X9); left out, all that the executor's rules let run in parallel. */
export const concurrencyOption = z.optional(
  z
    .number({ error: 'must be a whole number of at least 1' })
    .check(z.int({ error: 'must be a whole number of at least 1' }), z.minimum(1, { error: 'must be at least 1' })),
);

/** The options that every executor takes from the world (rule X6). */
export const environmentOptions = {
  clock: z._default(
    z.custom<() => number>((value) => typeof value === 'function', { error: 'must be a function' }),
    () => realEnvironment.clock,
  ),
  rng: z._default(
    z.custom<() => number>((value) => typeof value === 'function', { error: 'must be a function' }),
    () => realEnvironment.rng,
  ),
};

/**
 * The options with the defaults filled in.
 *
 * @throws ExecutorOptionsError when one is missing, wrong or unknown: nothing is built.
 */
export function readOptions<Schema extends z.ZodMiniType>(
  executor: string,
  schema: Schema,
  given: z.input<Schema>,
): z.output<Schema> {
  const parsed = z.safeParse(schema, given);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => {
    if (issue.code === 'unrecognized_keys') return `there is no option "${issue.keys.join('", "')}"`;
    const path = issue.path.map(String).join('.');
    return path === '' ? issue.message : `"${path}" ${issue.message}`;
  });
  return refuseOptions(executor, problems.join('; '));
}

/** Throws the ExecutorOptionsError that names the executor, the problem and what to do. */
export function refuseOptions(executor: string, problem: string): never {
  throw new ExecutorOptionsError(
    `The ${executor} executor cannot be built: ${problem}; correct the options and build it again.`,
  );
}
