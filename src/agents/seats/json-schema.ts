import * as z from 'zod/mini';
import { modelsSchema } from '../models/schema.js';
import { seatsSchema } from './schema.js';

/** The JSON Schemas of `models` and `seats`, from which editors complete a config: parts of `debate schema watcher`. */
export function agentJsonSchemas(): { readonly models: object; readonly seats: object } {
  const part = (schema: z.ZodMiniType, description: string) => {
    const { $schema: _draft, ...rest } = z.toJSONSchema(schema, { io: 'input' });
    return { ...rest, description };
  };
  return {
    models: part(modelsSchema, 'Models by name: a harness command, an endpoint, a script or a stub.'),
    seats: part(seatsSchema, 'Bundled agents by party, for `debate agent`.'),
  };
}
