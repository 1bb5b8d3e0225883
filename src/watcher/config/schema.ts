import * as z from 'zod/mini';
import { parseCronExpression } from '../schedule/cron-expression.js';

const SECONDS = 'a number of seconds from 0 up';
const ARGV = 'a list of texts, the program first, as in ["claude", "-p"]';

/** What each key is for, kept beside the schema: a description within costs every tick a copy of each key's schema. */
export const descriptions = z.registry<{ readonly description: string }>();

function setting<T extends z.ZodMiniType>(schema: T, description: string): z.ZodMiniOptional<T> {
  const optional = z.optional(schema);
  descriptions.add(optional, { description });
  return optional;
}

const party = z
  .string()
  .check(z.regex(/^[a-z0-9][a-z0-9-]*$/, { error: 'a party: lower-case letters, digits and hyphens' }));
const text = z.string({ error: 'a text' }).check(z.minLength(1, { error: 'a text that is not empty' }));
const path = text.check(
  z.refine((given) => !given.includes('${'), {
    error: `a path without a variable: \${NAME} stands only in mirrors, env and model settings`,
  }),
);
const seconds = z.number({ error: SECONDS }).check(z.gte(0, { error: SECONDS }));
const positiveSeconds = z
  .number({ error: 'a number of seconds above 0' })
  .check(z.gt(0, { error: 'a number of seconds above 0' }));
const count = z.int({ error: 'a whole number from 1 up' }).check(z.gte(1, { error: 'a whole number from 1 up' }));
const argv = z.array(z.string({ error: 'a text' }), { error: ARGV }).check(
  z.minLength(1, { error: ARGV }),
  z.refine((list) => list[0] !== '', { error: ARGV }),
);

function byParty<T extends z.ZodMiniType>(value: T, expected: string) {
  return z.record(party, value, { error: expected });
}

function secondsByParty<T extends z.ZodMiniType>(value: T) {
  const expected = `${SECONDS}, or a map from party to seconds`;
  return z.union([value, byParty(value, expected)], { error: expected });
}

// Lazy, as what else few configs have: every tick would pay for it.
const environment = z.lazy(() =>
  z.record(
    z.string().check(
      z.regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: 'the name of an environment variable' }),
      z.refine((name) => !name.startsWith('DEBATE_'), {
        error: 'a name that does not begin with DEBATE_: those the watcher itself sets for a run',
      }),
    ),
    z.string({ error: 'a text' }),
    { error: 'a map from the name of an environment variable to its text' },
  ),
);

const WORKTREE = '"detached", or { "branch": NAME } with, if wanted, "setup": a list of texts';
const worktree = z.lazy(() =>
  z.union([z.literal('detached'), z.strictObject({ branch: text, setup: z.optional(argv) })], { error: WORKTREE }),
);

const MIRROR = '"stdout", { "file": PATH }, { "command": [PROGRAM, ...] } or { "webhook": URL }';
const mirror = z.lazy(() =>
  z.union(
    [
      z.literal('stdout'),
      z.strictObject({ file: text }),
      z.strictObject({ command: argv }),
      z.strictObject({
        webhook: text.check(
          z.refine((url) => url.includes('${') || isWebAddress(url), { error: 'an http or https address' }),
        ),
      }),
    ],
    { error: MIRROR },
  ),
);

const partySettings = z.strictObject(
  {
    command: setting(argv, 'The pinned command, run without a shell. A party without one is never woken.'),
    prompt: setting(text, 'The pinned prompt.'),
    prompt_file: setting(path, 'A file that holds the pinned prompt.'),
    stdin: setting(
      z.enum(['prompt', 'none'], { error: '"prompt" or "none"' }),
      'Whether the command reads the prompt from its standard input ("prompt", the default) or finds it closed.',
    ),
    cwd: setting(path, 'The folder in which the command runs.'),
    env: setting(environment, `Variables for the command; \${NAME} stands for a variable of the watcher.`),
    env_passthrough: setting(
      z.array(text, { error: 'a list of names of environment variables' }),
      'The only variables that the command inherits, besides PATH, HOME and their like. Default: all.',
    ),
    debounce_seconds: setting(seconds, 'How long a turn must have stood before this party is woken.'),
    retry_seconds: setting(seconds, 'How long after a run without a reply the one retry comes.'),
    timeout_seconds: setting(positiveSeconds, 'How long a run may take.'),
    grace_seconds: setting(seconds, 'How long a run that is ended has to end by itself.'),
    worktree: setting(worktree, 'A git worktree for the run, so that the live checkout stays untouched.'),
    checks_before: setting(
      z.array(text, { error: 'a list of names of checks' }),
      'Pinned checks that run before this party is woken.',
    ),
  },
  { error: 'an object with the settings of a party' },
);

