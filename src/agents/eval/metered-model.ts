import type { Model, ModelReply, ModelRequest } from '../model.js';
import { cacheKey, type ReplyCache } from './reply-cache.js';

/** A model as an evaluation uses it. */
export interface EvalModel {
  readonly model: Model;
  /** What names the model in the cache: two that could answer differently must not share it. */
  readonly identity: string;
  /** What it says was written beforehand: its results measure nothing (rule E6). It is never cached. */
  readonly scripted: boolean;
  /** Whether it keeps to a request's token bound; harnesses have no place for one. */
  readonly boundsReplies: boolean;
}

/** What calls came to. Tokens are those of calls made now, as the models reported them; a cached call costs nothing. */
export interface Spent {
  readonly calls: number;
  readonly cachedCalls: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** Calls whose model reported no tokens: the sums are a lower bound if there are any. */
  readonly callsWithoutUsage: number;
  /** Reported tokens, and an estimate where none were reported: what a budget is held against, never a result. */
  readonly budgetTokens: number;
}

/** Counts the calls of several models together. */
export interface Meter {
  wrap(model: EvalModel): Model;
  /** Equal calls are counted within one question. */
  startQuestion(): void;
  spent(): Spent;
}

/** About as many tokens as a text has: no fewer than its words. */
function estimate(text: string): number {
  return Math.max(text.split(/\s+/).filter(Boolean).length, Math.round(text.length / 4));
}

/** A meter over models, with a cache in between where one is given. */
export function startMeter(cache: ReplyCache | undefined): Meter {
  const spent = { calls: 0, cachedCalls: 0, tokensIn: 0, tokensOut: 0, callsWithoutUsage: 0, budgetTokens: 0 };
  const times = new Map<string, number>();

  const count = (request: ModelRequest, reply: ModelReply) => {
    const { inputTokens, outputTokens } = reply.usage;
    spent.calls += 1;
    spent.tokensIn += inputTokens ?? 0;
    spent.tokensOut += outputTokens ?? 0;
    if (inputTokens === undefined && outputTokens === undefined) spent.callsWithoutUsage += 1;
    spent.budgetTokens += inputTokens ?? estimate(`${request.system ?? ''} ${request.prompt}`);
    spent.budgetTokens += outputTokens ?? estimate(reply.text);
  };

  const wrap = ({ model, identity, scripted }: EvalModel): Model => ({
    name: model.name,
    complete: async (request, options) => {
      const base = cacheKey(identity, request, 0);
      const occurrence = times.get(base) ?? 0;
      times.set(base, occurrence + 1);
      const key = cacheKey(identity, request, occurrence);
      const cached = scripted ? undefined : await cache?.get(key);
      if (cached !== undefined) {
        options.signal?.throwIfAborted();
        spent.cachedCalls += 1;
        return cached;
      }
      const reply = await model.complete(request, options);
      count(request, reply);
      if (!scripted) await cache?.put(key, reply);
      return reply;
    },
  });
  return { wrap, startQuestion: () => times.clear(), spent: () => ({ ...spent }) };
}
