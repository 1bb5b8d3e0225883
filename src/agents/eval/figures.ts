import type { EvaluationRun, QuestionResult } from './evaluate.js';
import { type QuestionKind, type QuestionSet, questionKinds } from './question-set.js';

/** The score of some questions. A share is 0 to 1; undefined when nothing was counted, which is not 0. */
export interface Score {
  /** Questions that were asked. */
  readonly n: number;
  readonly passed: number;
  readonly ungraded: number;
  readonly failed: number;
  /** Passed of those that have a grade: ungraded and failed ones are in neither number (rule E3). */
  readonly score: number | undefined;
  /** Of the answers that a reviewer judged, the share that it rejected (rule E5). */
  readonly rejectRate: number | undefined;
}

/** The figures of a run (rules E2, E3, E5). */
export interface Figures {
  readonly overall: Score;
  readonly byKind: Readonly<Record<QuestionKind, Score>>;
  /** Answers with at least one citation, of all answers. */
  readonly citationCoverage: number | undefined;
  /** Answers that cite one of the question's sources, of the answers to questions that have any. */
  readonly citationHitRate: number | undefined;
  readonly checksPerQuestion: number | undefined;
  readonly forcedShare: number | undefined;
  /** Verdicts that rest only on checks that found nothing (rule R18). */
  readonly ungroundedShare: number | undefined;
}

function share<Item>(items: readonly Item[], of: (item: Item) => number): number | undefined {
  return items.length === 0 ? undefined : items.reduce((sum, item) => sum + of(item), 0) / items.length;
}

const reviewsOf = (results: readonly QuestionResult[]) => results.flatMap((result) => result.answer?.review ?? []);

function scoreOf(results: readonly QuestionResult[]): Score {
  const count = (grade: QuestionResult['grade']) => results.filter((result) => result.grade === grade).length;
  const graded = results.filter((result) => result.grade === 'pass' || result.grade === 'fail');
  return {
    n: results.length,
    passed: count('pass'),
    ungraded: count('ungraded'),
    failed: count('failed'),
    score: share(graded, (result) => Number(result.grade === 'pass')),
    rejectRate: share(reviewsOf(results), (review) => Number(review.decision === 'reject')),
  };
}

/** Computes the figures of a run over its set. */
export function figuresOf(run: EvaluationRun, set: QuestionSet): Figures {
  const answered = run.questions.flatMap((result) =>
    result.answer === undefined ? [] : [{ id: result.id, citations: result.answer.citations }],
  );
  const sources = new Map(set.questions.map((question) => [question.id, question.sources]));
  const sourced = answered.filter(({ id }) => (sources.get(id) ?? []).length > 0);
  const reviews = reviewsOf(run.questions);
  const kinds = questionKinds.map((kind) => [kind, scoreOf(run.questions.filter((result) => result.kind === kind))]);
  return {
    overall: scoreOf(run.questions),
    byKind: Object.fromEntries(kinds) as Record<QuestionKind, Score>,
    citationCoverage: share(answered, ({ citations }) => Number(citations.length > 0)),
    citationHitRate: share(sourced, ({ id, citations }) =>
      Number(citations.some((cite) => sources.get(id)?.includes(cite))),
    ),
    checksPerQuestion: share(reviews, (review) => review.checks),
    forcedShare: share(reviews, (review) => Number(review.forced)),
    ungroundedShare: share(reviews, (review) => Number(review.ungrounded)),
  };
}
