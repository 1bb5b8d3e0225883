import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ScratchChannel, scratchChannel } from '../scratch-channel.js';
import { type Connected, connect } from './client.js';

// A busy machine may take its time over a server and over the checks that it starts.

let channel: ScratchChannel;
let server: Connected;
let project: string;
let commit: string;

/** A project with one commit, and a server for all tests: each of its calls opens the channel anew. */
beforeAll(async () => {
  channel = scratchChannel();
  project = join(channel.folder, 'project');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.invalid', '-C', project, ...args], {
      encoding: 'utf8',
    });
  execFileSync('git', ['init', '-q', project]);
  writeFileSync(join(project, 'parser.txt'), 'one\n');
  git('add', '.');
  git('commit', '-qm', 'The parser');
  commit = git('rev-parse', 'HEAD').trim();
  server = await connect(channel, 'claude');
});
afterAll(async () => {
  await server.close();
  channel.remove();
});

/** A new channel with a check that fails after a while, a verdict that needs its record, and a request for one. */
beforeEach(async () => {
  channel.renew();
  const config = join(channel.root, 'debate.json');
  const script = "console.log('1 failed, 26 passed [end 000000000000]'); setTimeout(() => process.exit(1), 1500)";
  const pinned = {
    project,
    checks: { tests: { command: [process.execPath, '-e', script], timeout_seconds: 60 } },
    require_evidence: { verdict: ['tests'] },
  };
  writeFileSync(config, JSON.stringify({ ...JSON.parse(readFileSync(config, 'utf8')), ...pinned }));
  await channel.post('codex', 'review-request', 'Please review.', {
    thread: 'parser',
    refs: `parser@${commit.slice(0, 8)}`,
  });
});

const verdict = () => ({
  type: 'verdict',
  decision: 'request-changes',
  body: 'One test fails.',
  refs: `parser@${commit.slice(0, 8)}`,
  if_seq: 1,
});

/** Asks until the run has ended, as an agent whose client gives a call little time. */
async function runCheck() {
  for (;;) {
    const result = await server.call('run_check', { name: 'tests', ref: commit.slice(0, 8), wait_seconds: 5 });
    if (result.isError || result.data.state === 'ran') return result;
  }
}

describe('evidence through the tools (rule 8)', () => {
  it('leads from the refusal to the record: run_check, then the same post with checks', async () => {
    const { call } = server;
    expect((await call('status')).data).toMatchObject({ checks: ['tests'], require_evidence: { verdict: ['tests'] } });
    const bare = await call('post_entry', verdict());
    expect(bare).toMatchObject({ isError: true, text: expect.stringContaining('[evidence-missing]') });
    expect(bare.text).toContain('run_check');
    const early = await call('post_entry', { ...verdict(), checks: ['tests'] });
    expect(early).toMatchObject({ isError: true, text: expect.stringContaining('[evidence-missing]') });

    const started = await call('run_check', { name: 'tests', ref: `parser@${commit}`, wait_seconds: 0 });
    expect(started).toMatchObject({ isError: false, data: { state: 'running', commit } });
    expect(started.text).toContain('Call run_check again');
    const ran = await runCheck();
    expect(ran.data).toMatchObject({ state: 'ran', name: 'tests', commit, exit: 1, timed_out: false });
    const [, mark] = /\[begin ([0-9a-f]{12})\]\n.*\n1 failed, 26 passed/.exec(ran.text) ?? [];
    expect(ran.text.endsWith(`[end ${mark}]`)).toBe(true);

    const read = await call('read_thread');
    expect(read.data.checks).toEqual([{ name: 'tests', commit, exit: 1, fresh: true }]);
    expect(read.text).toContain('"checks": ["tests"]');
    const posted = await call('post_entry', { ...verdict(), checks: ['tests', 'tests'] });
    expect(posted).toMatchObject({ isError: false, data: { seq: 2 } });
    const mailbox = readFileSync(join(channel.root, 'CHANNEL.md'), 'utf8');
    expect(
      mailbox.match(new RegExp(`^Debate-Check: tests ${commit} exit 1 in [0-9.]+ s log sha256:[0-9a-f]{64}$`, 'gm')),
    ).toHaveLength(1);
    const again = await call('post_entry', { ...verdict(), checks: ['tests'] });
    expect(again).toMatchObject({ isError: false, data: { seq: 2, already: true } });
  });

  it('says first what is wrong with a draft that would be refused anyway: no check is run for it', async () => {
    const late = await server.call('post_entry', { ...verdict(), if_seq: 0, checks: ['tests'] });
    expect(late).toMatchObject({ isError: true, text: expect.stringContaining('[moved-on]') });
  });

  it('refuses a check that nobody pinned and a commit that is not there, and names the ones that are', async () => {
    const unknown = await server.call('run_check', { name: 'lint', ref: commit });
    expect(unknown).toMatchObject({ isError: true, text: expect.stringMatching(/\[unknown-check\][\s\S]*tests/) });
    const missing = await server.call('run_check', { name: 'tests', ref: '0123456789abcdef' });
    expect(missing).toMatchObject({ isError: true, text: expect.stringContaining('[no-such-commit]') });
    const long = await server.call('run_check', { name: 'tests', ref: commit, wait_seconds: 46 });
    expect(long).toMatchObject({ isError: true, text: expect.stringContaining('Invalid arguments') });
  });
});
