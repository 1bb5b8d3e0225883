import { writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { evalModel } from '../../agents/eval/eval-model.js';
import { evaluate } from '../../agents/eval/evaluate.js';
import { type ExecutorKind, executorSubject } from '../../agents/eval/executor-subject.js';
import { figuresOf } from '../../agents/eval/figures.js';
import type { EvalModel } from '../../agents/eval/metered-model.js';
import { projectEvaluation } from '../../agents/eval/project.js';
import { type QuestionSet, readQuestionSet } from '../../agents/eval/question-set.js';
import { folderCache } from '../../agents/eval/reply-cache.js';
import { evaluationFile, renderEvaluation, renderProjection } from '../../agents/eval/report.js';
import { checkedReviewSubject } from '../../agents/eval/review-subject.js';
import type { Subject } from '../../agents/eval/subject.js';
import { openModel, settingsOf } from '../../agents/models/open-model.js';
import { realModelWorld } from '../../agents/models/world.js';
import { readSections } from '../../agents/search/folder-search.js';
import { snakeCased } from '../../agents/snake-cased.js';
import { EXIT, type ExitCode, Refusal } from '../../protocol/core/refusal.js';
import { visible } from '../../protocol/core/visible.js';
import { type AgentConfig, openAgentConfig } from '../agent-config.js';
import type { ChannelOptions } from '../context.js';
import { json, out, print, progressLine, say } from '../print.js';
import type { Stopped } from '../run.js';
import { stopSignal } from '../streams.js';

/** Options of `debate eval`. */
export interface EvalOptions extends ChannelOptions {
  readonly questions: string;
  readonly executor: ExecutorKind | 'checked-review';
  readonly models: readonly string[];
  readonly grader?: string;
  readonly config?: string;
  readonly out?: string;
  readonly cache?: string;
  readonly budgetTokens?: number;
  readonly dry?: boolean;
  readonly allowStub?: boolean;
}

/**
 * `debate eval`: puts a set of questions to an executor and grades the answers (issue 4, section 6). `--dry` says what it
 * would cost at most and calls nothing; Ctrl-C ends it with what it has, and 130.
 */
export async function evalCommand(options: EvalOptions): Promise<ExitCode | Stopped> {
  const config = openAgentConfig(options);
  const set = await readable(() => readQuestionSet(options.questions));
  const subject = await readable(() => subjectOf(options, set));
  const models: EvalModel[] = [];
  for (const name of options.models) models.push(await openOne(config, name));
  const grader = options.grader === undefined ? undefined : await openOne(config, options.grader);
  if (options.dry === true) {
    const projection = await buildable(() => projectEvaluation(set, subject, models, grader));
    if (options.json) json(snakeCased(projection));
    else print(renderProjection(projection));
    return EXIT.done;
  }
  const scripted = [...models, ...(grader === undefined ? [] : [grader])].some((model) => model.scripted);
  if (options.out !== undefined && scripted && options.allowStub !== true)
    throw new Refusal({
      code: 'not-applicable',
      message: 'A model of this evaluation only says what was written beforehand, so there is no result to keep.',
      hint: 'Leave --out away, or keep a file that says so with --allow-stub.',
    });
  const stop = stopSignal();
  const progress = progressLine('questions');
  let asked = 0;
  const run = await buildable(() =>
    evaluate({
      set,
      subject,
      models,
      grader,
      cache: options.cache === undefined ? undefined : folderCache(resolve(options.cache)),
      budgetTokens: options.budgetTokens,
      signal: stop.signal,
      onQuestion: () => {
        asked += 1;
        progress.update(asked, set.questions.length);
      },
      recordedAt: new Date().toISOString(),
    }),
  );
  progress.end();
  const figures = figuresOf(run, set);
  if (options.out !== undefined) writeResult(options.out, evaluationFile(run, figures));
  if (options.json) print(evaluationFile(run, figures));
  else out(visible(renderEvaluation(run, figures).trimEnd()));
  for (const { id, grade, note } of run.questions)
    if (grade === 'failed') say(visible(`${id} failed: ${note ?? 'without a reason'}`));
  return stop.signal.aborted ? stop.stoppedBy() : EXIT.done;
}

async function subjectOf(options: EvalOptions, set: QuestionSet): Promise<Subject> {
  const passages = await readSections(resolve(dirname(options.questions), set.corpus));
  return options.executor === 'checked-review'
    ? checkedReviewSubject(passages)
    : executorSubject(options.executor, passages);
}

async function openOne({ settings, folder, environment }: AgentConfig, name: string): Promise<EvalModel> {
  return readable(async () => {
    const found = settingsOf(name, settings.models);
    const world = { ...realModelWorld(folder, process.cwd()), environment };
    return evalModel(await openModel(name, found, world), found);
  });
}

/** What cannot be read is told with the reason that its reader gives. */
async function readable<T>(read: () => Promise<T>): Promise<T> {
  return refusing(read, 'unreadable', 'Check the file and the names in it.');
}

/** Models that do not fit the executor are found when it is built. */
async function buildable<T>(build: () => Promise<T>): Promise<T> {
  return refusing(build, 'bad-config', 'Give --models in the order that `debate eval --help` names.');
}

async function refusing<T>(act: () => Promise<T>, code: 'unreadable' | 'bad-config', hint: string): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal({ code, message: error instanceof Error ? error.message : String(error), hint });
  }
}

function writeResult(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new Refusal({
      code: 'not-written',
      message: `${file} cannot be written (${(error as NodeJS.ErrnoException).code ?? 'unknown error'}).`,
      hint: 'Name another file with --out; the replies are in the cache if there was one.',
    });
  }
}
