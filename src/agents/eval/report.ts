import { snakeCased } from '../snake-cased.js';
import type { EvaluationRun } from './evaluate.js';
import type { Figures, Score } from './figures.js';
import type { Projection } from './project.js';
import { questionKinds } from './question-set.js';

const percent = (value: number | undefined) => (value === undefined ? '-' : `${(100 * value).toFixed(1)} %`);

function scoreLine(name: string, score: Score): string {
  const cells = [score.n, score.passed, score.ungraded, score.failed].map((count) => String(count).padStart(10));
  return `${name.padEnd(14)}${cells.join('')}${percent(score.score).padStart(10)}${percent(score.rejectRate).padStart(10)}`;
}

const SCRIPTED =
  'SCRIPTED: at least one model only says what was written beforehand. These figures measure nothing and are no result.';

/** The figures as text for a person. A run on scripted models says so first (rule E6). */
export function renderEvaluation(run: EvaluationRun, figures: Figures): string {
  const { spent } = run;
  const why = { 'all-questions': '', budget: ' (the token budget is spent)', signal: ' (stopped)' }[run.endedBy];
  const unknown = spent.callsWithoutUsage > 0 ? `; ${spent.callsWithoutUsage} calls reported none` : '';
  const cap = run.checksCap === undefined ? '' : ` of at most ${run.checksCap}`;
  const review =
    figures.checksPerQuestion === undefined
      ? []
      : [
          `checks a question  ${figures.checksPerQuestion.toFixed(2)}${cap}`,
          `forced verdicts    ${percent(figures.forcedShare)}`,
          `on empty searches  ${percent(figures.ungroundedShare)}`,
        ];
  const lines = [
    ...(run.scripted ? [SCRIPTED, ''] : []),
    `${run.executor} on ${run.set}, ${run.recordedAt}`,
    `models ${run.models.join(', ')}; grader ${run.grader ?? 'none'}`,
    `questions ${run.questions.length} of ${run.questionsTotal}${why}`,
    '',
    `${''.padEnd(14)}${['asked', 'passed', 'ungraded', 'failed'].map((head) => head.padStart(10)).join('')}${'score'.padStart(10)}${'rejected'.padStart(10)}`,
    ...questionKinds.map((kind) => scoreLine(kind, figures.byKind[kind])),
    scoreLine('all', figures.overall),
    '',
    `citations          ${percent(figures.citationCoverage)} of the answers have any, ${percent(figures.citationHitRate)} name a source of the question`,
    ...review,
    `calls              ${spent.calls}, and ${spent.cachedCalls} from the cache`,
    `tokens reported    ${spent.tokensIn} in, ${spent.tokensOut} out${unknown}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** The result file: everything that the figures come from, so that nobody has to believe them. Keys are snake_case. */
export function evaluationFile(run: EvaluationRun, figures: Figures): string {
  const partial = run.endedBy !== 'all-questions';
  const file = { format: 1, partial, interrupted: run.endedBy === 'signal', ...run, figures };
  return `${JSON.stringify(snakeCased(file), undefined, 2)}\n`;
}

/** What a projection says to a person who decides whether to spend it. */
export function renderProjection(projection: Projection): string {
  const { questions, calls, tokensIn, tokensOut, unbounded } = projection;
  const tokens =
    tokensIn === undefined || tokensOut === undefined
      ? `no bound on tokens: ${unbounded}`
      : `at most ${tokensIn + tokensOut} tokens (${tokensIn} in, ${tokensOut} out)`;
  return `${questions} questions: at most ${calls} calls, ${tokens}. Nothing was called.\n`;
}
