import * as z from 'zod/mini';
import { Refusal } from '../../protocol/core/refusal.js';
import { type ModelSettings, modelsSchema } from '../models/schema.js';
import { type SeatKind, type SeatSettings, type SettingsOf, seatsSchema } from './schema.js';

/** The models and seats of a configuration, checked. */
export interface AgentSettings {
  /** The file that they stand in, for messages. */
  readonly file: string;
  readonly models: Readonly<Record<string, ModelSettings>>;
  readonly seats: Readonly<Record<string, SeatSettings>>;
}

/** A failed check of a schema, as far as a sentence needs it. */
interface Issue {
  readonly code: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly expected?: unknown;
  readonly values?: readonly unknown[];
  readonly keys?: readonly string[];
}

function problemOf(root: string, issue: Issue): string {
  const place = [root, ...issue.path].map(String).join('.');
  if (issue.code === 'unrecognized_keys') return `"${place}" has no key "${issue.keys?.join('", "')}"`;
  if (issue.message !== 'Invalid input') return `"${place}": ${issue.message}`;
  if (issue.values !== undefined) return `"${place}": expected one of ${issue.values.join(', ')}`;
  return `"${place}": ${issue.expected === undefined ? 'it is missing or wrong' : `expected ${String(issue.expected)}`}`;
}

function read<Schema extends z.ZodMiniType>(
  file: string,
  root: string,
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  throw badSettings(file, parsed.error.issues.map((issue) => problemOf(root, issue as Issue)).join('; '));
}

/**
 * Checks `models` and `seats` as they were written, and that every model that a seat names exists.
 *
 * @throws Refusal - `bad-config`, with every problem, each naming its key.
 */
export function readAgentSettings(
  file: string,
  written: { readonly models: unknown; readonly seats: unknown },
): AgentSettings {
  const models = read(file, 'models', modelsSchema, written.models);
  const seats = read(file, 'seats', seatsSchema, written.seats);
  const unknown = Object.entries(seats).flatMap(([party, settings]) =>
    modelsOf(settings)
      .filter((name) => !Object.hasOwn(models, name))
      .map((name) => `"seats.${party}" names the model ${name}, which is not in "models"`),
  );
  if (unknown.length > 0) throw badSettings(file, [...new Set(unknown)].join('; '));
  return { file, models, seats };
}

/** The names of the models of a seat, in the order of its settings. */
export function modelsOf(settings: SeatSettings): readonly string[] {
  if (settings.kind !== 'debate') return [settings.model];
  return [...settings.debaters.map(({ model }) => model), ...(settings.judge ? [settings.judge.model] : [])];
}

/**
 * The seat of a party, of the kind that the command names.
 *
 * @throws Refusal - `bad-config` when the party has none, or one of another kind.
 */
export function seatOf<Kind extends SeatKind>(settings: AgentSettings, party: string, kind: Kind): SettingsOf<Kind> {
  const seat = Object.hasOwn(settings.seats, party) ? settings.seats[party] : undefined;
  if (seat === undefined) throw badSettings(settings.file, `there is no seat for ${party} in "seats"`);
  if (seat.kind === kind) return seat as SettingsOf<Kind>;
  throw badSettings(
    settings.file,
    `the seat of ${party} is one of kind "${seat.kind}", so it is run with \`debate agent ${seat.kind}\``,
  );
}

/** A configuration that cannot be used, in one sentence. */
export function badSettings(file: string, why: string): Refusal {
  return new Refusal({
    code: 'bad-config',
    message: `${file} cannot be used: ${why}.`,
    hint: 'Mend the file; docs/agents.md lists what models and seats may say.',
  });
}
