import * as z from 'zod/mini';
import type { Rules } from './core/admit.js';
import type { Reader } from './core/counter.js';
import { isName } from './core/grammar.js';
import { Refusal } from './core/refusal.js';
import { type Base, type Hashes, ZERO_HASH } from './core/words.js';
import type { Disk } from './disk.js';
import { readText } from './file.js';
import type { ChannelPaths } from './layout.js';
import { unreadable } from './read-refusals.js';

const count = z.int().check(z.minimum(1));
const name = () => z.string().check(z.refine(isName, 'is not a name: use lower-case letters, digits and hyphens'));

const end = () => z.object({ seq: z.int().check(z.minimum(0)), hash: z.string() });

const check = () =>
  z.object({
    setup: z.optional(z.array(z.string()).check(z.minLength(1))),
    command: z.array(z.string()).check(z.minLength(1)),
    timeout_seconds: z.optional(z.number().check(z.positive())),
  });

/**
 * `debate.json`: the channel's shared config (DESIGN.md 4.4). Keys that are not ours survive a rewrite. What few channels have is
 * lazy: every start would pay for it.
 */
const schema = z.looseObject({
  parties: z.array(z.string().check(z.minLength(1))).check(z.length(2)),
  supervisor: z._default(z.string().check(z.minLength(1)), 'supervisor'),
  thread_cap: z.optional(count),
  format: z.optional(z.union([z.literal(1), z.literal(2)])),
  format_since: z.optional(count),
  base: z.optional(count),
  id: z.optional(z.string()),
  name: z.optional(z.string()),
  project: z.optional(z.string()),
  managed_version: z.optional(z.int()),
  max_body_bytes: z.optional(count),
  accepted: z.optional(z.lazy(end)),
  accepted_before: z.optional(z.lazy(() => z.array(end()))),
  checks: z.optional(z.lazy(() => z.record(name(), check()))),
  require_evidence: z.optional(z.lazy(() => z.record(z.string(), z.array(name())))),
  evidence_max_age_seconds: z.optional(z.number().check(z.positive())),
});

/** A check that the supervisor pinned (DESIGN.md 2). */
export interface PinnedCheck {
  readonly setup: readonly string[] | undefined;
  readonly command: readonly string[];
  readonly timeoutSeconds: number;
}

/** An end of the record from which the supervisor let it go on. */
export interface AcceptedEnd {
  readonly seq: number;
  readonly hash: string;
}

/** A channel's config, resolved. */
export interface ChannelConfig extends Rules {
  readonly format: 1 | 2;
  readonly formatSince: number | undefined;
  readonly base: number | undefined;
  /** Random, written by `init`: the same id elsewhere is a copy. Undefined in channels of the published tool. */
  readonly id: string | undefined;
  readonly name: string | undefined;
  /** As written: the repository that citations are looked up in, unless it is the one around the channel. */
  readonly project: string | undefined;
  /** Brokered by another program (`"managed_version": 2`): read, never posted to. */
  readonly brokered: boolean;
  /** The record as the supervisor accepted it after it went back (decisions.md 5). */
  readonly accepted: AcceptedEnd | undefined;
  /** The same of earlier times: what was put aside then may stand in the archive. */
  readonly acceptedBefore: readonly AcceptedEnd[];
  readonly checks: Readonly<Record<string, PinnedCheck>>;
  readonly evidenceMaxAgeSeconds: number;
  /** The file as it stands, for a rewrite that keeps what is not ours. */
  readonly raw: Readonly<Record<string, unknown>>;
  /** The same as text, by which a writer sees whether somebody changed it. */
  readonly text: string;
}

/** Default cap of a thread: the published tool's in its format, ours in ours (decisions.md 9). */
export function defaultCap(format: 1 | 2): number {
  return format === 1 ? 8 : 12;
}

