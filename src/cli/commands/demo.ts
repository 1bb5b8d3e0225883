import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT, type ExitCode } from '../../protocol/core/refusal.js';
import { pinTests, type Stage, setStage } from '../demo/stage.js';
import { type Ran, runStep } from '../demo/step.js';
import { out, shellLine, styled } from '../print.js';
import type { Stopped } from '../run.js';
import { stopSignal } from '../streams.js';

/** Options of `debate demo`. */
export interface DemoOptions {
  readonly clean?: boolean;
  readonly agents?: boolean;
}

const THREAD = 'retry-jitter';
/** Ticks after which a demonstration that did not close is given up. */
const TICKS = 8;

/**
 * `debate demo`: a whole review through a real channel, driven by watcher ticks alone: task, review-request, verdict,
 * fix-report, verdict, close. Every line below a `$` is what the command printed. With `--agents` the bundled agents take
 * both seats, on models that follow a script; what the reviewer's check finds is not scripted.
 * Ctrl-C ends the step that runs, and what it started, and then the demonstration, with 130.
 */
export async function demoCommand(options: DemoOptions): Promise<ExitCode | Stopped> {
  const { signal, stoppedBy } = stopSignal();
  const folder = mkdtempSync(join(tmpdir(), 'debate-demo-'));
  try {
    const bundled = options.agents === true;
    const stage = await setStage(bundled ? 'agents' : 'scripts', folder, signal);
    const closed = await play({ ...stage, signal }, bundled);
    if (options.clean !== true) whereToLook(stage);
    return closed ? EXIT.done : EXIT.look;
  } catch (error) {
    if (signal.aborted) return stoppedBy();
    throw error;
  } finally {
    if (options.clean === true) rmSync(folder, { recursive: true, force: true });
  }
}

/** A stage on which a signal ends what runs. */
interface Played extends Stage {
  readonly signal: AbortSignal;
}

/** Plays it from the first command to the last. True when the thread was closed. */
async function play(stage: Played, bundled: boolean): Promise<boolean> {
  const who = bundled ? 'two bundled agents on script models' : 'two scripted agents';
  out(styled('dim', `In ${stage.folder}: a small git repository, ${who}, and a channel between them.`));
  chapter('A channel for two parties and a human');
  await debate(stage, [
    'init',
    '--root',
    stage.root,
    '--parties',
    'builder,reviewer',
    '--supervisor',
    'owner',
    '--project',
    stage.project,
  ]);
  if (bundled) {
    chapter(
      'The supervisor pins the tests in debate.json: the tool runs them, and no verdict goes without their record',
    );
    for (const line of JSON.stringify(pinTests(stage), null, 2).split('\n')) out(`  ${line}`);
    chapter('What fills the seats, in watcher.json');
    await debate(stage, ['models', 'check', '--config', stage.config]);
  }
  chapter('The supervisor gives a task, and the builder is due');
  await debate(stage, [
    ...['post', '--root', stage.root, '--as', 'owner', '--type', 'question', '--turn', 'builder', '--thread', THREAD],
    ...['--body', 'Please add jitter to waitMs, so that many clients do not retry at the same moment.'],
  ]);
  chapter('A party that speaks out of turn is refused; nothing is written');
  await debate(stage, [
    'post',
    '--root',
    stage.root,
    '--as',
    'reviewer',
    '--type',
    'info',
    '--body',
    'Let me say something first.',
  ]);
  chapter('From here on only the watcher acts: each tick wakes the agent that is due');
  const closed = await runTicks(stage);
  chapter('The record');
  await debate(stage, ['log', '--root', stage.root]);
  await debate(stage, ['verify', '--root', stage.root]);
  if (bundled) await showAgents(stage);
  return closed;
}

async function runTicks(stage: Played): Promise<boolean> {
  for (let tick = 0; tick < TICKS; tick++) {
    await debate(stage, ['watch-once', '--config', stage.config]);
    const status = await call(stage, ['status', '--root', stage.root, '--json']);
    if ((JSON.parse(status.stdout) as { thread: string }).thread === '') return true;
  }
  return false;
}

/** The first verdict as it stands in the record, the trace behind it, and the figures over all traces. */
async function showAgents(stage: Played): Promise<void> {
  const traces = join(stage.folder, 'state', 'traces');
  const first = readdirSync(traces).find((name) => /-MSG-2-reviewer-.*\.trace\.jsonl$/.test(name));
  chapter('The first verdict, and the trace behind it');
  await debate(stage, ['read', '--root', stage.root, '--thread', THREAD, '--since', '2'], /^──── MSG-4 /);
  if (first !== undefined) await debate(stage, ['trace', join(traces, first)]);
  await debate(stage, ['trace', '--stats', traces]);
}

function whereToLook(stage: Stage): void {
  out('');
  out(styled('bold', 'Where to look'));
  out(`  ${shellLine(['cat', `${stage.root}/CHANNEL.md`])}`);
  out(`  ${shellLine(['git', '-C', stage.project, 'log', '--oneline', '--graph', '--all'])}`);
  out(`  ${shellLine(['cat', stage.config])}`);
  out(`  ${shellLine(['ls', `${stage.folder}/state/logs`])}`);
}

function chapter(title: string): void {
  out('');
  out(styled('bold', `── ${title}`));
}

/** Runs a command as a person would, and shows it with what it printed, up to a line where what matters has been seen. */
async function debate(stage: Played, args: readonly string[], upTo?: RegExp): Promise<void> {
  out(styled('cyan', `$ ${shellLine(['debate', ...args])}`));
  const run = await call(stage, args);
  const lines = `${run.stdout}${run.stderr}`.trimEnd().split('\n');
  const end = upTo === undefined ? -1 : lines.findIndex((line) => upTo.test(line));
  for (const line of end < 0 ? lines : [...lines.slice(0, end), '...']) if (line !== '') out(`  ${line}`);
}

function call(stage: Played, args: readonly string[]): Promise<Ran> {
  const env: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(process.env)) if (!name.startsWith('DEBATE_')) env[name] = value;
  // Records of checks lie in the person's state folder; those of a demonstration go with it.
  env.XDG_STATE_HOME = join(stage.folder, 'state');
  return runStep(process.execPath, [stage.tool, ...args], { cwd: stage.folder, env, signal: stage.signal });
}
