import type { Citation } from '../../protocol/core/citation.js';
import type { Change } from './change.js';
import { fileLines } from './change-text.js';
import { checkLines } from './check-lines.js';
import type { SeatCheck } from './desk.js';
import type { ProduceTask } from './produce-task.js';
import { oneLine, paragraphs, type Quoting, quoted } from './quote.js';

type Work = Extract<ProduceTask, { kind: 'task' | 'feedback' }>;

/** Everything that a review-request or a fix-report says. */
export interface DraftParts {
  readonly task: Work;
  readonly report: string;
  readonly resumed: boolean;
  readonly leftovers: boolean;
  readonly change: Change;
  readonly branch: string;
  readonly checks: readonly SeatCheck[];
  readonly model: string;
}

/** The body of a draft: what the model says of it, marked as such, and what git and the pinned checks say. */
export function draftBody(parts: DraftParts, quoting: Quoting): string {
  const { task, report, change, branch, checks, model } = parts;
  const at = `${branch} at ${change.commit.slice(0, 12)}`;
  const [first = ''] = report.split('\n').filter((line) => line.trim() !== '');
  const about = first === '' ? `Please review ${at}.` : `${oneLine(first)} (${at})`;
  return paragraphs(
    task.kind === 'task' ? about : `In answer to MSG-${task.verdict.seq}: ${about}`,
    `## What ${model} says about it\n\n${quoted(report, quoting)}`,
    `## What git says\n\nAgainst ${change.baseName} (${change.base.slice(0, 12)}):\n\n${quoted(fileLines(change.files), quoting)}`,
    checkLines(checks, quoting) ??
      'No pinned check was run for this entry. What the builder says that it ran is not checked.',
    parts.leftovers
      ? 'The worktree held changes that an earlier run had not committed; they are part of this commit.'
      : undefined,
    parts.resumed ? 'This commit was made by an earlier run, which ended before it could post.' : undefined,
  );
}

/** A model that changed nothing disagrees or is stuck: a person decides, nobody is asked to review the same again. */
export function unchangedBody(task: Work, report: string, quoting: Quoting): string {
  const to = task.kind === 'task' ? 'the task' : `MSG-${task.verdict.seq}`;
  return paragraphs(
    `Nothing was changed in answer to ${to}, so there is no new commit. The supervisor is asked.`,
    `## What the builder says\n\n${quoted(report, quoting)}`,
  );
}

/** The end of a thread: approved by whom, or not approved and why it ends all the same (rule P16). */
export function closeBody(
  task: Extract<ProduceTask, { kind: 'approved' | 'unapproved' }>,
  cited: Citation | undefined,
): string {
  const what = cited === undefined ? 'The change' : `${cited.name} at ${cited.commit}`;
  if (task.kind === 'approved')
    return `Approved by ${task.verdict.sender} in MSG-${task.verdict.seq}: ${what}. Merging is the supervisor's to decide.`;
  return `NOT APPROVED: ${task.why}, and ${what} has no approval. The last word on it is MSG-${task.last.seq} of ${task.last.sender}.

Do not take it for reviewed work. The supervisor may lengthen a thread with --cap, or give the task again.`;
}
