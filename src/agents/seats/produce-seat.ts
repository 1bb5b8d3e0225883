import type { Entry } from '../../protocol/core/words.js';
import { realEnvironment } from '../executors/environment.js';
import { type Run, startRun } from '../executors/run.js';
import type { Model } from '../model.js';
import type { ModelSettings } from '../models/schema.js';
import { readFileReply } from '../parse/file-blocks.js';
import { buildTask, type Hands, reviseChange } from '../prompts/builder.js';
import {
  type BuilderTree,
  commitWork,
  earlierReport,
  hasLeftovers,
  openBuilderTree,
  writeFiles,
} from './builder-tree.js';
import { type Change, readChange } from './change.js';
import { diffText, threadText } from './change-text.js';
import type { Desk, SeatAnswer, SeatCheck } from './desk.js';
import { cannotServe } from './plain-answers.js';
import { closeBody, draftBody, unchangedBody } from './produce-body.js';
import { hasDrafted, ownCitation, type ProduceTask, produceTask } from './produce-task.js';
import type { SettingsOf } from './schema.js';
import { shownFiles } from './shown-files.js';

type Work = Extract<ProduceTask, { kind: 'task' | 'feedback' }>;

/**
 * The builder's seat (issue 4, section 4): works in its branch worktree, commits, and asks for a review of the new commit;
 * on an approval it closes. Peer review across two harnesses, by the rules of the library: P4, P5, P7, P12, P16.
 *
 * @throws whatever the model, git or the disk throws; then nothing is posted.
 */
export async function produceSeat(settings: SettingsOf<'produce'>, desk: Desk): Promise<SeatAnswer> {
  const task = produceTask(desk.turn, settings.max_iterations);
  if (task.kind === 'cannot')
    return cannotServe(task.entry, "the supervisor's tasks and a reviewer's verdicts", 'builds');
  if (task.kind === 'approved' || task.kind === 'unapproved') return close(task, desk);
  return work(task, settings, desk);
}

/** Ends the thread without a call: approved, or not approved and said so (rules P12, P16). */
async function close(task: Extract<ProduceTask, { kind: 'approved' | 'unapproved' }>, desk: Desk): Promise<SeatAnswer> {
  const cited = ownCitation(desk.turn);
  const checks = cited === undefined ? [] : await runChecks(desk, desk.checkNames('close', []), cited.commit);
  return {
    type: 'close',
    refs: cited === undefined ? '' : `${cited.name}@${cited.commit}`,
    checks,
    body: () => closeBody(task, cited),
    trailers: [{ key: 'Approved', value: task.kind === 'approved' ? 'yes' : 'no' }],
    trace: undefined,
  };
}

/** What the model said and what came of it. */
interface Done {
  readonly report: string;
  readonly commit: string | undefined;
  /** It was made by an earlier run that could not post it. */
  readonly resumed: boolean;
  /** The tree held changes of an earlier run, which are part of the commit. */
  readonly leftovers: boolean;
}

async function work(task: Work, settings: SettingsOf<'produce'>, desk: Desk): Promise<SeatAnswer> {
  const project = desk.project();
  const tree = await openBuilderTree(desk.worktree, project);
  const { turn } = desk;
  const answers = `${turn.state.thread} MSG-${turn.state.seq} ${turn.state.hash.slice(0, 16)}`;
  const model = await desk.open(settings);
  const run = startRun(
    {
      executor: 'builder',
      models: [model],
      settings: { maxIterations: settings.max_iterations },
      environment: { ...realEnvironment, clock: desk.clock },
    },
    { signal: desk.signal },
  );
  const earlier = await earlierReport(tree, answers);
  const done =
    earlier === undefined
      ? await build(task, settings, desk, { tree, model, run, answers })
      : { report: earlier, commit: tree.start, resumed: true, leftovers: false };
  const { report, commit } = done;
  if (commit === undefined) {
    if (report === '') throw new Error(`${model.name} changed nothing and said nothing.`);
    run.note('Nothing changed', tree.branch, { outcome: 'unchanged' });
    const body: SeatAnswer['body'] = (quoting) => unchangedBody(task, report, quoting);
    return { type: 'info', refs: '', ask: true, checks: [], body, trailers: [], trace: run.trace() };
  }
  run.note('Changes committed', `${tree.branch} at ${commit}`, { outcome: done.resumed ? 'resumed' : 'committed' });
  const type = hasDrafted(turn) ? 'fix-report' : 'review-request';
  const change = await readChange(project, commit, undefined);
  const checks = await runChecks(desk, desk.checkNames(type, settings.checks), commit);
  return {
    type,
    refs: `${tree.branch.replaceAll('@', '-')}@${commit.slice(0, 12)}`,
    checks,
    body: (quoting) => draftBody({ task, ...done, change, branch: tree.branch, checks, model: model.name }, quoting),
    trailers: [],
    trace: run.trace(),
  };
}

async function build(
  task: Work,
  settings: SettingsOf<'produce'>,
  desk: Desk,
  { tree, model, run, answers }: { tree: BuilderTree; model: Model; run: Run; answers: string },
): Promise<Done> {
  const hands = settings.edits ?? handsOf(desk.modelSettings(settings.model));
  const leftovers = await hasLeftovers(tree);
  const prompt = await promptOf(task, desk, tree, hands);
  const title = task.kind === 'task' ? 'Builder works on the task' : 'Builder answers the verdict';
  const said = await run.ask(model, { prompt }, { title });
  if (!said.ok) throw new Error(said.error);
  let report = said.text.trim();
  if (hands === 'reply') {
    const reply = readFileReply(said.text);
    if (!reply.ok) throw new Error(`The reply of ${model.name} cannot be used: ${reply.problem}.`);
    await writeFiles(tree, reply.files);
    report = reply.report;
  }
  desk.signal.throwIfAborted();
  return { report, commit: await commitWork(tree, desk.turn.party, report, answers), resumed: false, leftovers };
}

/** A harness that may write has hands; an endpoint, a script and a harness that only reads have none. */
function handsOf(settings: ModelSettings): Hands {
  if (settings.kind !== 'command') return 'reply';
  if (settings.preset === undefined) return 'tree';
  return settings.access === 'write' && settings.preset !== 'ollama' ? 'tree' : 'reply';
}

async function promptOf(task: Work, desk: Desk, tree: BuilderTree, hands: Hands): Promise<string> {
  const words = task.entries.map((entry) => entry.body).join('\n\n');
  const show = async (query: string, changed: readonly string[]) =>
    hands === 'tree' ? '' : shownFiles(tree.path, tree.start, query, changed);
  if (task.kind === 'task') {
    const told = new Set(task.entries);
    const rest = desk.turn.entries.filter((entry) => !told.has(entry));
    return buildTask(words, rest.length === 0 ? '' : threadText(rest), await show(words, []), hands);
  }
  const change: Change = await readChange(desk.project(), tree.start, undefined);
  const feedback = [task.verdict, ...task.entries].map(feedbackOf).join('\n\n');
  const changed = change.files.map((file) => file.path);
  return reviseChange(diffText(change), feedback, await show(task.verdict.body, changed), hands);
}

function feedbackOf({ seq, sender, body }: Entry): string {
  return `MSG-${seq} of ${sender}:\n${body}`;
}

async function runChecks(desk: Desk, names: readonly string[], commit: string): Promise<readonly SeatCheck[]> {
  const checks: SeatCheck[] = [];
  for (const name of names) checks.push(await desk.check(name, commit));
  return checks;
}
