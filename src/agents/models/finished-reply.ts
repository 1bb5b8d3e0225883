import type { ModelReply, TokenUsage } from '../model.js';
import { stripThinking } from './thinking.js';

/** The usage of a model that does not report any; never an estimate. */
export const unknownUsage: TokenUsage = { inputTokens: undefined, outputTokens: undefined };

/** Every kind of model makes its reply here, so that no thinking block gets past any of them (rule X1). */
export function finishedReply(reply: {
  readonly text: string;
  readonly model: string;
  readonly durationSeconds: number;
  readonly usage?: TokenUsage;
  readonly finish?: ModelReply['finish'];
}): ModelReply {
  return {
    text: stripThinking(reply.text),
    usage: reply.usage ?? unknownUsage,
    model: reply.model,
    durationSeconds: reply.durationSeconds,
    finish: reply.finish ?? 'stop',
  };
}
