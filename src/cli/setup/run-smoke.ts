import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { visible } from '../../protocol/core/visible.js';
import type { Answers, Seat } from '../../setup/answers.js';
import type { Place } from '../../setup/place.js';
import { planSetup } from '../../setup/plan.js';
import { putFile } from '../../setup/put-file.js';
import { SMOKE_TASK, smokeAnswers, smokePlace } from '../../setup/smoke.js';
import { type Ran, runTool } from './run-tool.js';
import type { Tell } from './show-plan.js';

/**
 * One round trip of a seat on a scratch channel in a temporary folder: a task of the supervisor, one tick, and a look whether
 * an entry of the party is in the record. The real channel is neither read nor written. On failure the folder stays.
 */
export async function runSmoke(
  tell: Tell,
  answers: Answers,
  seat: Seat,
  place: Place,
  envFile: string,
): Promise<boolean> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'debate-smoke-'));
  const scratch = smokePlace(place, folder, envFile);
  const planned = planSetup(smokeAnswers(answers, seat), scratch);
  if (!planned.ok) throw new Error(planned.problems.join(' '));
  makeProject(scratch);
  for (const file of planned.plan.files) putFile(file);
  const debate = (args: readonly string[]) => runTool(place, folder, args);
  const names = answers.seats.map(({ party }) => party).join(',');
  const where = ['--root', scratch.root];
  const init = ['init', ...where, '--parties', names, '--supervisor', answers.supervisor];
  await mustRun(debate, scratch.project === undefined ? init : [...init, '--project', scratch.project]);
  const task = ['--as', answers.supervisor, '--type', 'question', '--turn', seat.party, '--thread', 'smoke'];
  await mustRun(debate, ['post', ...where, ...task, '--body', SMOKE_TASK]);
  tell(`${seat.party} is being woken on a scratch channel in ${folder} ...`);
  const tick = await debate(['watch-once', ...where, '--config', scratch.config, '--verbose']);
  const read = await mustRun(debate, ['read', ...where, '--all', '--json']);
  const { entries } = JSON.parse(read) as { readonly entries: readonly { sender: string; body: string }[] };
  const reply = entries.find(({ sender }) => sender === seat.party);
  if (reply === undefined) {
    tell(`${seat.party} posted nothing:`);
    for (const line of `${tick.stdout}${tick.stderr}`.trimEnd().split('\n')) tell(`  ${visible(line)}`);
    tell(`  everything is left in ${folder}`);
    return false;
  }
  tell(`${seat.party} took its turn: ${visible(reply.body.split('\n')[0] ?? '')}`);
  rmSync(folder, { recursive: true, force: true });
  return true;
}

/** A repository of one commit, for a seat that works in a worktree. */
function makeProject({ workFolder, project }: Place): void {
  mkdirSync(workFolder, { recursive: true });
  writeFileSync(join(workFolder, 'README.md'), '# Scratch\n');
  if (project === undefined) return;
  const git = (...args: readonly string[]) => {
    const settings = [
      '-c',
      'user.name=debate',
      '-c',
      'user.email=debate@example.invalid',
      '-c',
      'commit.gpgsign=false',
    ];
    const run = spawnSync('git', ['-C', project, ...settings, ...args], { encoding: 'utf8' });
    if (run.status !== 0) throw new Error(`git ${args[0]} failed: ${run.stderr.trim()}`);
  };
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--no-verify', '-m', 'A scratch project');
}

async function mustRun(debate: (args: readonly string[]) => Promise<Ran>, args: readonly string[]): Promise<string> {
  const ran = await debate(args);
  if (ran.code === 0) return ran.stdout;
  throw new Error(`debate ${args[0]} failed on the scratch channel: ${ran.stderr.trim()}`);
}
