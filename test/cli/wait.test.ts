import { closeSync, openSync, readFileSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ScratchChannel, scratchChannel } from '../scratch-channel.js';

let channel: ScratchChannel;
beforeEach(() => {
  channel = scratchChannel();
});
afterEach(() => channel.remove());

const wait = (party: string, ...args: string[]) => ['wait', '--root', channel.root, '--as', party, ...args];

/** Starts a wait and lets it look once: what happens afterwards is what it waits for. */
async function startWaiting(party: string, ...args: string[]) {
  const waiting = channel.start(wait(party, '--timeout', '20', ...args));
  await new Promise((resolve) => setTimeout(resolve, 800));
  return waiting;
}

describe('debate wait', () => {
  it('returns at once when it already is the turn, with the open thread as debate read prints it (level-triggered)', async () => {
    await channel.post('codex', 'question', 'Which way?', { thread: 'parser' });
    const waited = await channel.run(wait('claude', '--timeout', '0'));
    const read = await channel.run(['read', '--root', channel.root]);
    expect(waited).toMatchObject({ code: 0, out: read.out });
    expect(waited.out).toContain('Which way?');
  });

  it('returns when the other party posts', async () => {
    const waiting = await startWaiting('claude', '--json');
    await channel.post('codex', 'question', 'Which way?', { thread: 'parser' });
    const { code, out } = await waiting.ended;
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      seq: 1,
      turn: 'claude',
      thread: 'parser',
      entries: [{ body: 'Which way?' }],
    });
  });

  it('takes the record for the truth, whatever the doorbell says: an edited one wakes nobody', async () => {
    const waiting = await startWaiting('claude', '--timeout', '2');
    const bell = { seq: 0, turn: 'claude', thread: 'made-up', last_entry: '', updated_at: '' };
    writeFileSync(join(channel.root, 'signal.json'), JSON.stringify(bell));
    expect(await waiting.ended).toMatchObject({ code: 5 });
  });

  it('ends with 5 and an empty standard output when the time is over, and says who is due', async () => {
    await channel.post('claude', 'question', 'Which way?', { thread: 'parser' });
    const { code, out, err } = await channel.run(wait('claude', '--timeout', '0.3'));
    expect(code).toBe(5);
    expect(out).toBe('');
    expect(err).toContain('codex is due at MSG-1');
    const asked = await channel.run(wait('claude', '--timeout', '0.1', '--json'));
    expect(JSON.parse(asked.out)).toEqual({ waited_seconds: 0.1, seq: 1, turn: 'codex', thread: 'parser' });
  });

  it('does not call a party to a thread that asks the supervisor until the supervisor has spoken (DESIGN.md 5, --ask)', async () => {
    await channel.post('claude', 'question', 'May we?', { thread: 'parser', ask: true });
    const early = await channel.run(wait('codex', '--timeout', '0.1'));
    expect(early).toMatchObject({ code: 5 });
    expect(early.err).toContain('MSG-1 asks the supervisor');
    await channel.post('owner', 'info', 'You may.');
    expect(await channel.run(wait('codex', '--timeout', '0.1'))).toMatchObject({ code: 0 });
  });

  it('ends with 4 when the record goes back while it waits', async () => {
    await channel.post('claude', 'question', 'Which way?', { thread: 'parser' });
    const waiting = await startWaiting('claude');
    truncateSync(join(channel.root, 'CHANNEL.md'), 0);
    const { code, err } = await waiting.ended;
    expect(code).toBe(4);
    expect(err).toContain('[record-went-back]');
  });

  it('ends with 4 when the record gets a defect while it waits', async () => {
    await channel.post('claude', 'question', 'Which way?', { thread: 'parser' });
    const waiting = await startWaiting('claude');
    const mailbox = join(channel.root, 'CHANNEL.md');
    // In one write: a mailbox that is emptied first would have gone back.
    const altered = `${readFileSync(mailbox, 'utf8').replace('Which way?', 'That way!!')}\n`;
    const file = openSync(mailbox, 'r+');
    writeSync(file, altered);
    closeSync(file);
    const { code, err } = await waiting.ended;
    expect(code).toBe(4);
    expect(err).toContain('[record-stopped]');
  });

  it('refuses to wait for somebody who never has a turn', async () => {
    expect(await channel.run(wait('glm', '--timeout', '9'))).toMatchObject({ code: 1 });
    const owner = await channel.run(wait('owner', '--timeout', '9'));
    expect(owner.code).toBe(1);
    expect(owner.err).toContain('[party-only]');
  });

  it('does not wait in a woken process, since nobody else is woken while it runs (rule 9)', async () => {
    const env = { DEBATE_WAKE: 'w1', DEBATE_ROOT: channel.root, DEBATE_PARTY: 'claude', DEBATE_SEQ: '0' };
    const refused = await channel.run(['wait', '--timeout', '30'], { env });
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('[not-when-woken]');
    await channel.post('codex', 'question', 'Which way?', { thread: 'parser' });
    expect(await channel.run(['wait', '--timeout', '30'], { env })).toMatchObject({ code: 0 });
  });

  it('follows a compaction that replaces the mailbox while it waits', async () => {
    for (const thread of ['one', 'two']) {
      await channel.post('claude', 'question', 'Done?', { thread });
      await channel.post('codex', 'close', 'Done.');
    }
    const waiting = await startWaiting('claude');
    const compacted = await channel.run(['compact', '--root', channel.root, '--keep-days', '0']);
    expect(compacted).toMatchObject({ code: 0 });
    await channel.post('codex', 'question', 'And now?', { thread: 'three' });
    const { code, out } = await waiting.ended;
    expect(code).toBe(0);
    expect(out).toContain('And now?');
  });
});
