import type { Model, ModelRequest } from '../../src/agents/model.js';
import { scriptModel } from '../../src/agents/models/script-model.js';

/** A model that says these texts in order and keeps what it was asked. */
export function scripted(name: string, ...replies: string[]): Model & { readonly asked: ModelRequest[] } {
  const asked: ModelRequest[] = [];
  const model = scriptModel(name, { replies }, { sleep: async () => {} });
  return {
    name,
    asked,
    complete: (request, options) => {
      asked.push(request);
      return model.complete(request, options);
    },
  };
}
