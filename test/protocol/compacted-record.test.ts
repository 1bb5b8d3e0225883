import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openChannel } from '../../src/protocol/channel.js';
import { compact } from '../../src/protocol/compaction/compact.js';
import { initChannel } from '../../src/protocol/init.js';
import { nodeDisk } from '../../src/protocol/node-disk.js';
import { submit } from '../../src/protocol/prepare.js';
import { streamEntries } from '../../src/protocol/record/stream-entries.js';
import { repair } from '../../src/protocol/repair.js';
import { rewriteConfig } from '../../src/protocol/rewrite-config.js';
import { readStanding } from '../../src/protocol/standing.js';
import { verify } from '../../src/protocol/verify.js';
import { bytesBelow, realWorld, refusalOf, submission, temporaryFolder } from './real-channel.js';

function channelOf(format: 1 | 2 = 2) {
  let hours = 0;
  const world = realWorld({ now: () => new Date(Date.UTC(2026, 10, 1) + hours++ * 3_600_000) });
  const root = join(temporaryFolder(), 'channel');
  const wanted = {
    root,
    parties: ['ann', 'bob'],
    supervisor: 'owner',
    threadCap: 4,
    format,
    label: undefined,
    project: undefined,
  };
  const channel = initChannel(nodeDisk, world.machine, wanted);
  const say = (sender: string, type: string, thread: string, body = `${type} in ${thread}`) =>
    submit(world, channel, submission({ sender, type, thread, body }));
  const talk = async (thread: string, asked?: string) => {
    await say('ann', 'question', thread, asked);
    await say('bob', 'close', thread);
  };
  const bodies = () => {
    const all: string[] = [];
    streamEntries(nodeDisk, channel, Number.POSITIVE_INFINITY, ({ entry }) => all.push(`${entry.seq} ${entry.body}`));
    return all;
  };
  const files = () => Object.values(bytesBelow(root)).join('\n');
  return { world, root, channel, say, talk, bodies, files };
}

describe('a record that went back behind a compaction (DESIGN.md 4.3, field case R3)', () => {
  it('keeps what was posted after it was accepted: the next compaction archives it beside what stands there already', async () => {
    const { world, root, channel, talk, bodies, files } = channelOf();
    await talk('a');
    const copy = readFileSync(channel.paths.mailbox);
    for (const thread of ['b', 'c', 'd']) await talk(thread);
    expect(compact(world, channel, 0, false).upTo).toBe(6);
    writeFileSync(channel.paths.mailbox, copy);
    repair(world, channel, { dryRun: false, acceptSeq: 2, acceptMissing: false, woken: false });
    for (const thread of ['x', 'y', 'z']) await talk(thread);
    const before = bodies();
    expect(compact(world, channel, 0, false).upTo).toBe(6);
    expect(bodies()).toEqual(before);
    for (const thread of ['b', 'c', 'x', 'y']) expect(files()).toContain(`question in ${thread}\n`);
    // What was put aside is named, and it was accepted (decisions.md 5).
    const forks = () =>
      verify(nodeDisk, openChannel(nodeDisk, root, '')).findings.map(
        ({ level, rule, seq }) => `${level} ${rule} ${seq}`,
      );
    expect(forks()).toContain('info fork 3');
    expect(forks().filter((finding) => finding.startsWith('defect'))).toEqual([]);

    const newer = readFileSync(channel.paths.mailbox);
    await talk('p');
    const standing = readStanding(nodeDisk, channel).state.seq;
    writeFileSync(channel.paths.mailbox, newer);
    const accept = { dryRun: false, acceptSeq: standing - 2, acceptMissing: false, woken: false };
    repair(world, openChannel(nodeDisk, root, ''), accept);
    expect(forks()).toContain('info fork 3');
    expect(forks().filter((finding) => finding.startsWith('defect'))).toEqual([]);

    // Another end than the accepted one vouches for nothing.
    const other = { seq: 2, hash: '0'.repeat(64) };
    rewriteConfig(world, channel, { accepted: other, accepted_before: [] });
    expect(forks()).toContain('defect fork 3');
  });
});

