import type { Model } from '../model.js';
import { isScripted, type ModelSettings } from '../models/schema.js';
import type { EvalModel } from './metered-model.js';

/**
 * An opened model as an evaluation uses it. Its identity is its settings, which name secrets and hold none: a model
 * that is set up otherwise does not get the other's cached replies.
 */
export function evalModel(model: Model, settings: ModelSettings): EvalModel {
  return {
    model,
    identity: JSON.stringify(settings),
    scripted: isScripted(settings),
    boundsReplies: settings.kind !== 'command',
  };
}
