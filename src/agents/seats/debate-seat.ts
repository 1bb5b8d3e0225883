import { citationsIn } from '../../protocol/core/citation.js';
import type { Decision, Entry } from '../../protocol/core/words.js';
import { normalAnswer } from '../parse/normal-answer.js';
import { countsOf } from '../trace.js';
import { readChange } from './change.js';
import { diffText, threadText } from './change-text.js';
import { debateBody } from './debate-body.js';
import { type Debating, debateRun } from './debate-run.js';
import { debateTask } from './debate-task.js';
import type { Desk, SeatAnswer, SeatCheck } from './desk.js';
import { cannotServe } from './plain-answers.js';
import type { DebateVariant, SettingsOf } from './schema.js';

/** What a debate on a review-request is asked for, so that code can read the decision and guesses nothing. */
const DECIDE = 'Should this be approved? The answer is exactly one of: approve, request-changes.';

/**
 * The debating seat (issue 4, section 4): answers a question with `info`, and a review-request with a `verdict`, by the
 * executor of its variant. Where there is no answer it says so in the documents' words and asks the supervisor.
 */
export async function debateSeat(
  settings: SettingsOf<'debate'>,
  desk: Desk,
  given: DebateVariant | undefined,
): Promise<SeatAnswer> {
  const variant = given ?? settings.variant ?? 'vote';
  const task = debateTask(desk.turn);
  if (task.kind === 'cannot') return cannotServe(task.entry, 'a question or a review-request', 'debates');
  const type = task.kind === 'decide' ? 'verdict' : 'info';
  const names = desk.checkNames(type, settings.checks);
  const cited = citationsIn(task.asked.refs).at(-1);
  const run = debateRun(variant, await open(settings, desk));
  const question = await questionOf(task.asked, task.kind === 'decide', desk);
  const outcome = await run(question, { signal: desk.signal });
  const checks: SeatCheck[] = [];
  if (cited !== undefined) for (const name of names) checks.push(await desk.check(name, cited.commit));
  const beside = outcome.voteTrace === undefined ? 0 : countsOf(outcome.voteTrace).calls;
  return {
    type,
    refs: task.asked.refs,
    decision: task.kind === 'decide' ? decisionIn(outcome.answer, checks) : undefined,
    ask: outcome.answer === undefined,
    checks,
    body: (quoting) =>
      debateBody({ outcome, variant, asked: task.asked, decides: task.kind === 'decide', checks }, quoting),
    trailers: [
      { key: 'Status', value: outcome.status },
      ...(beside === 0 ? [] : [{ key: 'Vote-Calls', value: String(beside) }]),
    ],
    trace: outcome.trace,
  };
}

async function open(settings: SettingsOf<'debate'>, desk: Desk): Promise<Debating> {
  const debaters = [];
  for (const { model, name, persona, temperature } of settings.debaters)
    debaters.push({
      model: await desk.open({ model }),
      ...(name === undefined ? {} : { name }),
      ...(persona === undefined ? {} : { persona }),
      ...(temperature === undefined ? {} : { temperature }),
    });
  const { judge } = settings;
  return {
    debaters,
    judge:
      judge === undefined
        ? undefined
        : {
            model: await desk.open({ model: judge.model }),
            ...(judge.temperature === undefined ? {} : { temperature: judge.temperature }),
          },
    debaterCount: settings.debater_count,
    alwaysJudge: settings.always_judge,
    maxRounds: settings.max_rounds,
    concurrency: settings.concurrency,
    clock: desk.clock,
  };
}

/** The question as the debaters read it: the entry, what it cites, and what was said before; executors fence all of it. */
async function questionOf(asked: Entry, decides: boolean, desk: Desk): Promise<string> {
  const before = desk.turn.entries.filter((entry) => entry.seq < asked.seq);
  const after = desk.turn.entries.filter((entry) => entry.seq > asked.seq);
  const cited = decides ? citationsIn(asked.refs).at(-1) : undefined;
  const parts = [
    ...(decides ? [DECIDE] : []),
    asked.body,
    ...(cited === undefined ? [] : [diffText(await readChange(desk.project(), cited.commit, undefined))]),
    ...(before.length === 0 ? [] : [`What was said before, oldest first:\n\n${threadText(before)}`]),
    ...(after.length === 0 ? [] : [`What was said since:\n\n${threadText(after)}`]),
  ];
  return parts.join('\n\n');
}

/** The decision of a debate that was asked for one: only the word itself approves, and no failing check beside it. */
function decisionIn(answer: string | undefined, checks: readonly SeatCheck[]): Decision {
  const approves = answer !== undefined && normalAnswer(answer) === 'approve';
  return approves && checks.every(({ run }) => run.ran && run.exitCode === 0) ? 'approve' : 'request-changes';
}
