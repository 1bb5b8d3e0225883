import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import type { ScratchChannel } from '../scratch-channel.js';
import { OPENING, rawServer, request } from './raw-server.js';

/**
 * Kills servers of claude some milliseconds after each was told to post: the entry is whole or not there, and whatever
 * was left, the channel goes on.
 */
export async function expectToSurviveKills(channel: ScratchChannel, delays: readonly number[]): Promise<void> {
  await channel.post('codex', 'question', 'Which way?', { thread: 'parser' });
  const body = `begin ${'x'.repeat(300_000)} end`;
  for (const delay of delays) {
    const server = rawServer(channel);
    server.write(OPENING);
    await server.reply(1);
    server.write(request(2, 'tools/call', { name: 'post_entry', arguments: { type: 'info', body, if_seq: 1 } }));
    await setTimeout(delay);
    server.child.kill('SIGKILL');
    await server.ended;
  }
  const read = async () => JSON.parse((await channel.run(['read', '--root', channel.root, '--json'])).out);
  const after = await read();
  if (after.seq === 2) expect(after.entries[1]).toMatchObject({ sender: 'claude', body });
  else {
    expect(after.seq).toBe(1);
    await channel.post('claude', 'info', 'That way.', { ifSeq: 1 });
  }
  expect((await read()).turn).toBe('codex');
  expect((await channel.run(['verify', '--root', channel.root])).code).toBe(0);
}
