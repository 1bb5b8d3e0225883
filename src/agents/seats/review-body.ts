import type { Decision } from '../../protocol/core/words.js';
import type { CheckedReviewResult } from '../review/checked-review.js';
import type { Change } from './change.js';
import { checkLines } from './check-lines.js';
import type { SeatCheck } from './desk.js';
import { type NamedPlace, placeText } from './named-places.js';
import { counted, oneLine, paragraphs, type Quoting, quoted } from './quote.js';

/** A place that a verdict names, looked up by code. */
export interface CheckedPlace {
  readonly place: NamedPlace;
  readonly exists: boolean;
  /** The file is one of those that the change touches. */
  readonly changed: boolean;
}

/** Everything that a verdict entry says. */
export interface VerdictParts {
  readonly result: CheckedReviewResult;
  readonly change: Change;
  readonly checks: readonly SeatCheck[];
  readonly places: readonly CheckedPlace[];
  readonly reviewer: string;
  readonly sameModel: string | undefined;
}

/** The checks that did not come to exit 0, or did not run at all. */
function failedChecks(checks: readonly SeatCheck[]): readonly SeatCheck[] {
  return checks.filter(({ run }) => !run.ran || run.exitCode !== 0);
}

/**
 * The decision of the entry. It fails closed: only an acceptance approves, and not even that one while a pinned check at
 * the commit did not come to exit 0: evidence that code made goes before what a model says (DESIGN.md 8).
 */
export function decisionOf(result: Pick<CheckedReviewResult, 'decision'>, checks: readonly SeatCheck[]): Decision {
  return result.decision === 'accept' && failedChecks(checks).length === 0 ? 'approve' : 'request-changes';
}

/** The body of a verdict: what was decided and why, the findings, what was checked and found (issue 4, section 4). */
export function reviewBody(parts: VerdictParts, quoting: Quoting): string {
  const { result, change, checks, places } = parts;
  return paragraphs(
    headline(parts),
    heading('Verdict', result.decision === 'reject' && result.reason !== '' ? result.reason : result.verdict, quoting),
    placesText(result, places),
    `## What was checked\n\n${checksText(result, quoting)}`,
    checkLines(
      checks,
      quoting,
      result.checks.filter(({ kind }) => kind === 'run').map(({ query }) => query.replace(/^run /, '')),
    ),
    `## How to read this\n\n${remarks(parts)
      .map((line) => `- ${line}`)
      .join('\n')}`,
    change.cut === 0 ? undefined : `The diff is longer than a prompt: ${change.cut} of its characters were not shown.`,
  );
}

function heading(title: string, text: string, quoting: Quoting): string {
  return `## ${title}\n\n${quoted(text, quoting)}`;
}

function headline({ result, change, checks }: VerdictParts): string {
  const at = `at ${change.commit.slice(0, 12)}`;
  const [failed] = failedChecks(checks);
  if (result.decision === 'accept' && failed !== undefined)
    return `Changes requested ${at}: the reviewer accepted, but ${failed.name} did not come to exit 0 there, so this is no approval.`;
  if (result.decision === 'accept') return `Approved ${at}.`;
  if (result.decision === 'reject')
    return `Changes requested ${at}: ${oneLine(result.reason || 'no reason was given')}`;
  return `Not approved ${at}: the reviewer's reply is neither ACCEPT nor REJECT, so it counts as no approval.`;
}

function placesText(result: CheckedReviewResult, places: readonly CheckedPlace[]): string | undefined {
  if (places.length === 0)
    return result.decision === 'reject' ? 'It names no file with a line that could be looked up.' : undefined;
  const lines = places.map(({ place, exists, changed }) => {
    const where = changed ? 'there, in a file of this change' : 'there, in a file that this change does not touch';
    return `- ${placeText(place)}: ${exists ? where : 'NOT in the commit'}`;
  });
  return `Places that it names, looked up at the commit:\n\n${lines.join('\n')}`;
}

function checksText(result: CheckedReviewResult, quoting: Quoting): string {
  if (result.checks.length === 0) return 'The reviewer asked for no check and judged by the diff and the thread alone.';
  return result.checks
    .map((check, index) => {
      const what = check.kind === 'run' ? 'ran' : 'searched the commit for';
      const name = check.kind === 'run' ? check.query.replace(/^run /, '') : `"${oneLine(check.query)}"`;
      const found = quoted(check.found, { ...quoting, characters: Math.min(quoting.characters, 1200) });
      return `${index + 1}. It ${what} ${name}, and found:\n\n${found}`;
    })
    .join('\n\n');
}

function remarks({ result, change, reviewer, sameModel }: VerdictParts): readonly string[] {
  const count = result.checks.length;
  return [
    `${reviewer} compared ${change.commit.slice(0, 12)} with ${change.baseName} (${change.base.slice(0, 12)}): ${counted(change.files.length, 'file')}. It did not see what the builder looked at.`,
    ...(result.forced
      ? [`The cap of ${counted(count, 'check')} forced this verdict: the reviewer had not come to one.`]
      : []),
    ...(result.ungrounded ? ['Every check came back empty, so this verdict rests on nothing that was found.'] : []),
    ...(sameModel === undefined ? [] : [`Warning: ${sameModel}.`]),
  ];
}
