// The reviewer of the demonstration: it believes nothing that an entry says, and runs the tests at the cited commit.
import { git, post, readTurn, runTests } from './turn.mjs';

const thread = readTurn();
const asked = thread.entries.findLast((entry) => entry.refs.includes('@'));
const here = git('rev-parse', '--short=10', 'HEAD');
const tests = runTests();
const ran = `Ran \`node --test\` in a worktree at ${here}: ${tests.passed} passed, ${tests.failedCount} failed, exit ${tests.exit}.`;

if (tests.exit === 0) {
  post(thread, 'verdict', {
    refs: asked.refs,
    decision: 'approve',
    body: `${ran}\n\nThe cap holds for every attempt now.`,
  });
} else {
  post(thread, 'verdict', {
    refs: asked.refs,
    decision: 'request-changes',
    body: `${ran}

1. Failing: ${tests.failed.map((name) => `"${name}"`).join(', ')} (${tests.reason}). src/backoff.mjs caps the wait first and adds the
   jitter after it, so the result can be a quarter above the cap.`,
  });
}
