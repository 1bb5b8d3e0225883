import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../../protocol/core/refusal.js';
import { packageFolder } from '../package-folder.js';
import { type Ran, runStep } from './step.js';

/** The folders and files of one demonstration. */
export interface Stage {
  readonly folder: string;
  readonly project: string;
  readonly root: string;
  readonly config: string;
  /** The command line tool that everything is run with. */
  readonly tool: string;
}

/** Who takes the two seats: scripts that call `debate` themselves, or the bundled agents on script models. */
export type Cast = 'scripts' | 'agents';

/** Puts a real git repository, and the watcher config of its two agents, into an empty folder. Refuses `could-not-check` without git. */
export async function setStage(cast: Cast, folder: string, signal: AbortSignal): Promise<Stage> {
  const material = join(packageFolder(), 'examples', 'demo');
  const project = join(folder, 'project');
  for (const part of ['project', 'agents', 'commits', 'models'])
    cpSync(join(material, part), join(folder, part), { recursive: true });
  mkdirSync(join(folder, 'channel'));
  const git = (...args: readonly string[]) => runGit(project, args, signal);
  await git('init', '--quiet', '--initial-branch=main');
  for (const [key, value] of GIT_SETTINGS) await git('config', key, value);
  await git('add', '.');
  await git('commit', '--quiet', '-m', 'Wait twice as long before every attempt');
  const stage: Stage = {
    folder,
    project,
    root: join(folder, 'channel'),
    config: join(folder, 'watcher.json'),
    tool: join(packageFolder(), 'dist', 'cli', 'main.cjs'),
  };
  const parties = cast === 'scripts' ? scripts(stage) : bundledAgents(stage);
  writeFileSync(stage.config, `${JSON.stringify({ ...watcherConfig(stage), ...parties }, null, 2)}\n`);
  return stage;
}

/**
 * Pins the project's tests in the channel, and makes a verdict without their record a refusal: what a supervisor writes
 * into `debate.json` by hand. Returns what was added.
 */
export function pinTests(stage: Stage): Record<string, unknown> {
  const file = join(stage.root, 'debate.json');
  const pinned = {
    checks: { tests: { command: [process.execPath, '--test'], timeout_seconds: 60 } },
    require_evidence: { verdict: ['tests'] },
  };
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...pinned }, null, 2));
  return pinned;
}

/** The person's own git settings must not decide whether the demonstration works. */
const GIT_SETTINGS: readonly (readonly [string, string])[] = [
  ['user.name', 'debate demo'],
  ['user.email', 'demo@example.invalid'],
  ['commit.gpgsign', 'false'],
  ['core.hooksPath', '/dev/null'],
];

function watcherConfig(stage: Stage): Record<string, unknown> {
  return { root: stage.root, state_path: join(stage.folder, 'state', 'watcher.json'), mirror: ['stdout'] };
}

const WORKTREES = { builder: { branch: 'debate/{thread}' }, reviewer: 'detached' } as const;

function scripts(stage: Stage): Record<string, unknown> {
  const agent = (name: keyof typeof WORKTREES) => ({
    command: [process.execPath, join(stage.folder, 'agents', `${name}.mjs`)],
    stdin: 'none',
    env: { DEMO_DEBATE: stage.tool, DEMO_COMMITS: join(stage.folder, 'commits') },
    worktree: WORKTREES[name],
    timeout_seconds: 60,
  });
  return { parties: { builder: agent('builder'), reviewer: agent('reviewer') } };
}

function bundledAgents(stage: Stage): Record<string, unknown> {
  const agent = (name: keyof typeof WORKTREES, kind: string) => ({
    command: [process.execPath, stage.tool, 'agent', kind, '--config', stage.config],
    worktree: WORKTREES[name],
    timeout_seconds: 120,
  });
  return {
    parties: { builder: agent('builder', 'produce'), reviewer: agent('reviewer', 'review') },
    models: {
      'script-builder': { kind: 'script', file: 'models/builder.json' },
      'script-reviewer': { kind: 'script', file: 'models/reviewer.json' },
    },
    seats: {
      builder: { kind: 'produce', model: 'script-builder' },
      reviewer: { kind: 'review', model: 'script-reviewer' },
    },
  };
}

async function runGit(folder: string, args: readonly string[], signal: AbortSignal): Promise<void> {
  let problem: string;
  try {
    const ran: Ran = await runStep('git', args, { cwd: folder, env: process.env, signal });
    if (ran.status === 0) return;
    problem = ran.stderr.trim();
  } catch (error) {
    signal.throwIfAborted();
    problem = (error as Error).message;
  }
  throw new Refusal({
    code: 'could-not-check',
    message: `The demonstration needs git, and \`git ${args[0]}\` failed: ${problem}`,
    hint: 'Install git 2.28 or newer and run it again.',
  });
}
