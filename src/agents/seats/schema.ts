import * as z from 'zod/mini';

function told<T extends z.ZodMiniType>(schema: T, description: string): T {
  return schema.check(z.describe(description)) as T;
}

const text = z
  .string({ error: 'expected a text' })
  .check(z.minLength(1, { error: 'expected a text that is not empty' }));
const modelName = told(text, 'The name of a model in "models".');
const temperature = z
  .number({ error: 'expected a number from 0 to 2' })
  .check(
    z.minimum(0, { error: 'expected a number from 0 to 2' }),
    z.maximum(2, { error: 'expected a number from 0 to 2' }),
  );
const checkNames = z._default(
  told(
    z.array(text, { error: 'expected a list of names of pinned checks' }),
    'Pinned checks of the channel whose record goes with what this seat posts.',
  ),
  [],
);

function count(least: number, fallback: number) {
  const error = `expected a whole number from ${least} up`;
  return z._default(z.int({ error }).check(z.minimum(least, { error })), fallback);
}

/** A model with what makes its mistakes its own. */
const speaker = {
  model: modelName,
  persona: z.optional(told(text, 'Standing instructions.')),
  temperature: z.optional(temperature),
};
const traceDir = z.optional(
  told(text, 'Where transcripts and traces go. Default: the folder "traces" beside the memory of the watcher.'),
);

const reviewSeat = z.strictObject(
  {
    kind: z.literal('review'),
    ...speaker,
    base: z.optional(told(text, 'The branch that changes are compared with. Default: the main one of the project.')),
    max_checks: told(count(0, 2), 'Checks that the reviewer may ask for.'),
    check_characters: told(count(1, 2000), 'How much of a found piece of code a check shows.'),
    reply_tokens: told(count(1, 1000), 'Bound of a reply, for models that keep to one.'),
    checks: checkNames,
    trace_dir: traceDir,
  },
  { error: 'expected the settings of a seat' },
);

/** The ways in which a debate seat comes to an answer. */
export const DEBATE_VARIANTS = ['executor', 'optional-judge', 'adversarial', 'consensus', 'vote'] as const;

/** One of them. */
export type DebateVariant = (typeof DEBATE_VARIANTS)[number];

const debateSeat = z.strictObject(
  {
    kind: z.literal('debate'),
    variant: z.optional(z.enum(DEBATE_VARIANTS, { error: `expected one of ${DEBATE_VARIANTS.join(', ')}` })),
    debaters: told(
      z
        .array(z.strictObject({ ...speaker, name: z.optional(text) }), { error: 'expected a list of debaters' })
        .check(z.minLength(1, { error: 'expected at least one debater' })),
      'Who debates. For "executor" and "adversarial" two: the side in favour, then the side against.',
    ),
    debater_count: z.optional(
      told(z.int({ error: 'expected a whole number' }), 'Debaters are taken in turn up to it.'),
    ),
    judge: z.optional(z.strictObject({ model: modelName, temperature: z.optional(temperature) })),
    always_judge: z._default(z.boolean({ error: 'expected true or false' }), false),
    max_rounds: z.optional(z.int({ error: 'expected a whole number' })),
    concurrency: z.optional(z.int({ error: 'expected a whole number' })),
    checks: checkNames,
    trace_dir: traceDir,
  },
  { error: 'expected the settings of a seat' },
);

const produceSeat = z.strictObject(
  {
    kind: z.literal('produce'),
    ...speaker,
    edits: z.optional(
      told(
        z.enum(['tree', 'reply'], { error: 'expected "tree" or "reply"' }),
        'Whether the model changes files in the worktree itself or writes them into its reply.',
      ),
    ),
    max_iterations: told(count(1, 3), 'Drafts in a thread, after which one that is not approved ends it.'),
    checks: checkNames,
    trace_dir: traceDir,
  },
  { error: 'expected the settings of a seat' },
);

const seat = z.discriminatedUnion('kind', [reviewSeat, debateSeat, produceSeat], {
  error: 'expected a seat whose "kind" is "review", "debate" or "produce"',
});

/** The `seats` of a configuration: which bundled agent holds the seat of a party (issue 4, section 4). */
export const seatsSchema = z.record(
  z.string().check(z.regex(/^[a-z0-9][a-z0-9-]*$/, { error: 'expected a party: lower-case letters, digits, hyphens' })),
  seat,
  { error: 'expected a map from party to seat' },
);

/** The settings of a seat, by kind, with the defaults filled in. */
export type SeatSettings = z.output<typeof seat>;
/** One of the three kinds of seat. */
export type SeatKind = SeatSettings['kind'];
/** The settings of a seat of one kind. */
export type SettingsOf<Kind extends SeatKind> = Extract<SeatSettings, { kind: Kind }>;
