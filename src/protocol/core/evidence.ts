import { type Citation, citedCommit } from './citation.js';
import type { Draft } from './draft.js';
import { type Objection, objection } from './refusal.js';
import { withArticle } from './words.js';

/** What the tool recorded of one run of a pinned check: what it returned does not matter, that it ran does. */
export interface Evidence {
  /** The check's name. */
  readonly name: string;
  /** The full commit at which it ran. */
  readonly commit: string;
  /** 124 when it was ended at its timeout, 128 and the signal's number when a signal ended it, as shells have it. */
  readonly exit: number;
  readonly durationSeconds: number;
  /** SHA-256 of the log that was kept, 64 hex digits. */
  readonly log: string;
}

const VALUE =
  /^([a-z0-9][a-z0-9-]*) ([0-9a-f]{40}|[0-9a-f]{64}) exit (\d{1,10}) in (\d{1,9}\.\d) s log sha256:([0-9a-f]{64})$/;

/** The value of the trailer `Debate-Check` (DESIGN.md 4.1): `tests 4e9f21c... exit 1 in 12.3 s log sha256:...`. */
export function renderEvidence({ name, commit, exit, durationSeconds, log }: Evidence): string {
  return `${name} ${commit} exit ${exit} in ${durationSeconds.toFixed(1)} s log sha256:${log}`;
}

/** Takes the value of such a trailer apart; undefined for one that the tool did not write. */
export function parseEvidence(value: string): Evidence | undefined {
  const [, name, commit, exit, duration, log] = VALUE.exec(value) ?? [];
  if (name === undefined || commit === undefined || log === undefined) return undefined;
  return { name, commit, exit: Number(exit), durationSeconds: Number(duration), log };
}

/**
 * Rule 8 (DESIGN.md 5): where evidence is required for a type, the draft carries the tool's own record of each check at
 * the commit that it cites. `cited` is the open thread's newest citation, for the command that the hint gives.
 */
export function judgeEvidence(
  required: Readonly<Record<string, readonly string[]>>,
  draft: Draft,
  cited: Citation | undefined,
): Objection | undefined {
  const own = citedCommit(draft.refs);
  const names = Object.hasOwn(required, draft.type) ? (required[draft.type] ?? []) : [];
  const missing = names.filter(
    (name) => !draft.checks.some((value) => value.startsWith(`${name} ${own?.commit ?? ''}`)),
  );
  if (missing.length === 0) return undefined;
  return objection(
    'evidence-missing',
    `${withArticle(draft.type, 'A')} needs the record of ${missing.join(' and ')} at the commit that it cites.`,
    `Give it with the draft: \`${commandOf(draft, names, own === undefined ? refsOf(cited) : draft.refs)}\`.`,
  );
}

function commandOf(draft: Draft, names: readonly string[], refs: string): string {
  return [
    `debate post --as ${draft.sender} --type ${draft.type}`,
    ...(draft.thread === undefined ? [] : [`--thread ${draft.thread}`]),
    ...(draft.decision === undefined ? [] : [`--decision ${draft.decision}`]),
    ...(draft.ask ? ['--ask'] : []),
    // Somebody else may have written the citation, and the command is there to be pasted.
    `--refs ${/^[\w./@,:+-]+$/.test(refs) ? refs : `'${refs.replaceAll("'", '')}'`}`,
    ...names.map((name) => `--check ${name}`),
    '--body-file FILE',
  ].join(' ');
}

function refsOf(cited: Citation | undefined): string {
  return cited === undefined ? 'NAME@COMMIT' : `${cited.name}@${cited.commit}`;
}
