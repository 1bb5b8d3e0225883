import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { ModelReply, ModelRequest } from '../model.js';

/** Keeps replies, so that a run that was broken off or repeated does not pay for the same call twice. */
export interface ReplyCache {
  get(key: string): Promise<ModelReply | undefined>;
  put(key: string, reply: ModelReply): Promise<void>;
}

/**
 * The key of a call: the model's identity and everything that it is asked. `occurrence` counts equal calls within one
 * question, from 0: several debaters on one model get several samples, never one sample several times.
 */
export function cacheKey(identity: string, request: ModelRequest, occurrence: number): string {
  const { prompt, system, temperature, maxTokens } = request;
  const asked = [identity, system ?? null, prompt, temperature ?? null, maxTokens ?? null, occurrence];
  return createHash('sha256').update(JSON.stringify(asked)).digest('hex');
}

const storedReply = z.object({
  text: z.string(),
  input_tokens: z.optional(z.number()),
  output_tokens: z.optional(z.number()),
  model: z.string(),
  duration_seconds: z.number(),
  finish: z.enum(['stop', 'length', 'other']),
});

/** A cache in a folder, one file a reply. A file that cannot be read counts as not there. */
export function folderCache(folder: string): ReplyCache {
  const fileOf = (key: string) => join(folder, `${key}.json`);
  return {
    get: async (key) => {
      try {
        const stored = storedReply.parse(JSON.parse(await readFile(fileOf(key), 'utf8')));
        return {
          text: stored.text,
          usage: { inputTokens: stored.input_tokens, outputTokens: stored.output_tokens },
          model: stored.model,
          durationSeconds: stored.duration_seconds,
          finish: stored.finish,
        };
      } catch {
        return undefined;
      }
    },
    put: async (key, reply) => {
      await mkdir(folder, { recursive: true });
      const stored = {
        text: reply.text,
        input_tokens: reply.usage.inputTokens,
        output_tokens: reply.usage.outputTokens,
        model: reply.model,
        duration_seconds: reply.durationSeconds,
        finish: reply.finish,
      };
      const temporary = join(folder, `.${key}.${randomUUID()}`);
      await writeFile(temporary, `${JSON.stringify(stored)}\n`);
      await rename(temporary, fileOf(key));
    },
  };
}
