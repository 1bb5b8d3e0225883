import * as z from 'zod/mini';
import { descriptions, watcherConfigSchema } from './schema.js';

/** The JSON Schema of `watcher.json` (draft 2020-12), from which editors complete it: `debate schema watcher`. */
export function watcherJsonSchema(): Record<string, unknown> {
  return {
    ...z.toJSONSchema(watcherConfigSchema, { io: 'input', metadata: descriptions }),
    title: 'watcher.json of a debate channel',
  };
}
