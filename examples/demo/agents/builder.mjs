// The builder of the demonstration: it answers the task and the verdicts on its own branch, in a worktree of its own.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { git, post, readTurn, runTests } from './turn.mjs';

const thread = readTurn();
const last = thread.entries.findLast((entry) => entry.sender !== process.env.DEBATE_PARTY);
const decision = last?.trailers.find((trailer) => trailer.key === 'Decision')?.value;

function commit(file, message) {
  copyFileSync(join(process.env.DEMO_COMMITS, file), 'src/backoff.mjs');
  git('add', 'src/backoff.mjs');
  git('commit', '--quiet', '-m', message);
  return `${git('rev-parse', '--abbrev-ref', 'HEAD')}@${git('rev-parse', '--short=10', 'HEAD')}`;
}

if (last?.type === 'question') {
  const refs = commit('jitter.mjs', 'Spread retries with up to a quarter of jitter');
  post(thread, 'review-request', {
    refs,
    body: `waitMs now adds up to a quarter at random, so that many clients do not come back at once.

Least sure about: the order of cap and jitter. I have not run the suite.`,
  });
} else if (decision === 'approve') {
  const refs = thread.entries.findLast((entry) => entry.refs !== '')?.refs ?? '';
  post(thread, 'close', { refs, body: `Approved in MSG-${last.seq}. Ready to be merged by the supervisor.` });
} else {
  const refs = commit('jitter-below-cap.mjs', 'Cap the wait after the jitter, not before');
  const tests = runTests();
  post(thread, 'fix-report', {
    refs,
    body: `Finding of MSG-${last?.seq}: fixed. The cap is applied after the jitter now.

Ran \`node --test\` at this commit: ${tests.passed} passed, ${tests.failedCount} failed, exit ${tests.exit}.`,
  });
}
