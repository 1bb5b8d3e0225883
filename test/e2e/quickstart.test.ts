import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEBATE, run } from './run-debate.js';
import { scratch, textOf } from './scratch.js';

/** The quickstart of the published tool, word for word from `debate init` on (decisions.md 28). */
const QUICKSTART = `
debate init --root ./collab --parties claude,glm --supervisor owner

# The builder opens a review thread:
debate post --root ./collab --from claude --type review-request \\
    --thread feature-x --refs feature-x@abc123 --body "Please review commit abc123: ..."

# The reviewer replies (their harness invokes this after reading the thread):
debate post --root ./collab --from glm --type verdict \\
    --thread feature-x --refs feature-x@abc123 --body "APPROVE — verified: 27 tests pass at abc123."

# Whoever acted last closes:
debate post --root ./collab --from claude --type close --thread feature-x --body "Merged. Closing."
`;

const WATCHER = `
{
  "state_path": "/somewhere/outside/the/channel/watcher-state.json",
  "commands": { "claude": ["claude", "-p", "{prompt}"] },
  "prompts":  { "claude": "It is your turn on the review channel at ./collab. Read the open thread, act, post via debate, then stop." },
  "debounce_seconds": { "claude": 600 },
  "retry_seconds": 1800
}
`;

describe('the quickstart of the published tool (issue 2, section 3)', () => {
  it('works word for word, from init to the tick of the watcher', async () => {
    const folder = scratch();
    symlinkSync(DEBATE, join(folder, 'debate'));
    const env = { PATH: `${folder}:${process.env.PATH ?? ''}` };
    const ran = await run('sh', ['-ec', QUICKSTART], { cwd: folder, env });
    expect(ran.code, ran.err).toBe(0);
    expect(ran.out.split('\n').filter((line) => line.startsWith('posted'))).toEqual([
      'posted MSG-1 (turn -> glm)',
      'posted MSG-2 (turn -> claude)',
      'posted MSG-3 (no thread open)',
    ]);
    // Six digits are no citation: posted, with a notice.
    expect(ran.err.match(/feature-x@abc123 is no citation/g)).toHaveLength(2);
    expect(textOf(join(folder, 'collab'), 'CHANNEL.md')).toContain('APPROVE — verified: 27 tests pass at abc123.');

    const state = join(scratch(), 'watcher-state.json');
    writeFileSync(
      join(folder, 'watcher.json'),
      WATCHER.replace('/somewhere/outside/the/channel/watcher-state.json', state),
    );
    const tick = await run('sh', ['-c', 'debate watch-once --root ./collab --config watcher.json'], {
      cwd: folder,
      env,
    });
    expect(tick).toMatchObject({ code: 0, err: '' });
  });
});
