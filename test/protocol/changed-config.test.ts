import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Channel, openChannel } from '../../src/protocol/channel.js';
import { compact } from '../../src/protocol/compaction/compact.js';
import { initChannel, type NewChannel } from '../../src/protocol/init.js';
import { migrateFormat, migrateNamed } from '../../src/protocol/migrate.js';
import { nodeDisk } from '../../src/protocol/node-disk.js';
import { submit } from '../../src/protocol/prepare.js';
import { repair } from '../../src/protocol/repair.js';
import { readStanding } from '../../src/protocol/standing.js';
import type { World } from '../../src/protocol/world.js';
import { bytesBelow, realWorld, refusalOf, submission, temporaryFolder } from './real-channel.js';

const NOTHING = { dryRun: false, acceptSeq: undefined, acceptMissing: false, woken: false };

function channelOf(wanted: Partial<NewChannel> = {}) {
  let hours = 0;
  const world = realWorld({ now: () => new Date(Date.UTC(2026, 10, 1) + hours++ * 3_600_000) });
  const root = join(temporaryFolder(), 'channel');
  const names = { parties: ['ann', 'bob'], supervisor: 'owner', threadCap: 4, label: undefined, project: undefined };
  const channel = initChannel(nodeDisk, world.machine, { root, format: 2, ...names, ...wanted });
  const say = (sender: string, type: string, thread: string, by: World = world, on: Channel = channel) =>
    submit(by, on, submission({ sender, type, thread, body: `${type} in ${thread}` }));
  const talk = async (thread: string) => {
    await say('ann', 'question', thread);
    await say('bob', 'close', thread);
  };
  const config = () => JSON.parse(readFileSync(channel.paths.config, 'utf8')) as Record<string, unknown>;
  const edit = (change: Readonly<Record<string, unknown>>) =>
    writeFileSync(channel.paths.config, JSON.stringify({ ...config(), ...change }));
  return { world, root, channel, say, talk, config, edit };
}

/** The same world, in which this happens while its writer waits for the lock. */
function waiting(world: World, meanwhile: () => void): World {
  return {
    ...world,
    lock: {
      hold: (place, work) => {
        meanwhile();
        return world.lock.hold(place, work);
      },
    },
  };
}

describe('what a writer waited for while another changed the config', () => {
  it('is written into the config as it is then: repair reverts no edit', async () => {
    const { world, channel, talk, config, edit } = channelOf();
    await talk('a');
    const shorter = readFileSync(channel.paths.mailbox);
    await talk('b');
    writeFileSync(channel.paths.mailbox, shorter);
    repair(
      waiting(world, () => edit({ thread_cap: 9, mine: 'kept' })),
      channel,
      { ...NOTHING, acceptSeq: 2 },
    );
    expect(config()).toMatchObject({ thread_cap: 9, mine: 'kept', accepted: { seq: 2 } });
  });

  it('is judged by the config as it is then: a post by a party that is none any more is refused', async () => {
    const { world, root, say, edit } = channelOf();
    let before = {};
    const meanwhile = waiting(world, () => {
      edit({ parties: ['carl', 'dora'] });
      before = bytesBelow(root);
    });
    expect(await refusalOf(() => say('ann', 'question', 'a', meanwhile))).toBe('unknown-sender');
    expect(bytesBelow(root)).toEqual(before);
  });

  it('is refused where the channel has another name by then: no post, repair or compaction makes the old one anew', async () => {
    const { world, root, channel, say, talk } = channelOf();
    await talk('a');
    const meanwhile = waiting(world, () => migrateNamed(world, openChannel(nodeDisk, root, ''), 'work'));
    expect(await refusalOf(() => say('ann', 'question', 'b', meanwhile))).toBe('no-channel');
    const before = bytesBelow(root);
    expect(await refusalOf(() => say('ann', 'question', 'b'))).toBe('no-channel');
    expect(await refusalOf(async () => repair(world, channel, NOTHING))).toBe('no-channel');
    expect(await refusalOf(async () => compact(world, channel, 0, false))).toBe('no-channel');
    expect(await refusalOf(async () => migrateNamed(world, channel, 'work'))).toBe('no-channel');
    expect(bytesBelow(root)).toEqual(before);
    expect(Object.keys(before).filter((name) => /CHANNEL\.md|^signal|^debate\.json/.test(name))).toEqual([]);
  });

  it('is not done twice: of two migrations at once the second is refused', async () => {
    const { world, root, channel, talk } = channelOf({ format: 1 });
    await talk('a');
    let before = {};
    const meanwhile = waiting(world, () => {
      migrateFormat(world, openChannel(nodeDisk, root, ''));
      before = bytesBelow(root);
    });
    expect(await refusalOf(async () => migrateFormat(meanwhile, channel))).toBe('not-applicable');
    expect(bytesBelow(root)).toEqual(before);
  });
});