/** Reads a channel's config. Refuses `bad-config` with the key, its value and what is expected, and `unreadable`. */
export function readConfig(disk: Disk, paths: ChannelPaths): ChannelConfig {
  const text = readConfigText(disk, paths);
  if (text === undefined)
    throw new Refusal({
      code: 'no-channel',
      message: `There is no channel at ${paths.root}: ${paths.config} is missing.`,
      hint: 'Make one with `debate init --root DIR --parties a,b`, or name another with --root.',
    });
  return parseConfig(text, paths.config);
}

/** The config's text, or undefined where there is none. Refuses `unreadable`. */
export function readConfigText(disk: Disk, paths: ChannelPaths): string | undefined {
  try {
    return readText(disk, paths.config);
  } catch (error) {
    throw unreadable(paths.config, error);
  }
}

/** Parses `debate.json`. `file` is only for messages. */
export function parseConfig(text: string, file: string): ChannelConfig {
  let raw: unknown;
  try {
    raw = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw badConfig(file, `it is not JSON (${error instanceof Error ? error.message : String(error)})`);
  }
  const parsed = schema.safeParse(raw);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw badConfig(file, issue === undefined ? 'it is wrong' : problemOf(issue, raw));
  }
  const value = parsed.data;
  const [first = '', second = ''] = value.parties;
  if (first === second || first === value.supervisor || second === value.supervisor)
    throw badConfig(file, 'parties and supervisor must be three different names');
  const format = value.format ?? 1;
  return {
    parties: [first, second],
    supervisor: value.supervisor,
    threadCap: value.thread_cap ?? defaultCap(format),
    maxBodyBytes: value.max_body_bytes ?? 1024 * 1024,
    requireEvidence: value.require_evidence ?? {},
    format,
    formatSince: value.format_since,
    base: value.base,
    id: value.id,
    name: value.name,
    project: value.project,
    brokered: value.managed_version === 2,
    accepted: value.accepted,
    acceptedBefore: value.accepted_before ?? [],
    checks: Object.fromEntries(
      Object.entries(value.checks ?? {}).map(([key, each]) => [
        key,
        { setup: each.setup, command: each.command, timeoutSeconds: each.timeout_seconds ?? 900 },
      ]),
    ),
    evidenceMaxAgeSeconds: value.evidence_max_age_seconds ?? 86_400,
    raw: raw as Record<string, unknown>,
    text,
  };
}

/** How the record of this channel is read. */
export function readerOf(config: ChannelConfig, hashes: Hashes): Reader {
  const base: Base =
    config.base === undefined ? { number: 0, hash: ZERO_HASH } : { number: config.base, hash: undefined };
  return {
    parties: config.parties,
    supervisor: config.supervisor,
    threadCap: config.threadCap,
    format: config.format,
    formatSince: config.formatSince,
    base,
    hashes,
  };
}

/** The text of a config file: two spaces, no final newline, as the published tool writes it. */
export function renderConfig(raw: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(raw, null, 2);
}

/** The key, the value that stands there, and what is expected, as far as the check says it. */
function problemOf(issue: z.core.$ZodIssue, raw: unknown): string {
  const key = issue.path.join('.');
  const about = issue as { readonly expected?: string; readonly minimum?: number };
  const found = issue.path.reduce<unknown>(
    (value, part) => (value as Record<PropertyKey, unknown> | undefined)?.[part],
    raw,
  );
  const expected =
    issue.message !== 'Invalid input'
      ? issue.message
      : about.expected !== undefined
        ? `expected ${about.expected === 'int' ? 'a whole number' : about.expected}`
        : about.minimum !== undefined
          ? `expected at least ${about.minimum}`
          : 'that is not allowed';
  return `${key === '' ? 'it' : `"${key}"`} is ${JSON.stringify(found)?.slice(0, 60) ?? 'missing'}: ${expected}`;
}

function badConfig(file: string, why: string): Refusal {
  return new Refusal({
    code: 'bad-config',
    message: `${file} cannot be used: ${why}.`,
    hint: 'Mend the file; docs/protocol.md lists its keys.',
  });
}
