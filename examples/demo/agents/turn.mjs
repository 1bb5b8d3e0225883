// What both scripted agents share: how they call `debate` and git. A real agent does the same from its own harness.
import { execFileSync, spawnSync } from 'node:child_process';

/** Runs `debate` as this party, in the channel that woke it. */
export function debate(args, input = '') {
  const run = spawnSync(process.execPath, [process.env.DEMO_DEBATE, ...args], { encoding: 'utf8', input });
  process.stdout.write(run.stdout);
  process.stderr.write(run.stderr);
  if (run.status !== 0) process.exit(run.status ?? 1);
  return run.stdout;
}

/** The open thread, as `debate read --json` gives it. Exits quietly when it is not this party's turn. */
export function readTurn() {
  const run = spawnSync(process.execPath, [process.env.DEMO_DEBATE, 'read', '--json'], { encoding: 'utf8' });
  if (run.status !== 0) process.exit(run.status ?? 1);
  const thread = JSON.parse(run.stdout);
  if (thread.turn !== process.env.DEBATE_PARTY) process.exit(0);
  return thread;
}

/** Runs git in the worktree that the watcher made for this run. */
export function git(...args) {
  return execFileSync('git', args, { encoding: 'utf8' }).trim();
}

/** Really runs the project's tests here and now: exit code, counts, and the names of those that failed. */
export function runTests() {
  const env = { ...process.env };
  delete env.NODE_TEST_CONTEXT;
  const run = spawnSync(process.execPath, ['--test', '--test-reporter=tap'], { encoding: 'utf8', env });
  const count = (word) => Number(new RegExp(`^# ${word} (\\d+)$`, 'm').exec(run.stdout)?.[1] ?? 0);
  const failed = [...run.stdout.matchAll(/^\s*not ok \d+ - (?!.*\.mjs$)(.+)$/gm)].map((found) => found[1]);
  const reason = /error: (?:\|-\n\s*|['"])?(.+?)['"]?\n/.exec(run.stdout)?.[1] ?? '';
  return { exit: run.status, passed: count('pass'), failedCount: count('fail'), failed, reason };
}

/** Posts the one entry of this wake. */
export function post(thread, type, { refs = '', decision, body }) {
  const words = ['post', '--type', type, '--if-seq', String(thread.seq), '--body-file', '-'];
  if (refs) words.push('--refs', refs);
  if (decision) words.push('--decision', decision);
  debate(words, body);
}