describe('nothing is written when it is refused', () => {
  it('init in a folder with an empty config, as `touch debate.json` leaves it', async () => {
    const root = temporaryFolder();
    writeFileSync(join(root, 'debate.json'), '');
    const wanted = { root, parties: ['ann', 'bob'], supervisor: 'owner', format: 2 as const };
    const init = () =>
      initChannel(nodeDisk, realWorld().machine, { ...wanted, threadCap: 4, label: undefined, project: undefined });
    expect(await refusalOf(async () => init())).toBe('channel-exists');
    expect(bytesBelow(root)).toEqual({ 'debate.json': '' });
  });

  it.each([
    ['a wrong seq beside a missing beginning', { acceptMissing: true, acceptSeq: 99 }, 4],
    ['a missing beginning of a record that went back, too', { acceptMissing: true }, 2],
  ])('repair that is to accept %s', async (_, wish, last) => {
    const { world, root, channel, talk } = channelOf();
    for (const thread of ['a', 'b', 'c']) await talk(thread);
    const text = readFileSync(channel.paths.mailbox, 'utf8');
    const end = last === 4 ? text.length : text.indexOf('\n## MSG-5 ');
    writeFileSync(channel.paths.mailbox, text.slice(text.indexOf('\n## MSG-3 '), end));
    const before = bytesBelow(root);
    for (const dryRun of last === 4 ? [false, true] : [false])
      expect(await refusalOf(async () => repair(world, channel, { ...NOTHING, ...wish, dryRun }))).toBe(
        'record-went-back',
      );
    expect(bytesBelow(root)).toEqual(before);
  });

  it('and both wishes at once are one change of the config', async () => {
    const { world, channel, talk, config } = channelOf();
    for (const thread of ['a', 'b', 'c']) await talk(thread);
    const text = readFileSync(channel.paths.mailbox, 'utf8');
    writeFileSync(channel.paths.mailbox, text.slice(text.indexOf('\n## MSG-3 '), text.indexOf('\n## MSG-5 ')));
    repair(world, channel, { ...NOTHING, acceptMissing: true, acceptSeq: 4 });
    expect(config()).toMatchObject({ base: 2, accepted: { seq: 4 } });
  });
});

describe('a mailbox that an interrupted compaction took away', () => {
  /** Three closed threads, of which the mailbox stands in the archive. */
  async function taken(fence: boolean) {
    const scene = channelOf();
    const { channel, talk } = scene;
    for (const thread of ['a', 'b', 'c']) await talk(thread);
    mkdirSync(channel.paths.archive, { recursive: true });
    if (fence) {
      const text = readFileSync(channel.paths.mailbox, 'utf8');
      const hash = /<!-- end MSG-2 sha256:(\w+)/.exec(text)?.[1];
      writeFileSync(channel.paths.mailbox, `${text}\n<!-- debate fence cut:MSG-2 sha256:${hash} -->\n`);
    }
    renameSync(channel.paths.mailbox, join(channel.paths.archive, '.taken-6-01234567'));
    return scene;
  }

  it.each([
    ['before its fence', false, 0],
    ['behind its fence', true, 2],
  ])('(%s) is read by both dry runs, which write nothing and foretell what is done', async (_, fence, moved) => {
    const { world, root, channel } = await taken(fence);
    const before = bytesBelow(root);
    const dry = repair(world, channel, { ...NOTHING, dryRun: true });
    expect(dry.done).toEqual([expect.stringContaining(`${channel.paths.mailbox} would be put back`)]);
    expect(dry.standing.state.seq).toBe(6);
    const plan = compact(world, channel, 0, true);
    expect(plan).toMatchObject({ entries: 4 - moved, upTo: 4 });
    expect(bytesBelow(root)).toEqual(before);

    const done = repair(world, channel, NOTHING).done;
    expect(done).toEqual([expect.stringContaining(`${channel.paths.mailbox} was put back`)]);
    expect(existsSync(channel.paths.mailbox)).toBe(true);
    expect(compact(world, channel, 0, false)).toEqual(plan);
    expect(readStanding(nodeDisk, channel).state.seq).toBe(6);
  });

  it('and is nowhere is missing, and said so', async () => {
    const { world, channel } = await taken(false);
    rmSync(channel.paths.archive, { recursive: true });
    for (const dryRun of [true, false])
      expect(await refusalOf(async () => repair(world, channel, { ...NOTHING, dryRun }))).toBe('unreadable');
  });
});

describe('a channel whose name begins like the archive’s', () => {
  it('is compacted like any other: its mailbox is no month file, whose first entry chains to another file', async () => {
    const plans = [];
    for (const label of ['archive', 'work']) {
      const { world, channel, talk } = channelOf({ label });
      for (const thread of ['a', 'b', 'c', 'd']) await talk(thread);
      const text = readFileSync(channel.paths.mailbox, 'utf8');
      writeFileSync(channel.paths.mailbox, text.replace('question in a', 'question of another'));
      plans.push(compact(world, channel, 0, true));
    }
    expect(plans[0]).toEqual(plans[1]);
  });
});
