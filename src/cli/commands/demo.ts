import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { EXIT, type ExitCode } from '../../protocol/core/refusal.js';
import { type Stage, setStage } from '../demo/stage.js';
import { out, shellLine, styled } from '../print.js';

/** Options of `debate demo`. */
export interface DemoOptions {
  readonly clean?: boolean;
}

/** Ticks after which a demonstration that did not close is given up. */
const TICKS = 8;

/**
 * `debate demo`: a whole review through a real channel, driven by watcher ticks alone: task, review-request, verdict,
 * fix-report, verdict, close. Every line below a `$` is what the command printed.
 */
export function demoCommand(options: DemoOptions): ExitCode {
  const stage = setStage();
  out(styled('dim', `In ${stage.folder}: a small git repository, two scripted agents, and a channel between them.`));
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
  chapter('The supervisor gives a task, and the builder is due');
  debate(stage, [
    ...[
      'post',
      '--root',
      stage.root,
      '--as',
      'owner',
      '--type',
      'question',
      '--turn',
      'builder',
      '--thread',
      'retry-jitter',
    ],
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

/** Runs a command as a person would, and shows it with what it printed. */
function debate(stage: Stage, args: readonly string[]): void {
  out(styled('cyan', `$ ${shellLine(['debate', ...args])}`));
  const run = call(stage, args);
  for (const line of `${run.stdout}${run.stderr}`.trimEnd().split('\n')) if (line !== '') out(`  ${line}`);
}

function call(stage: Stage, args: readonly string[]) {
  const env: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(process.env)) if (!name.startsWith('DEBATE_')) env[name] = value;
  return spawnSync(process.execPath, [stage.tool, ...args], { encoding: 'utf8', env, cwd: stage.folder });
}
