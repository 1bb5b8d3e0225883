import { resolve } from 'node:path';
import type { Model } from '../model.js';
import { commandModel } from './command-model.js';
import { endpointModel } from './endpoint-model.js';
import { ModelError } from './model-error.js';
import type { ModelSettings } from './schema.js';
import { readScript, scriptModel } from './script-model.js';
import { stubModel } from './stub-model.js';
import type { ModelWorld } from './world.js';

/** Makes the model that these settings describe. Nothing is called; only a script's file is read. */
export async function openModel(name: string, settings: ModelSettings, world: ModelWorld): Promise<Model> {
  switch (settings.kind) {
    case 'command':
      return commandModel(name, settings, world);
    case 'endpoint':
      return endpointModel(name, settings, world);
    case 'script':
      return scriptModel(name, await readScript(name, resolve(world.folder, settings.file)), world);
    case 'stub':
      return stubModel(name);
  }
}

/** The settings of a model by its name in `models`; an unknown name is an error that lists the known ones. */
export function settingsOf(name: string, models: Readonly<Record<string, ModelSettings>>): ModelSettings {
  const settings = Object.hasOwn(models, name) ? models[name] : undefined;
  if (settings !== undefined) return settings;
  const known = Object.keys(models).join(', ') || 'none yet';
  throw new ModelError(
    'settings',
    `There is no model ${name} in "models" (known: ${known}); add it or use a known one.`,
  );
}