describe('a beginning that is missing (field case R3)', () => {
  it('of a long mailbox is accepted at the first entry that is left, not at the first that its end shows', async () => {
    const { world, root, channel, talk } = channelOf();
    const long = 'A long argument. '.repeat(1200);
    for (const thread of ['a', 'b', 'c', 'd', 'e', 'f']) await talk(thread, long);
    const text = readFileSync(channel.paths.mailbox, 'utf8');
    writeFileSync(channel.paths.mailbox, text.slice(text.indexOf('\n## MSG-3 ')));
    repair(world, channel, { dryRun: false, acceptSeq: undefined, acceptMissing: true, woken: false });
    const accepted = openChannel(nodeDisk, root, '');
    expect(accepted.config.base).toBe(2);
    expect(readStanding(nodeDisk, accepted).tail.stops).toEqual([]);
  });
});

describe('a fence that was written by hand (DESIGN.md 4.2)', () => {
  const HASH = '0'.repeat(64);

  it.each([
    ['for a number that the record has not reached', () => `MSG-9999 sha256:${HASH}`],
    ['with another hash', () => `MSG-2 sha256:${HASH}`],
    ['where a thread is open', (hash: string) => `MSG-3 sha256:${hash}`],
  ])('%s moves nothing: it stops writers until it is removed', async (_where, cut) => {
    const { world, channel, say, talk, bodies } = channelOf();
    await talk('a');
    await say('ann', 'question', 'open');
    const before = readFileSync(channel.paths.mailbox, 'utf8');
    const { hash } = readStanding(nodeDisk, channel).state;
    appendFileSync(channel.paths.mailbox, `\n<!-- debate fence cut:${cut(hash)} -->\n`);
    const files = bytesBelow(channel.paths.root);
    for (const sender of ['bob', 'owner'])
      expect(await refusalOf(() => say(sender, 'info', 'open'))).toBe('record-stopped');
    expect(await refusalOf(async () => compact(world, channel, 0, false))).toBe('record-stopped');
    expect(bytesBelow(channel.paths.root)).toEqual(files);
    expect(readStanding(nodeDisk, channel).tail.stops).toMatchObject([{ kind: 'forged-fence' }]);
    expect(verify(nodeDisk, channel).findings).toMatchObject([
      { level: 'defect', rule: 'forged-fence', line: before.split('\n').length + 1 },
    ]);
    writeFileSync(channel.paths.mailbox, before);
    expect(await say('bob', 'info', 'open')).toMatchObject({ seq: 4, turn: 'ann' });
    expect(bodies()).toHaveLength(4);
  });

  it('in the middle is named rather than the doorbell that is ahead of what it hides', async () => {
    const { channel, say, talk } = channelOf();
    await talk('a');
    const before = readFileSync(channel.paths.mailbox, 'utf8');
    await say('ann', 'question', 'open');
    const added = readFileSync(channel.paths.mailbox, 'utf8').slice(before.length);
    writeFileSync(channel.paths.mailbox, `${before}\n<!-- debate fence cut:MSG-1 sha256:${HASH} -->\n${added}`);
    expect(readStanding(nodeDisk, channel).tail.stops).toMatchObject([{ kind: 'forged-fence', seq: 1 }]);
    expect(await refusalOf(() => say('owner', 'info', 'open'))).toBe('record-stopped');
    writeFileSync(channel.paths.mailbox, `${before}\n${added}`);
    expect(readStanding(nodeDisk, channel)).toMatchObject({ state: { seq: 3, turn: 'bob' }, tail: { stops: [] } });
  });

  it('takes no mailbox away in the published format, which has no fences', async () => {
    const { channel, say, talk } = channelOf(1);
    await talk('a');
    const { hash } = readStanding(nodeDisk, channel).state;
    appendFileSync(channel.paths.mailbox, `\n<!-- debate fence cut:MSG-2 sha256:${hash} -->\n`);
    const files = bytesBelow(channel.paths.root);
    expect(await refusalOf(() => say('ann', 'question', 'b'))).toBe('record-stopped');
    expect(bytesBelow(channel.paths.root)).toEqual(files);
  });
});
