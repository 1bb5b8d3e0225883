import type { Model } from '../model.js';
import { finishedReply } from './finished-reply.js';
import { refuseIfAborted } from './model-error.js';

/** How much of the prompt a stub echoes, in characters (spec 1.6). */
const STUB_ECHO_LENGTH = 100;

/**
 * A model that calls nothing and echoes the start of the last prompt. It is neither an acceptance nor a rejection
 * (rule R15), and shows what an executor makes of an answer that keeps to no format.
 */
export function stubModel(name: string): Model {
  return {
    name,
    complete: async (request, { signal }) => {
      refuseIfAborted(name, signal);
      return finishedReply({ text: request.prompt.slice(0, STUB_ECHO_LENGTH), model: name, durationSeconds: 0 });
    },
  };
}
