import { appendFileSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { renderEntry } from '../../src/protocol/append.js';
import { nodeHashes } from '../../src/protocol/hashes.js';
import { initChannel } from '../../src/protocol/init.js';
import { nodeDisk } from '../../src/protocol/node-disk.js';
import { submit } from '../../src/protocol/prepare.js';
import { readStanding } from '../../src/protocol/standing.js';
import { verify } from '../../src/protocol/verify.js';
import { realWorld, refusalOf, submission, temporaryFolder } from './real-channel.js';

/** A channel in which bob is due, and then more than a first window (64 KiB) that bypasses the tool. */
async function lawless(
  says: (index: number) => { readonly sender: string; readonly type: string; readonly thread: string },
) {
  const world = realWorld();
  const wanted = { parties: ['ann', 'bob'], supervisor: 'owner', threadCap: 4, label: undefined, project: undefined };
  const channel = initChannel(nodeDisk, world.machine, { root: `${temporaryFolder()}/c`, format: 2, ...wanted });
  const say = (sender: string, type: string, thread: string, more = {}) =>
    submit(world, channel, submission({ sender, type, thread, body: `${type} by ${sender}`, ...more }));
  await say('ann', 'question', 'first');
  await say('bob', 'close', 'first');
  await say('ann', 'question', 'open');
  let { seq: number, hash: predecessor } = readStanding(nodeDisk, channel).state;
  for (let index = 0; index < 20; index++) {
    const header = { number: ++number, timestamp: '2026-11-30T08:00:00+00:00', refs: '', ...says(index) };
    const chain = { predecessor, key: `hand-${index}`, hashes: nodeHashes };
    const { bytes, hash } = renderEntry(header, 'A long aside. '.repeat(400), chain);
    appendFileSync(channel.paths.mailbox, bytes);
    predecessor = hash;
  }
  return { channel, say };
}

const closes = (index: number) => ({ sender: 'ann', type: 'close', thread: `aside-${index}` });
const threads = (index: number) => ({
  sender: index % 2 === 0 ? 'ann' : 'bob',
  type: index % 2 === 0 ? 'question' : 'close',
  thread: `aside-${index >> 1}`,
});

describe('more than a window that was chained by hand against the rules (DESIGN.md 4.2, field case R2)', () => {
  it.each([
    ['closes, above the cap of corrections', closes],
    ['whole threads', threads],
  ])('%s: moves no turn, and stops the parties as verify says', async (_what, says) => {
    const { channel, say } = await lawless(says);
    const { state, tail } = readStanding(nodeDisk, channel);
    expect(tail.size).toBeGreaterThan(64 * 1024 + 4096);
    expect(state).toMatchObject({ seq: 23, thread: 'open', turn: 'bob', openedAt: 3, spoken: 1 });
    const named = verify(nodeDisk, channel).findings.filter(({ level }) => level === 'defect');
    expect(tail.stops.map(({ message }) => message)).toEqual(named.map(({ message }) => message));
    expect(state.updatedAt).toBe('2026-11-30T08:00:00+00:00');
    expect(readFileSync(channel.paths.mailbox, 'utf8')).toContain(
      `| ${state.parkedSince} | from: ann | type: question |`,
    );
    expect(await refusalOf(() => say('bob', 'info', 'open'))).toBe('record-stopped');

    await say('owner', 'info', 'open', { accept: true, turn: 'bob' });
    expect(readStanding(nodeDisk, channel).tail.stops).toEqual([]);
    expect(await say('bob', 'info', 'open')).toMatchObject({ seq: 25, turn: 'ann', thread: 'open' });
  });
});
