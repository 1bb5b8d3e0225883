import type { Model } from '../model.js';

/** What a seat says of a model besides its name. */
export interface SpeakerSettings {
  readonly persona?: string | undefined;
  readonly temperature?: number | undefined;
}

/**
 * A model with the standing instructions and the temperature of its seat. An executor that asks for a temperature of its
 * own gets that one; its instructions come after those of the seat.
 */
export function speaker(model: Model, { persona, temperature }: SpeakerSettings): Model {
  if (persona === undefined && temperature === undefined) return model;
  return {
    name: model.name,
    complete: (request, options) => {
      const system = [persona, request.system].filter((part) => part !== undefined).join('\n\n');
      const wanted = request.temperature ?? temperature;
      return model.complete(
        {
          ...request,
          ...(system === '' ? {} : { system }),
          ...(wanted === undefined ? {} : { temperature: wanted }),
        },
        options,
      );
    },
  };
}
