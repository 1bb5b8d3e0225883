import * as z from 'zod/mini';

/** How one run ended, for the audit and for what comes next. */
export const OUTCOMES = [
  'running',
  'replied',
  'no-reply',
  'failed',
  'timed-out',
  'quota',
  'aborted',
  'cannot-start',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

const attempt = z.object({
  run: z.string(),
  /** The turn that it was for, `seq@hash`. */
  key: z.string(),
  attempt: z.union([z.literal(1), z.literal(2)]),
  party: z.string(),
  thread: z.string(),
  seq: z.int(),
  started_ms: z.number(),
  ended_ms: z.nullable(z.number()),
  outcome: z.enum(OUTCOMES),
  /** What to tell: exit code, size and limit, until when. */
  detail: z.string(),
  last_lines: z.string(),
  log: z.string(),
  /** Not to be tried again before this time (a quota), or 0. */
  not_before_ms: z.number(),
});
/** One run of a party's command, as this watcher remembers it. */
export type Attempt = z.infer<typeof attempt>;

const escalation = z.object({
  thread: z.string(),
  seq: z.int(),
  cause: z.string(),
  text: z.string(),
  at_ms: z.number(),
});

const tree = z.object({
  thread: z.string(),
  project: z.string(),
  folder: z.string(),
  branch: z.string(),
  /** The seq at which it was found in use after its thread had closed; 0 before. */
  kept_at: z.int(),
});
/** A party's worktree on a branch, until its thread has closed and nothing in it would be lost. */
export type RememberedTree = z.infer<typeof tree>;

const schema = z.object({
  debate_watcher: z.literal(1),
  root: z.string(),
  channel: z.string(),
  /** The newest entry that this watcher has seen: a record below it went back (DESIGN.md 4.3). */
  head: z.nullable(z.object({ seq: z.int(), hash: z.string() })),
  /** The acceptance of a record that went back which this memory has followed already (decisions.md 5). */
  accepted: z.string(),
  /** When a turn was first seen by this watcher, by `seq@hash`. */
  seen_ms: z.record(z.string(), z.number()),
  attempts: z.array(attempt),
  escalations: z.array(escalation),
  mirrored: z.record(z.string(), z.object({ seq: z.int(), escalations: z.array(z.string()) })),
  trees: z.array(tree),
});
/** What a watcher remembers of one channel; it lies outside the channel (DESIGN.md 7). Times in milliseconds since 1970. */
export type Memory = z.infer<typeof schema>;

/** The memory of a watcher that has never looked at this channel. */
export function emptyMemory(root: string, channel: string): Memory {
  return {
    debate_watcher: 1,
    root,
    channel,
    head: null,
    accepted: '',
    seen_ms: {},
    attempts: [],
    escalations: [],
    mirrored: {},
    trees: [],
  };
}

/** Reads a memory's text; undefined for anything else, such as a state file of the published tool (decisions.md 25). */
export function parseMemory(text: string): Memory | undefined {
  try {
    const parsed = schema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** A memory as it is written. */
export function renderMemory(memory: Memory): string {
  return `${JSON.stringify(memory, null, 1)}\n`;
}

/** What a turn is remembered by (format.md 6). */
export function turnKey(seq: number, hash: string): string {
  return `${seq}@${hash.slice(0, 16)}`;
}

/** Runs and escalations that are kept for a look back; older ones can decide nothing any more. */
const KEPT = 200;
/** As far back as a budget looks, in milliseconds. */
const BUDGET_MS = 3_600_000;

/**
 * Drops what can decide nothing any more, so that the memory does not grow for ever. Runs of the open thread and of the
 * last hour stay, however many: the budgets count them.
 */
export function pruned(memory: Memory, openedAt: number, nowMs: number): Memory {
  const isOpen = (seq: number) => openedAt > 0 && seq >= openedAt;
  const surplus = memory.attempts.length - KEPT;
  return {
    ...memory,
    seen_ms: Object.fromEntries(
      Object.entries(memory.seen_ms)
        .filter(([key]) => openedAt === 0 || isOpen(Number.parseInt(key, 10)))
        .slice(-KEPT),
    ),
    attempts: memory.attempts.filter(
      (run, index) => index >= surplus || isOpen(run.seq) || run.started_ms > nowMs - BUDGET_MS,
    ),
    escalations: memory.escalations.slice(-KEPT),
  };
}
