import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Refusal } from '../../protocol/core/refusal.js';
import { packageFolder } from '../package-folder.js';

/** The folders and files of one demonstration. */
export interface Stage {
  readonly folder: string;
  readonly project: string;
  readonly root: string;
  readonly config: string;
  /** The command line tool that everything is run with. */
  readonly tool: string;
}

/** Makes a temporary folder with a real git repository, and the watcher config of two scripted agents. */
export function setStage(): Stage {
  const folder = mkdtempSync(join(tmpdir(), 'debate-demo-'));
  const material = join(packageFolder(), 'examples', 'demo');
  const project = join(folder, 'project');
  for (const part of ['project', 'agents', 'commits'])
    cpSync(join(material, part), join(folder, part), { recursive: true });
  mkdirSync(join(folder, 'channel'));
  git(project, 'init', '--quiet', '--initial-branch=main');
  for (const [key, value] of GIT_SETTINGS) git(project, 'config', key, value);
  git(project, 'add', '.');
  git(project, 'commit', '--quiet', '-m', 'Wait twice as long before every attempt');
  const stage: Stage = {
    folder,
    project,
    root: join(folder, 'channel'),
    config: join(folder, 'watcher.json'),
    tool: join(packageFolder(), 'dist', 'cli', 'main.js'),
  };
  writeFileSync(stage.config, `${JSON.stringify(watcherConfig(stage), null, 2)}\n`);
  return stage;
}

/** The person's own git settings must not decide whether the demonstration works. */
const GIT_SETTINGS: readonly (readonly [string, string])[] = [
  ['user.name', 'debate demo'],
  ['user.email', 'demo@example.invalid'],
  ['commit.gpgsign', 'false'],
  ['core.hooksPath', '/dev/null'],
];

function watcherConfig(stage: Stage): Record<string, unknown> {
  const agent = (name: string, worktree: unknown) => ({
    command: [process.execPath, join(stage.folder, 'agents', `${name}.mjs`)],
    stdin: 'none',
    env: { DEMO_DEBATE: stage.tool, DEMO_COMMITS: join(stage.folder, 'commits') },
    worktree,
    timeout_seconds: 60,
  });
  return {
    root: stage.root,
    state_path: join(stage.folder, 'state', 'watcher.json'),
    mirror: ['stdout'],
    parties: {
      builder: agent('builder', { branch: 'debate/{thread}' }),
      reviewer: agent('reviewer', 'detached'),
    },
  };
}

function git(folder: string, ...args: readonly string[]): void {
  const run = spawnSync('git', ['-C', folder, ...args], { encoding: 'utf8' });
  if (run.status === 0) return;
  throw new Refusal({
    code: 'could-not-check',
    message: `The demonstration needs git, and \`git ${args[0]}\` failed: ${run.error?.message ?? run.stderr.trim()}`,
    hint: 'Install git 2.28 or newer and run it again.',
  });
}