const budget = z.strictObject(
  {
    max_invocations_per_hour: setting(count, 'Invocations of the channel in any hour. Default: 12.'),
    max_invocations_per_thread: setting(count, "Invocations in one thread. Default: twice the thread's cap."),
  },
  { error: 'an object with max_invocations_per_hour or max_invocations_per_thread' },
);

const schedule = z.string({ error: 'a cron expression, as in "*/3 * * * *"' }).check(
  z.superRefine((value, context) => {
    const parsed = parseCronExpression(value);
    if ('problem' in parsed) {
      context.issues.push({
        code: 'custom',
        input: value,
        message: `a cron expression, as in "*/3 * * * *"; ${parsed.problem}`,
      });
    }
  }),
);

/**
 * The schema of `watcher.json`, this machine's config of a channel (DESIGN.md 4.4; the flat keys are the published
 * config's). The message of every check says what is expected there, and `problems.ts` makes a sentence of it.
 * What a model or a seat may say is left to their own schemas.
 */
export const watcherConfigSchema = z.strictObject(
  {
    $schema: setting(text, 'Where an editor finds the schema of this file.'),
    root: setting(path, 'The root of the channel; `debate watch` requires it.'),
    state_path: setting(path, "The watcher's memory, outside the channel's root."),
    env_file: setting(path, `NAME=value lines for the agents and for \${NAME}; readable by its owner alone.`),
    parties: setting(byParty(partySettings, 'a map from party to its settings'), 'How each party is woken.'),
    commands: setting(
      byParty(argv, 'a map from party to its command'),
      'Pinned commands by party; {prompt} stands for the prompt.',
    ),
    prompts: setting(byParty(text, 'a map from party to its prompt'), 'Pinned prompts by party.'),
    debounce_seconds: setting(
      secondsByParty(seconds),
      'How long a turn must have stood before a party is woken. Default: 0.',
    ),
    retry_seconds: setting(
      secondsByParty(seconds),
      'How long after a run without a reply the one retry comes. Default: 1800.',
    ),
    timeout_seconds: setting(secondsByParty(positiveSeconds), 'How long a run may take. Default: 1800.'),
    grace_seconds: setting(secondsByParty(seconds), 'How long a run that is ended has to end by itself. Default: 10.'),
    stale_seconds: setting(positiveSeconds, 'How long a turn may stand before it is escalated. Default: 7200.'),
    budget: setting(budget, 'How often agents may be woken at all.'),
    mirror: setting(z.array(mirror, { error: 'a list of targets' }), 'Where new entries are copied for the human.'),
    mirror_body: setting(
      z.enum(['summary', 'full'], { error: '"summary" or "full"' }),
      'Whether mirrors show the first line of an entry or all of it. Default: summary.',
    ),
    schedule: setting(schedule, 'When a tick runs, in UTC. Default: every minute.'),
    max_concurrent_agents: setting(count, 'Agents that one `debate watch` runs at a time. Default: 4.'),
    models: setting(z.record(z.string(), z.unknown(), { error: 'a map from name to model' }), 'Models by name.'),
    seats: setting(z.record(party, z.unknown(), { error: 'a map from party to seat' }), 'Bundled agents by party.'),
  },
  { error: 'an object with the settings of a watcher' },
);

/** `watcher.json` as it was written, every key checked. */
export type WrittenConfig = z.infer<typeof watcherConfigSchema>;

/** The settings of one party in the fuller form, as they were written. */
export type WrittenParty = z.infer<typeof partySettings>;

/** One target of `mirror`, as it was written. */
export type WrittenMirror = z.infer<typeof mirror>;

/** The keys that are known at a place of the config, for suggesting the near one; undefined where any key is. */
export function knownKeysAt(path: readonly PropertyKey[]): readonly string[] | undefined {
  if (path.length === 0) return Object.keys(watcherConfigSchema.shape);
  if (path[0] === 'parties' && path.length === 2) return Object.keys(partySettings.shape);
  if (path[0] === 'budget' && path.length === 1) return Object.keys(budget.shape);
  return undefined;
}

function isWebAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
