import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ScratchChannel, scratchChannel } from '../scratch-channel.js';
import { connect, type Era } from './client.js';
import { expectToSurviveKills } from './killed-while-posting.js';
import { OPENING, rawServer, request } from './raw-server.js';

// Each test starts servers and clients of its own; a busy machine may take its time over them.

let channel: ScratchChannel;
beforeEach(() => {
  channel = scratchChannel();
});
afterEach(() => channel.remove());

const launch = () => ['mcp', '--root', channel.root, '--as', 'claude'];
const mailbox = () => readFileSync(join(channel.root, 'CHANNEL.md'), 'utf8');

/** Every name in the root with what it holds, so that a change shows. */
const snapshot = () =>
  readdirSync(channel.root).map((name) => {
    const info = statSync(join(channel.root, name));
    return `${name} ${info.size} ${info.mtimeMs} ${info.ino}`;
  });

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('the life of a server', () => {
  it('does nothing at its start: a throw-away probe writes nothing, says nothing, and ends with its input', async () => {
    const before = snapshot();
    expect(await channel.run(launch(), { input: '' })).toEqual({ code: 0, signal: null, out: '', err: '' });
    expect(snapshot()).toEqual(before);
    expect(existsSync(join(channel.folder, 'state'))).toBe(false);
  });

  it('serves nobody where it is not said who acts: an empty DEBATE_PARTY, or one that is meant for another channel', async () => {
    const nameless = launch().filter((each) => each !== '--as' && each !== 'claude');
    for (const env of [{ DEBATE_PARTY: '' }, { DEBATE_PARTY: 'claude', DEBATE_ROOT: '/elsewhere' }]) {
      const ran = await channel.run(nameless, { input: '', env });
      expect(ran).toMatchObject({ code: 1, out: '', err: expect.stringContaining('[unknown-sender]') });
    }
    expect(await channel.run(nameless, { input: '', env: { DEBATE_PARTY: 'claude' } })).toMatchObject({ code: 0 });
  });

  it.each(['legacy', 'modern'] as const)(
    'ends when its client goes away, to a client of the %s era',
    async (era: Era) => {
      const { client, pid, call, close } = await connect(channel, 'claude', era);
      await call('status');
      const waiting = client.callTool({ name: 'wait_for_turn', arguments: { wait_seconds: 600 } }).catch(() => 'gone');
      await close();
      expect(await waiting).toBe('gone');
      await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);
    },
  );

  it('ends at the end of its input although a call waits, and leaves no timer that holds it', async () => {
    const server = rawServer(channel);
    server.write(OPENING);
    await server.reply(1);
    server.write(
      request(2, 'tools/call', {
        name: 'wait_for_turn',
        arguments: { wait_seconds: 600 },
        _meta: { progressToken: 1 },
      }),
    );
    server.write(request(3, 'tools/call', { name: 'status', arguments: {} }));
    await server.reply(3);
    server.child.stdin.end();
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(server.replies().some((each) => each.id === 2)).toBe(false);
  });

  it('writes to standard output the protocol alone, whatever it reads, and goes on after a line that is no message', async () => {
    const server = rawServer(channel);
    server.write('hello\n\u0000\n{"jsonrpc":\n[]\n{"jsonrpc":"2.0","id":7}\n');
    server.write(OPENING);
    await server.reply(1);
    server.write('\u001b[2J\n');
    server.write(request(2, 'tools/call', { name: 'status', arguments: 'none' }));
    server.write(request(3, 'tools/call', { name: 'status', arguments: {} }));
    expect((await server.reply(3))?.result?.isError).not.toBe(true);
    server.child.stdin.end();
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(() => server.replies()).not.toThrow();
    expect(
      server
        .err()
        .split('\n')
        .every((line) => line === '' || line.startsWith('debate mcp: ')),
    ).toBe(true);
  });

  it('lets one of two clients win a race for one turn; the other is refused, and the record verifies', async () => {
    await channel.post('codex', 'question', 'Which way?', { thread: 'parser' });
    const [one, two] = await Promise.all([connect(channel, 'claude', 'modern'), connect(channel, 'claude', 'legacy')]);
    try {
      const results = await Promise.all(
        [one, two].map((each, index) => each.call('post_entry', { type: 'info', body: `Way ${index}.`, if_seq: 1 })),
      );
      expect(results.map((result) => result.isError).sort()).toEqual([false, true]);
      expect(results.find((result) => result.isError)?.text).toMatch(/\[(moved-on|lost-race)\]/);
      expect(mailbox().match(/^## MSG-/gm)).toHaveLength(2);
      expect((await channel.run(['verify', '--root', channel.root])).code).toBe(0);
    } finally {
      await Promise.all([one.close(), two.close()]);
    }
  });

  // `npm run proof` does it at many more moments.
  it('killed while it posts, leaves a record in which the entry is whole or not there, and the channel goes on', () =>
    expectToSurviveKills(channel, [2, 9]));
});
