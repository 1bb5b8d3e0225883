import * as z from 'zod/mini';
import type { Model, ModelRequest } from '../model.js';
import { modelOption, temperatureOption } from './options.js';

/** A debater as it is configured: its model, and what makes its mistakes its own (rule A17). */
export const debaterOption = z.strictObject({
  model: modelOption,
  name: z.optional(z.string({ error: 'must be a text' }).check(z.minLength(1, { error: 'must not be empty' }))),
  /** Standing instructions. */
  persona: z.optional(z.string({ error: 'must be a text' })),
  temperature: z.optional(temperatureOption),
});

const AT_LEAST_ONE = { error: 'must be a whole number of at least 1' };

/**
 * The debaters: given one by one, or fewer of them taken in turn until there are `debaterCount`. The count is 3 where
 * only one is given, else as many as are given (rules A1, C1).
 */
export const debatersOptions = {
  debaters: z
    .array(debaterOption, { error: 'must be a list of debaters' })
    .check(z.minLength(1, { error: 'must have at least one debater' })),
  debaterCount: z.optional(z.number(AT_LEAST_ONE).check(z.int(AT_LEAST_ONE), z.minimum(1, AT_LEAST_ONE))),
};

/** The judge as it is configured; its temperature is low unless it says otherwise (rule J10). */
export const judgeOption = z.strictObject({ model: modelOption, temperature: z._default(temperatureOption, 0) });

/** A judge with its defaults filled in. */
export type Judge = z.output<typeof judgeOption>;

/** One debater of a run. */
export interface Debater {
  /** Its own among the debaters. */
  readonly name: string;
  readonly model: Model;
  readonly persona?: string | undefined;
  readonly temperature?: number | undefined;
}

type Configured = z.output<typeof debaterOption>;

function uniquelyNamed(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let copy = 2; ; copy += 1) if (!taken.has(`${name} (${copy})`)) return `${name} (${copy})`;
}

/** The debaters of a run, each with a name of its own. */
export function debatersOf(configured: readonly Configured[], count: number | undefined): readonly Debater[] {
  const total = count ?? (configured.length === 1 ? 3 : configured.length);
  const taken = new Set<string>();
  return Array.from({ length: total }, (_each, index) => {
    const debater = configured[index % configured.length] as Configured;
    const name = uniquelyNamed(debater.name ?? `debater ${index + 1}`, taken);
    taken.add(name);
    return { ...debater, name };
  });
}

/** Refuses a count that leaves a configured debater out, and a debate of fewer than `least`. */
export function countProblem(
  options: {
    readonly debaters: readonly unknown[];
    readonly debaterCount?: number | undefined;
  },
  least: number,
): string | undefined {
  const { debaters, debaterCount } = options;
  if (debaterCount !== undefined && debaterCount < debaters.length) {
    return `"debaterCount" is ${debaterCount}, but ${debaters.length} debaters are given`;
  }
  return debaterCount !== undefined && debaterCount < least ? `"debaterCount" must be at least ${least}` : undefined;
}

/** Debaters that nothing tells apart, so that their mistakes are the same mistakes (rule A17); undefined if there are none. */
export function alikeNotice(debaters: readonly Debater[]): string | undefined {
  const byKind = new Map<string, string[]>();
  for (const { name, model, persona, temperature } of debaters) {
    const kind = JSON.stringify([model.name, persona, temperature]);
    byKind.set(kind, [...(byKind.get(kind) ?? []), name]);
  }
  const alike = [...byKind.values()].filter((names) => names.length > 1).map((names) => names.join(', '));
  return alike.length === 0
    ? undefined
    : `same model, persona and temperature: ${alike.join('; ')}; their mistakes are not independent`;
}

/** A debater's request for a prompt. */
export function requestOf(debater: Debater, prompt: string): ModelRequest {
  return {
    prompt,
    ...(debater.persona === undefined ? {} : { system: debater.persona }),
    ...(debater.temperature === undefined ? {} : { temperature: debater.temperature }),
  };
}
