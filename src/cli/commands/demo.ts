import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT, type ExitCode } from '../../protocol/core/refusal.js';
import { pinTests, type Stage, setStage } from '../demo/stage.js';
import { out, shellLine, styled } from '../print.js';

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
 */
export function demoCommand(options: DemoOptions): ExitCode {
  const bundled = options.agents === true;
  const stage = setStage(bundled ? 'agents' : 'scripts');
  const who = bundled ? 'two bundled agents on script models' : 'two scripted agents';
  out(styled('dim', `In ${stage.folder}: a small git repository, ${who}, and a channel between them.`));
  chapter('A channel for two parties and a human');
  debate(stage, [
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
    debate(stage, ['models', 'check', '--config', stage.config]);
  }
  chapter('The supervisor gives a task, and the builder is due');
  debate(stage, [
    ...['post', '--root', stage.root, '--as', 'owner', '--type', 'question', '--turn', 'builder', '--thread', THREAD],
    ...['--body', 'Please add jitter to waitMs, so that many clients do not retry at the same moment.'],
  ]);
  chapter('A party that speaks out of turn is refused; nothing is written');
  debate(stage, [
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
  const closed = runTicks(stage);
  chapter('The record');
  debate(stage, ['log', '--root', stage.root]);
  debate(stage, ['verify', '--root', stage.root]);
  if (bundled) showAgents(stage);
  if (options.clean === true) rmSync(stage.folder, { recursive: true, force: true });
  else whereToLook(stage);
  return closed ? EXIT.done : EXIT.look;
}

function runTicks(stage: Stage): boolean {
  for (let tick = 0; tick < TICKS; tick++) {
    debate(stage, ['watch-once', '--config', stage.config]);
    const status = call(stage, ['status', '--root', stage.root, '--json']);
    if ((JSON.parse(status.stdout) as { thread: string }).thread === '') return true;
  }
  return false;
}

/** The first verdict as it stands in the record, the trace behind it, and the figures over all traces. */
function showAgents(stage: Stage): void {
  const traces = join(stage.folder, 'state', 'traces');
  const first = readdirSync(traces).find((name) => /-MSG-2-reviewer-.*\.trace\.jsonl$/.test(name));
  chapter('The first verdict, and the trace behind it');
  debate(stage, ['read', '--root', stage.root, '--thread', THREAD, '--since', '2'], /^──── MSG-4 /);
  if (first !== undefined) debate(stage, ['trace', join(traces, first)]);
  debate(stage, ['trace', '--stats', traces]);
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
function debate(stage: Stage, args: readonly string[], upTo?: RegExp): void {
  out(styled('cyan', `$ ${shellLine(['debate', ...args])}`));
  const run = call(stage, args);
  const lines = `${run.stdout}${run.stderr}`.trimEnd().split('\n');
  const end = upTo === undefined ? -1 : lines.findIndex((line) => upTo.test(line));
  for (const line of end < 0 ? lines : [...lines.slice(0, end), '...']) if (line !== '') out(`  ${line}`);
}

function call(stage: Stage, args: readonly string[]) {
  const env: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(process.env)) if (!name.startsWith('DEBATE_')) env[name] = value;
  // Records of checks lie in the person's state folder; those of a demonstration go with it.
  env.XDG_STATE_HOME = join(stage.folder, 'state');
  return spawnSync(process.execPath, [stage.tool, ...args], { encoding: 'utf8', env, cwd: stage.folder });
}
