import { EXIT, type ExitCode } from '../../protocol/core/refusal.js';
import { watcherJsonSchema } from '../../watcher/config/json-schema.js';
import { json } from '../print.js';

/** `debate schema watcher`: the JSON Schema of `watcher.json`, for editors. */
export function schemaCommand(): ExitCode {
  json(watcherJsonSchema());
  return EXIT.done;
}
