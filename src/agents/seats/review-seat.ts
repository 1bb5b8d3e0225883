import { citationsIn } from '../../protocol/core/citation.js';
import type { CheckedReviewResult } from '../review/checked-review.js';
import { createCheckedReview } from '../review/checked-review.js';
import type { ConfiguredChecks } from '../review/reviewer-check.js';
import { commitSearch } from '../search/commit-search.js';
import { type Change, linesAt, readChange } from './change.js';
import { changeText } from './change-text.js';
import type { Desk, SeatAnswer, SeatCheck } from './desk.js';
import { namedPlaces } from './named-places.js';
import { cannotServe, nothingCited } from './plain-answers.js';
import { type CheckedPlace, decisionOf, reviewBody } from './review-body.js';
import { reviewTask } from './review-task.js';
import type { SettingsOf } from './schema.js';

const QUESTION =
  'Should this change be approved? It must do what the thread asks for, and it must break nothing that worked before.';

/**
 * The reviewer's seat (issue 4, section 4): a checked review of the cited commit, its diff and the thread so far being
 * the draft, over a search of the repository as it is at that commit.
 *
 * @throws whatever a model, git or a search throws (rule R19), and when a reviewer says nothing at all.
 */
export async function reviewSeat(settings: SettingsOf<'review'>, desk: Desk): Promise<SeatAnswer> {
  const task = reviewTask(desk.turn);
  if (task.kind === 'cannot') return cannotServe(task.entry, 'a review-request or a fix-report', 'reviews');
  if (task.kind === 'nothing-cited') return nothingCited(task.request);
  const project = desk.project();
  const change = await readChange(project, task.cited.commit, settings.base);
  const names = desk.checkNames('verdict', settings.checks);
  const reviewer = await desk.open(settings);
  const search = await commitSearch(project, change.commit);
  const executor = createCheckedReview({
    reviewer,
    search,
    maxChecks: settings.max_checks,
    checkCharacters: settings.check_characters,
    turnTokens: settings.reply_tokens,
    forcedTokens: settings.reply_tokens,
    clock: desk.clock,
    ...(names.length === 0 ? {} : { checks: configured(desk, names, change.commit) }),
  });
  const result = await executor.execute(
    { question: QUESTION, draft: changeText(change, desk.turn.entries), subject: 'change' },
    { signal: desk.signal },
  );
  if (result.verdict === '') throw new Error(`${reviewer.name} ended its review without a word, which is no verdict.`);
  const checks: SeatCheck[] = [];
  for (const name of names) checks.push(await desk.check(name, change.commit));
  const places = await lookUp(project, change, result);
  const verdict = { result, change, checks, places, reviewer: reviewer.name, sameModel: desk.sameModel };
  return {
    type: 'verdict',
    refs: citationsIn(task.request.refs).length > 0 ? task.request.refs : `${task.cited.name}@${task.cited.commit}`,
    decision: decisionOf(result, checks),
    checks,
    body: (quoting) => reviewBody(verdict, quoting),
    trailers: [
      ...(result.forced ? [{ key: 'Forced', value: 'yes' }] : []),
      ...(result.ungrounded ? [{ key: 'Empty-Searches', value: 'yes' }] : []),
    ],
    trace: result.trace,
  };
}

/** The query `run <name>` runs the pinned check at the commit under review, whatever is checked out (issue 4, 3). */
function configured(desk: Desk, names: readonly string[], commit: string): ConfiguredChecks {
  return { names, run: async (name) => (await desk.check(name, commit)).run };
}

/** A rejection names files and lines; code looks whether they are there. */
async function lookUp(project: string, change: Change, result: CheckedReviewResult): Promise<readonly CheckedPlace[]> {
  const changed = new Set(change.files.map((file) => file.path));
  const places: CheckedPlace[] = [];
  for (const place of namedPlaces(result.verdict)) {
    const lines = await linesAt(project, change.commit, place.path);
    places.push({ place, exists: lines !== undefined && place.to <= lines, changed: changed.has(place.path) });
  }
  return places;
}
