import type { Model } from '../model.js';
import { rubricPrompt } from '../prompts/rubric-grader.js';
import { type Grade, gradeByCode, readRubricGrade } from './grade.js';
import { type EvalModel, type Spent, startMeter } from './metered-model.js';
import type { Question, QuestionKind, QuestionSet } from './question-set.js';
import type { ReplyCache } from './reply-cache.js';
import type { Subject, SubjectAnswer } from './subject.js';

/** The token bound of a grading call: one word. */
export const GRADER_TOKENS = 10;

/** How one question went. `failed`: the executor brought no answer; like `ungraded` it is not wrong (rule E3). */
export interface QuestionResult {
  readonly id: string;
  readonly kind: QuestionKind;
  readonly grade: Grade | 'failed';
  /** The reason, where it failed; why it is ungraded, where it is. */
  readonly note: string | undefined;
  readonly answer: SubjectAnswer | undefined;
  readonly spent: Spent;
}

/** What is to be evaluated, with what, and within which bounds. */
export interface Evaluation {
  readonly set: QuestionSet;
  readonly subject: Subject;
  /** The models of the subject, in the order that it wants them. */
  readonly models: readonly EvalModel[];
  /** Grades by rubric; without one, such answers are ungraded. */
  readonly grader?: EvalModel | undefined;
  readonly cache?: ReplyCache | undefined;
  /** No question is begun once so many tokens are spent; one question may overshoot it. */
  readonly budgetTokens?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called after each question, for progress. */
  readonly onQuestion?: ((result: QuestionResult) => void) | undefined;
  /** UTC, ISO 8601: when the run began. */
  readonly recordedAt: string;
}

/** Everything that a run brought, complete or not; figures are computed from it. */
export interface EvaluationRun {
  readonly set: string;
  readonly executor: string;
  readonly checksCap: number | undefined;
  readonly models: readonly string[];
  readonly grader: string | undefined;
  /** At least one model only says what was written beforehand: nothing here is a measurement (rule E6). */
  readonly scripted: boolean;
  readonly recordedAt: string;
  readonly questionsTotal: number;
  readonly endedBy: 'all-questions' | 'budget' | 'signal';
  readonly questions: readonly QuestionResult[];
  readonly spent: Spent;
}

async function gradeAnswer(
  question: Question,
  answer: string,
  abstain: readonly string[],
  grader: Model | undefined,
  signal: AbortSignal | undefined,
): Promise<{ readonly grade: Grade; readonly note: string | undefined }> {
  const byCode = gradeByCode(question, answer, abstain);
  if (byCode !== undefined) return { grade: byCode, note: undefined };
  if (grader === undefined) return { grade: 'ungraded', note: 'no model grades by rubric' };
  const prompt = rubricPrompt(question.question, question.rubric ?? '', answer);
  try {
    const reply = await grader.complete({ prompt, maxTokens: GRADER_TOKENS }, signal === undefined ? {} : { signal });
    const grade = readRubricGrade(reply.text);
    return {
      grade,
      note: grade === 'ungraded' ? `the grader said ${JSON.stringify(reply.text.slice(0, 80))}` : undefined,
    };
  } catch (error) {
    signal?.throwIfAborted();
    return { grade: 'ungraded', note: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Asks the subject every question of the set and grades the answers (rule E2).
 *
 * It always returns what it has: after the signal, without the question that was under way; after the budget, up to
 * the question that spent it. A question whose executor fails does not stop the others.
 */
export async function evaluate(evaluation: Evaluation): Promise<EvaluationRun> {
  const { set, subject, models, grader, cache, budgetTokens, signal } = evaluation;
  const meter = startMeter(cache);
  const answer = subject.build(models.map(meter.wrap));
  const grading = grader === undefined ? undefined : meter.wrap(grader);
  const questions: QuestionResult[] = [];
  let endedBy: EvaluationRun['endedBy'] = 'all-questions';

  const askOne = async (question: Question): Promise<QuestionResult> => {
    const before = meter.spent();
    const base = { id: question.id, kind: question.kind };
    let given: SubjectAnswer;
    try {
      given = await answer(question.question, signal);
    } catch (error) {
      signal?.throwIfAborted();
      const note = error instanceof Error ? error.message : String(error);
      return { ...base, grade: 'failed', note, answer: undefined, spent: difference(meter.spent(), before) };
    }
    const graded = await gradeAnswer(question, given.text, set.abstain, grading, signal);
    return { ...base, ...graded, answer: given, spent: difference(meter.spent(), before) };
  };

  for (const question of set.questions) {
    if (signal?.aborted) endedBy = 'signal';
    else if (budgetTokens !== undefined && meter.spent().budgetTokens >= budgetTokens) endedBy = 'budget';
    if (endedBy !== 'all-questions') break;
    meter.startQuestion();
    try {
      const result = await askOne(question);
      questions.push(result);
      evaluation.onQuestion?.(result);
    } catch (error) {
      if (!signal?.aborted) throw error;
      endedBy = 'signal';
      break;
    }
  }
  return {
    set: set.name,
    executor: subject.kind,
    checksCap: subject.checksCap,
    models: models.map(({ model }) => model.name),
    grader: grader?.model.name,
    scripted: [...models, ...(grader === undefined ? [] : [grader])].some((model) => model.scripted),
    recordedAt: evaluation.recordedAt,
    questionsTotal: set.questions.length,
    endedBy,
    questions,
    spent: meter.spent(),
  };
}

function difference(after: Spent, before: Spent): Spent {
  return {
    calls: after.calls - before.calls,
    cachedCalls: after.cachedCalls - before.cachedCalls,
    tokensIn: after.tokensIn - before.tokensIn,
    tokensOut: after.tokensOut - before.tokensOut,
    callsWithoutUsage: after.callsWithoutUsage - before.callsWithoutUsage,
    budgetTokens: after.budgetTokens - before.budgetTokens,
  };
}
