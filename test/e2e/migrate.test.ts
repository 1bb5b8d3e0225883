import { cpSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { debate, jsonOf, refusalOf } from './run-debate.js';
import { freshChannel, say, sayThread, scratch, textOf } from './scratch.js';

const FIXTURES = fileURLToPath(new URL('../fixtures', import.meta.url));
const on = (root: string, command: string, ...args: readonly string[]) =>
  debate([command, '--root', root, '--json', ...args]);

/** A copy of a channel that the published tool wrote. */
function published(name: string): string {
  const root = join(scratch(), 'copy');
  cpSync(join(FIXTURES, name), root, { recursive: true });
  return root;
}

interface Sample {
  readonly name: string;
  readonly id: string;
  /** Who may speak next, and about what. */
  readonly next: readonly string[];
}

const SAMPLES: readonly Sample[] = [
  { name: 'interop/plain', id: '', next: ['--as', 'claude'] },
  { name: 'interop/plain-compacted', id: '', next: ['--as', 'claude', '--thread', 'fresh'] },
  { name: 'interop/named', id: 'sample-70309', next: ['--as', 'builder'] },
  { name: 'interop/named-compacted', id: 'sample-70309', next: ['--as', 'builder'] },
  // A real correspondence of 37 entries, without a doorbell: git ignored it there.
  { name: 'record', id: 'debate-06451', next: ['--as', 'owner', '--thread', 'fresh', '--turn', 'opus'] },
];

describe('debate migrate --format 2', () => {
  it.each(SAMPLES)(
    'of $name: from the next entry on, nothing written is changed, and it goes on in our format',
    async ({ name, id, next }) => {
      const root = published(name);
      const file = (plainName: string, namedName: string) => join(root, id === '' ? plainName : `${id}.${namedName}`);
      const mailbox = file('CHANNEL.md', 'channel.md');
      const before = {
        bytes: readFileSync(mailbox),
        config: JSON.parse(readFileSync(file('debate.json', 'debate.json'), 'utf8')),
      };
      const status = jsonOf<{ seq: number }>(await on(root, 'status'));
      const entries = jsonOf<{ entries: unknown[] }>(await on(root, 'read', '--all')).entries;

      const migrated = await on(root, 'migrate', '--format', '2');
      expect(migrated.code, migrated.err).toBe(0);
      expect(jsonOf(migrated)).toMatchObject({ channel: id, format: 2 });
      expect(readFileSync(mailbox).equals(before.bytes)).toBe(true);
      expect(JSON.parse(readFileSync(file('debate.json', 'debate.json'), 'utf8'))).toMatchObject({
        ...before.config,
        managed_version: 3,
        format: 2,
        format_since: status.seq + 1,
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
      });

      const [after, all, verify] = await Promise.all([
        on(root, 'status'),
        on(root, 'read', '--all'),
        on(root, 'verify'),
      ]);
      expect(jsonOf(after)).toMatchObject({ seq: status.seq });
      expect(jsonOf<{ entries: unknown[] }>(all).entries).toEqual(entries);
      expect(verify.code).toBe(0);
      const post = await on(root, 'post', '--type', 'info', '--body', 'ours', ...next);
      expect(jsonOf(post)).toMatchObject({ seq: status.seq + 1 });
      const verified = await on(root, 'verify');
      expect([verified.code, jsonOf(verified).defects]).toEqual([0, 0]);
      expect(jsonOf<{ entries: unknown[] }>(await on(root, 'read', '--all')).entries).toHaveLength(entries.length + 1);
      const again = await on(root, 'migrate', '--format', '2');
      expect([again.code, refusalOf(again).code]).toEqual([1, 'not-applicable']);
    },
  );

  it.each(['interop/named', 'interop/named-compacted'])(
    'of %s: compacts afterwards, and reads a thread of the published tool from the archive',
    async (name) => {
      const root = published(name);
      const threads = jsonOf<{ threads: { thread: string; first: number; last: number }[] }>(
        await on(root, 'threads'),
      ).threads;
      await on(root, 'migrate', '--format', '2');
      await on(root, 'post', '--as', 'builder', '--type', 'close', '--body', 'settled');
      for (const thread of ['one', 'two']) {
        await on(root, 'post', '--as', 'builder', '--type', 'info', '--thread', thread, '--body', thread);
        await on(root, 'post', '--as', 'reviewer', '--type', 'close', '--body', 'settled');
      }
      const count = jsonOf<{ entries: unknown[] }>(await on(root, 'read', '--all')).entries.length;
      const compacted = await on(root, 'compact', '--keep-days', '0');
      expect(compacted.code, compacted.err).toBe(0);
      expect(jsonOf<{ entries: number }>(compacted).entries).toBeGreaterThan(0);
      const [verify, all, thread] = await Promise.all([
        on(root, 'verify'),
        on(root, 'read', '--all'),
        on(root, 'read', '--thread', threads[0]?.thread ?? ''),
      ]);
      expect([verify.code, jsonOf(verify).defects]).toEqual([0, 0]);
      expect(jsonOf<{ entries: unknown[] }>(all).entries).toHaveLength(count);
      expect(jsonOf<{ entries: { seq: number }[] }>(thread).entries[0]).toMatchObject({ seq: threads[0]?.first });
    },
  );
});

describe('debate migrate --named', () => {
  function plainChannel(): string {
    const root = freshChannel();
    sayThread(root, 'parser', '2026-03-01T10:00:00Z');
    sayThread(root, 'retries', '2026-03-01T10:00:00Z');
    say(root, { as: 'beta', thread: 'cache' });
    return root;
  }

  it('gives the same bytes other names, archive and index too', async () => {
    const root = plainChannel();
    await on(root, 'compact');
    const before = { mailbox: textOf(root, 'CHANNEL.md'), month: textOf(root, 'archive/CHANNEL-2026-03.md') };
    const ran = await on(root, 'migrate', '--named', '--label', 'review');
    const { channel: id } = jsonOf<{ channel: string }>(ran);
    expect(id).toMatch(/^review-\d{5}$/);
    expect(textOf(root, `${id}.channel.md`)).toBe(before.mailbox);
    expect(textOf(root, `archive/${id}-2026-03.md`)).toBe(before.month);
    expect(textOf(root, `archive/${id}-INDEX.md`)).toContain(`-> ${id}-2026-03.md`);
    expect(readdirSync(root).filter((name) => /^(CHANNEL|signal|debate)\./.test(name))).toEqual([]);
    const [verify, all] = await Promise.all([on(root, 'verify'), on(root, 'read', '--all')]);
    const post = await on(root, 'post', '--as', 'alpha', '--type', 'info', '--body', 'x');
    expect([verify.code, jsonOf(verify).defects]).toEqual([0, 0]);
    expect(jsonOf<{ entries: unknown[] }>(all).entries).toHaveLength(7);
    expect(jsonOf(post)).toMatchObject({ seq: 8, turn: 'beta' });
    expect((await on(root, 'migrate', '--named')).code).toBe(1);
  });

  it('can be run again where it was interrupted, and takes the same id', async () => {
    const root = plainChannel();
    // As it stands between the new names and the move of the config.
    const config = JSON.parse(textOf(root, 'debate.json'));
    writeFileSync(join(root, 'debate.json'), JSON.stringify({ ...config, name: 'review-00042' }));
    cpSync(join(root, 'CHANNEL.md'), join(root, 'x'));
    renameSync(join(root, 'x'), join(root, 'review-00042.channel.md'));
    const ran = await on(root, 'migrate', '--named', '--label', 'review');
    expect(jsonOf(ran)).toMatchObject({ channel: 'review-00042' });
    expect(readdirSync(root).filter((name) => /^(CHANNEL|signal|debate)\./.test(name))).toEqual([]);
    expect((await on(root, 'verify')).code).toBe(0);
  });
});

describe('a channel that another program brokers', () => {
  it('is read and verified, and refused by everything that writes (format.md 3)', async () => {
    const root = published('interop/named');
    const file = 'sample-70309.debate.json';
    writeFileSync(join(root, file), JSON.stringify({ ...JSON.parse(textOf(root, file)), managed_version: 2 }));
    const reading = await Promise.all(['status', 'read', 'log', 'threads', 'verify'].map((each) => on(root, each)));
    expect(reading.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    const config = join(scratch(), 'watcher.json');
    writeFileSync(config, JSON.stringify({ state_path: `${config}.state`, commands: {}, prompts: {} }));
    const writing = await Promise.all([
      on(root, 'post', '--as', 'builder', '--type', 'info', '--body', 'x'),
      on(root, 'repair'),
      on(root, 'compact'),
      on(root, 'migrate', '--format', '2'),
      on(root, 'watch-once', '--config', config),
    ]);
    for (const ran of writing) expect([ran.code, refusalOf(ran).code]).toEqual([1, 'brokered']);
  });
});
