import { lastLinesOf } from '../../process/bounded-output.js';
import type { Search } from '../search/passage.js';

/**
 * What came of running a configured check. `ran: false` is no evidence of anything (its setup failed, it could not
 * start).
 */
export type CheckRun =
  | { readonly ran: true; readonly exitCode: number; readonly durationSeconds: number; readonly output: string }
  | { readonly ran: false; readonly reason: string };

/** The checks that the supervisor configured, and how one is run; never composed by a model. */
export interface ConfiguredChecks {
  readonly names: readonly string[];
  readonly run: (name: string, options: { readonly signal?: AbortSignal | undefined }) => Promise<CheckRun>;
}

/** One check that the reviewer asked for. */
export interface ReviewCheck {
  readonly kind: 'search' | 'run';
  readonly query: string;
  /** What the reviewer was shown. */
  readonly found: string;
  /** The citation of what was found; for a run, none. */
  readonly cite: string | undefined;
  /** Nothing came of it: no section, or a check that did not run. */
  readonly empty: boolean;
}

/** What a search shows that found nothing (rule R5). */
const NO_MATCH = 'no matching section';

/** Of the output of a run the reviewer sees so many lines, and characters. */
const RUN_LINES = 30;
const RUN_CHARACTERS = 2000;

/** The check that a query names, where any are configured: `run <name>`, exactly. Every other query is a search. */
export function runNameOf(query: string, checks: ConfiguredChecks | undefined): string | undefined {
  const name = /^run (\S+)$/.exec(query)?.[1];
  return name !== undefined && checks?.names.includes(name) ? name : undefined;
}

/** Always a real search (rule R5): the one best section, so many characters of it. */
export function searchCheck(query: string, search: Search, characters: number): ReviewCheck {
  const [hit] = search(query, 1);
  if (hit === undefined) return { kind: 'search', query, found: NO_MATCH, cite: undefined, empty: true };
  const start = [...hit.text].slice(0, characters).join('');
  return { kind: 'search', query, found: `${hit.cite}: ${start}`, cite: hit.cite, empty: false };
}

/** What the reviewer sees of a run: the exit code and the last lines, or why it did not run. */
export function runCheck(query: string, name: string, run: CheckRun): ReviewCheck {
  const base = { kind: 'run', query, cite: undefined } as const;
  if (!run.ran) return { ...base, found: `${name} did not run: ${run.reason}`, empty: true };
  const lines = lastLinesOf(run.output, RUN_LINES).slice(-RUN_CHARACTERS);
  const head = `${name}: exit ${run.exitCode} in ${run.durationSeconds.toFixed(1)} s`;
  return { ...base, found: lines === '' ? head : `${head}\n${lines}`, empty: false };
}
