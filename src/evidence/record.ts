import * as z from 'zod/mini';
import type { Evidence } from '../protocol/core/evidence.js';

const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/));

const ranSchema = z.object({
  kind: z.literal('ran'),
  name: z.string(),
  commit: z.string(),
  definition: hash,
  exit: z.int(),
  timed_out: z.boolean(),
  duration_seconds: z.number(),
  log_sha256: hash,
  finished_at: z.string(),
});

const notRunSchema = z.object({ kind: z.literal('not-run'), reason: z.string(), finished_at: z.string() });

const lostSchema = z.object({ kind: z.literal('lost'), finished_at: z.string() });

const outcomeSchema = z.union([ranSchema, notRunSchema, lostSchema]);

/** The record of one run of a check that did run, whatever it returned: the tool's own, and the only evidence there is. */
export interface CheckRecord extends Evidence {
  /** Which command it was: the hash of the check as it was pinned then. */
  readonly definition: string;
  /** It was ended at its timeout; its exit is 124 then. */
  readonly timedOut: boolean;
  /** When it ended, in ISO 8601. */
  readonly finishedAt: string;
}

/**
 * How a run ended: with a record, without having run (its setup failed, it could not start), or lost, because its runner
 * was killed. Only a lost one is made again at once.
 */
export type RunOutcome =
  | { readonly kind: 'ran'; readonly record: CheckRecord }
  | { readonly kind: 'not-run'; readonly reason: string; readonly finishedAt: string }
  | { readonly kind: 'lost'; readonly finishedAt: string };

/** Reads the file in which a run ended; undefined for anything else. */
export function parseOutcome(text: string): RunOutcome | undefined {
  let parsed: ReturnType<typeof outcomeSchema.safeParse>;
  try {
    parsed = outcomeSchema.safeParse(JSON.parse(text));
  } catch {
    return undefined;
  }
  if (!parsed.success) return undefined;
  const found = parsed.data;
  if (found.kind === 'lost') return { kind: 'lost', finishedAt: found.finished_at };
  if (found.kind === 'not-run') return { kind: 'not-run', reason: found.reason, finishedAt: found.finished_at };
  const { name, commit, definition, exit } = found;
  return {
    kind: 'ran',
    record: {
      name,
      commit,
      definition,
      exit,
      timedOut: found.timed_out,
      durationSeconds: found.duration_seconds,
      log: found.log_sha256,
      finishedAt: found.finished_at,
    },
  };
}

/** Writes that file's text. */
export function renderOutcome(outcome: RunOutcome): string {
  return `${JSON.stringify(writtenOutcome(outcome), null, 2)}\n`;
}

function writtenOutcome(outcome: RunOutcome) {
  switch (outcome.kind) {
    case 'ran':
      return { kind: outcome.kind, ...recordJson(outcome.record) };
    case 'not-run':
      return { kind: outcome.kind, reason: outcome.reason, finished_at: outcome.finishedAt };
    case 'lost':
      return { kind: outcome.kind, finished_at: outcome.finishedAt };
  }
}

/** A record as programs read it, in the file and in the output of commands. */
export function recordJson(record: CheckRecord) {
  return {
    name: record.name,
    commit: record.commit,
    definition: record.definition,
    exit: record.exit,
    timed_out: record.timedOut,
    duration_seconds: record.durationSeconds,
    log_sha256: record.log,
    finished_at: record.finishedAt,
  };
}

/**
 * Whether a record may still be cited (issue 4, section 3): it is of the command as it is pinned now, and not older than
 * `maxAgeSeconds`. A time in the future counts as now, as everywhere (format.md 6).
 */
export function isFresh(record: CheckRecord, definition: string, now: Date, maxAgeSeconds: number): boolean {
  return record.definition === definition && ageSeconds(record.finishedAt, now) <= maxAgeSeconds;
}

/** How long ago that was, from 0 up; Infinity for a time that cannot be read. */
export function ageSeconds(at: string, now: Date): number {
  const then = Date.parse(at);
  return Number.isNaN(then) ? Number.POSITIVE_INFINITY : Math.max(0, (now.getTime() - then) / 1000);
}
