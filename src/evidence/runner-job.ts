import * as z from 'zod/mini';

const schema = z.object({
  root: z.string(),
  channel: z.string(),
  project: z.string(),
  folder: z.string(),
  name: z.string(),
  commit: z.string(),
  definition: z.string(),
});

/**
 * What a runner is told: which check of which channel at which commit. Not the command: that the runner reads from the
 * channel's config itself, as the supervisor pinned it.
 */
export type RunnerJob = z.infer<typeof schema>;

/** Reads a runner's one argument. Throws for anything else. */
export function parseJob(text: string | undefined): RunnerJob {
  return schema.parse(JSON.parse(text ?? ''));
}
