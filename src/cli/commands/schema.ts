import { agentJsonSchemas } from '../../agents/seats/json-schema.js';
import { EXIT, type ExitCode } from '../../protocol/core/refusal.js';
import { watcherJsonSchema } from '../../watcher/config/json-schema.js';
import { json } from '../print.js';

/** `debate schema watcher`: the JSON Schema of `watcher.json`, for editors; models and seats have schemas of their own. */
export function schemaCommand(): ExitCode {
  const schema = watcherJsonSchema();
  json({ ...schema, properties: { ...(schema.properties as object), ...agentJsonSchemas() } });
  return EXIT.done;
}
