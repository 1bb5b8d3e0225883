import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import type { Model, ModelRequest } from '../model.js';
import { finishedReply } from './finished-reply.js';
import { ModelError, refuseIfAborted } from './model-error.js';
import type { ModelWorld } from './world.js';

const pattern = z.string().check(
  z.refine((source) => {
    try {
      new RegExp(source, 'is');
      return true;
    } catch {
      return false;
    }
  }, 'expected a regular expression'),
);

const scriptedReply = z.strictObject({
  when: z.optional(pattern),
  text: z._default(z.string(), ''),
  finish: z._default(z.enum(['stop', 'length', 'other']), 'stop'),
  input_tokens: z.optional(z.int()),
  output_tokens: z.optional(z.int()),
  delay_seconds: z._default(z.number().check(z.minimum(0)), 0),
  error: z.optional(z.string()),
});

/** The file of a script model: replies in order, or, with `when`, to every prompt that the pattern is found in. */
const scriptSchema = z.strictObject({ replies: z.array(z.union([z.string(), scriptedReply])) });

/** What a script says, as read from its file. */
export type Script = z.output<typeof scriptSchema>;

/** Reads and checks the file of a script model. */
export async function readScript(name: string, file: string): Promise<Script> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ModelError('settings', `The script of model ${name} cannot be read (${why}); check the file ${file}.`);
  }
  const script = scriptSchema.safeParse(value);
  if (script.success) return script.data;
  const issue = script.error.issues[0];
  throw new ModelError(
    'settings',
    `The script of model ${name} is not one: at ${issue?.path.join('.') || 'the top'} ${issue?.message ?? 'it is malformed'} (${file}).`,
  );
}

/**
 * A model that says what a file says, for demos and tests.
 *
 * A reply with `when` answers every prompt in which its pattern is found (ignoring case; the first such reply wins);
 * the others are given once each, in order, to the prompts that no pattern claims. Running out is an error that names
 * the call, never a repeated reply.
 */
export function scriptModel(name: string, script: Script, world: Pick<ModelWorld, 'sleep'>): Model {
  const replies = script.replies.map((reply) =>
    scriptedReply.parse(typeof reply === 'string' ? { text: reply } : reply),
  );
  const byPattern = replies.flatMap((reply) =>
    reply.when === undefined ? [] : [{ reply, pattern: new RegExp(reply.when, 'is') }],
  );
  const inOrder = replies.filter((reply) => reply.when === undefined);
  let calls = 0;
  let given = 0;

  const choose = (request: ModelRequest) => {
    calls += 1;
    const whole = request.system === undefined ? request.prompt : `${request.system}\n\n${request.prompt}`;
    const matched = byPattern.find((entry) => entry.pattern.test(whole));
    if (matched !== undefined) return matched.reply;
    const next = inOrder[given];
    if (next === undefined) {
      const start = request.prompt.trim().replace(/\s+/g, ' ').slice(0, 80);
      throw new ModelError(
        'exhausted',
        `The script of model ${name} has no reply left for call ${calls}, whose prompt begins "${start}"; add one, or give a reply a pattern.`,
      );
    }
    given += 1;
    return next;
  };

  return {
    name,
    complete: async (request, { signal }) => {
      refuseIfAborted(name, signal);
      const reply = choose(request);
      if (reply.delay_seconds > 0) {
        try {
          await world.sleep(reply.delay_seconds, signal);
        } catch {
          throw new ModelError('aborted', `The call of model ${name} was stopped.`);
        }
      }
      if (reply.error !== undefined) throw new ModelError('refused', reply.error);
      return finishedReply({
        text: reply.text,
        model: name,
        durationSeconds: reply.delay_seconds,
        usage: { inputTokens: reply.input_tokens, outputTokens: reply.output_tokens },
        finish: reply.finish,
      });
    },
  };
}
