import * as z from 'zod/mini';
import { HARNESS_NAMES } from '../../harness/harnesses.js';
import { secretReference } from './secrets.js';

/** The harnesses whose non-interactive flags were measured, and one that only answers. */
const presetNames = [...HARNESS_NAMES, 'ollama'] as const;

/** One of those that have a preset. */
export type PresetName = (typeof presetNames)[number];

// A fresh expression each time: the shared one is global and would remember where it stopped.
const holdsReference = (text: string) => new RegExp(secretReference.source).test(text);

const plain = z.string().check(
  z.minLength(1),
  z.refine(
    (text) => !holdsReference(text),
    'a reference to a variable stands for a secret and works in "env" and "headers" only',
  ),
);
const withSecrets = z.record(plain, z.string());
const seconds = z.number().check(z.positive(), z.maximum(86_400));

const commandModel = z
  .strictObject({
    kind: z.literal('command'),
    preset: z.optional(z.enum(presetNames)),
    model: z.optional(plain),
    program: z.optional(plain),
    extra_args: z.optional(z.array(plain)),
    access: z.optional(z.enum(['read', 'write'])),
    command: z.optional(z.array(plain).check(z.minLength(1))),
    cwd: z.optional(plain),
    env: z.optional(withSecrets),
    timeout_seconds: z._default(seconds, 600),
    max_output_bytes: z._default(z.int().check(z.minimum(1024)), 4 * 1024 * 1024),
  })
  .check(
    z.refine((s) => (s.preset === undefined) !== (s.command === undefined), 'give either "preset" or "command"'),
    z.refine(
      (s) => s.command === undefined || [s.model, s.program, s.extra_args, s.access].every((v) => v === undefined),
      '"model", "program", "extra_args" and "access" belong to a preset; with "command" write them into the command',
    ),
    z.refine(
      (s) => (s.preset !== 'opencode' && s.preset !== 'ollama') || s.model !== undefined,
      'this preset needs "model": without one the harness picks a model by itself',
    ),
  );

const endpointModel = z.strictObject({
  kind: z.literal('endpoint'),
  base_url: plain.check(z.refine((text) => /^https?:\/\/[^\s]+$/.test(text), 'expected an http or https address')),
  model: plain,
  api_key_env: z.optional(z.string().check(z.regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'expected the name of a variable'))),
  headers: z.optional(withSecrets),
  timeout_seconds: z._default(seconds, 120),
  retries: z._default(z.int().check(z.minimum(0), z.maximum(10)), 4),
  max_wait_seconds: z._default(seconds, 60),
});

const scriptModel = z.strictObject({ kind: z.literal('script'), file: plain });
const stubModel = z.strictObject({ kind: z.literal('stub') });

/** The settings of one model, by kind. Seconds and bytes are what the names say. */
const modelSchema = z.discriminatedUnion('kind', [commandModel, endpointModel, scriptModel, stubModel]);

/** The `models` of a configuration: settings by the name that seats use. */
export const modelsSchema = z.record(
  z.string().check(z.regex(/^[a-z0-9][a-z0-9-]*$/, 'a name is lower-case letters, digits and hyphens')),
  modelSchema,
);

/** What the settings of one model look like after reading. */
export type ModelSettings = z.output<typeof modelSchema>;
/** The settings of a harness or any other program that completes prompts. */
export type CommandSettings = Extract<ModelSettings, { kind: 'command' }>;
/** The settings of a server that speaks the OpenAI chat protocol. */
export type EndpointSettings = Extract<ModelSettings, { kind: 'endpoint' }>;

/** Whether what such a model says was written beforehand, so that no result made with it may count as a measurement. */
export function isScripted(settings: ModelSettings): boolean {
  return settings.kind === 'script' || settings.kind === 'stub';
}
