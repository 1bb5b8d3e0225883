import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { debate, jsonOf } from './run-debate.js';
import { freshChannel, say, sayThread, scratch, textOf } from './scratch.js';

const OLD = '2026-03-01T10:00:00Z';
const on = (root: string, command: string, ...args: readonly string[]) =>
  debate([command, '--root', root, '--json', ...args]);

/** Two old closed threads and a remark, a third closed one that stays, and an open one. */
function longRecord(format: 1 | 2 = 2): string {
  const root = freshChannel({ format });
  sayThread(root, 'parser', OLD);
  say(root, { as: 'beta', type: 'close', thread: 'correction-1', at: OLD });
  sayThread(root, 'retries', OLD);
  sayThread(root, 'docs', OLD);
  say(root, { as: 'beta', thread: 'cache' });
  return root;
}

async function seqs(root: string, ...args: readonly string[]): Promise<readonly number[]> {
  const read = await on(root, 'read', ...args);
  return jsonOf<{ entries: { seq: number }[] }>(read).entries.map(({ seq }) => seq);
}

const ALL = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];

describe('debate compact', () => {
  it('moves the oldest closed part byte for byte, lists it in the index, and everything is still read (format.md 5)', async () => {
    const root = longRecord();
    const whole = textOf(root, 'CHANNEL.md');
    const dry = await on(root, 'compact', '--dry-run');
    expect(jsonOf(dry)).toMatchObject({ dry_run: true, entries: 7, up_to: 7 });
    expect(textOf(root, 'CHANNEL.md')).toBe(whole);

    const moved = await debate(['compact', '--root', root]);
    expect(moved).toMatchObject({ code: 0, err: '' });
    expect(moved.out).toMatch(
      /^parser: MSG-1\.\.MSG-3\ncorrection-1: MSG-4\.\.MSG-4\nretries: MSG-5\.\.MSG-7\n7 entries up to MSG-7 moved to /,
    );
    // Names and index lines as the published tool writes them (issue 2, section 3).
    const month = textOf(root, 'archive/CHANNEL-2026-03.md');
    expect(textOf(root, 'archive/INDEX.md')).toBe(
      [
        '- parser: MSG-1..MSG-3 (3 entries, closed 2026-03-01T10:00:00+00:00) -> CHANNEL-2026-03.md',
        '- correction-1: MSG-4..MSG-4 (1 entries, closed 2026-03-01T10:00:00+00:00) -> CHANNEL-2026-03.md',
        '- retries: MSG-5..MSG-7 (3 entries, closed 2026-03-01T10:00:00+00:00) -> CHANNEL-2026-03.md\n',
      ].join('\n'),
    );
    const mailbox = textOf(root, 'CHANNEL.md');
    const [base = ''] = mailbox.split('\n');
    expect(base).toMatch(
      /^> Entries up to MSG-7 are in archive\/ \(see archive\/INDEX\.md\)\. <!-- debate base MSG-7 sha256:[0-9a-f]{64} -->$/,
    );
    expect(month + mailbox.slice(base.length + 1)).toBe(whole);

    const [verify, status, all, thread, since] = await Promise.all([
      on(root, 'verify'),
      on(root, 'status'),
      seqs(root, '--all'),
      seqs(root, '--thread', 'parser'),
      seqs(root, '--since', '5'),
    ]);
    expect(verify.code).toBe(0);
    expect(jsonOf(verify)).toMatchObject({ entries: 11, seq: 11, findings: [] });
    expect(jsonOf(status)).toMatchObject({ seq: 11, turn: 'alpha', thread: 'cache' });
    expect([all, thread, since]).toEqual([ALL, [1, 2, 3], ALL.slice(5)]);

    expect((await debate(['compact', '--root', root])).out).toMatch(/^nothing to move/);
    expect(jsonOf(await on(root, 'post', '--as', 'alpha', '--type', 'close', '--body', 'x'))).toMatchObject({
      seq: 12,
    });
    // The last closed thread stays: it is what already-closed and a retry are judged by.
    expect(jsonOf(await on(root, 'compact', '--keep-days', '0'))).toMatchObject({ entries: 3, up_to: 10 });
    expect(await seqs(root, '--all')).toEqual([...ALL, 12]);
    expect((await on(root, 'verify')).code).toBe(0);
  });

  it('leaves what is not older than --keep-days, and an open thread, where they are', async () => {
    const root = freshChannel();
    sayThread(root, 'parser', OLD);
    sayThread(root, 'retries');
    say(root, { as: 'alpha', thread: 'cache' });
    const days = String(Math.ceil((Date.now() - Date.parse(OLD)) / 86_400_000) + 1);
    expect(jsonOf(await on(root, 'compact', '--keep-days', days))).toMatchObject({ entries: 0 });
    expect(jsonOf(await on(root, 'compact'))).toMatchObject({ entries: 3, up_to: 3 });
  });

  it.each([1, 2] as const)(
    'of format %i leaves an archive that verify looks after: lost, shortened or altered is a defect',
    async (format) => {
      const root = longRecord(format);
      await on(root, 'compact');
      const month = join(root, 'archive', 'CHANNEL-2026-03.md');
      const kept = readFileSync(month, 'utf8');
      const found = async () => {
        const verify = await on(root, 'verify');
        const { findings } = jsonOf<{ findings: { level: string; rule: string; seq: number }[] }>(verify);
        const rules = findings.filter(({ level }) => level === 'defect').map(({ rule, seq }) => `${rule} ${seq}`);
        return [verify.code, ...new Set(rules)];
      };
      expect(await found()).toEqual([0]);
      writeFileSync(month, kept.replace('parser is sound', 'parser is broken'));
      expect(await found()).toEqual([4, 'altered 2']);
      writeFileSync(month, kept.slice(0, kept.indexOf('## MSG-6')));
      expect(await found()).toEqual([4, ...(format === 2 ? ['gap 6'] : []), 'archive-missing 5']);
      rmSync(month);
      expect(await found()).toEqual(expect.arrayContaining([4, 'archive-missing 1', 'archive-missing 5']));
      rmSync(join(root, 'archive'), { recursive: true });
      if (format === 2) expect(await found()).toEqual([4, 'archive-missing 7']);
      // Whoever goes on is not stopped by what is lost there.
      expect(await on(root, 'post', '--as', 'alpha', '--type', 'info', '--body', 'Go on.')).toMatchObject({
        code: 0,
      });
    },
  );

  it('of a format 1 channel keeps to what the published tool reads: a pointer line, no fence, no base', async () => {
    const root = longRecord(1);
    expect(jsonOf(await on(root, 'compact'))).toMatchObject({ entries: 7, up_to: 7 });
    expect(textOf(root, 'CHANNEL.md')).toMatch(
      /^> Older closed threads relocate verbatim to archive\/ \(see archive\/INDEX\.md\)\. Entries are never edited - `debate compact` only moves them\.\n\n## MSG-8 /,
    );
    expect(textOf(root, 'CHANNEL.md')).not.toMatch(/debate (base|fence)/);
    expect(readdirSync(join(root, 'archive'))).toEqual(['CHANNEL-2026-03.md', 'INDEX.md']);
    const [verify, all] = await Promise.all([on(root, 'verify'), seqs(root, '--all')]);
    expect([verify.code, all]).toEqual([0, ALL]);
  });
});

describe('L6: a compaction that was killed on its way', () => {
  /** What each step leaves when nothing comes after it: a compaction that went through, without what comes later. */
  const KILLED: Record<string, readonly (keyof Parts)[]> = {
    'after the mailbox was taken away': ['mailbox', 'successor', 'index', 'month'],
    'after the archive was written': ['mailbox', 'successor', 'index'],
    'after the index was written': ['mailbox', 'successor'],
    'before the new mailbox was put in place': ['mailbox'],
    'after the fence': ['mailbox', 'successor', 'index', 'month', 'taken'],
  };

  interface Parts {
    readonly mailbox: string;
    readonly successor: string;
    readonly index: string;
    readonly month: string;
    readonly taken: string;
  }

  function partsOf(root: string): Parts {
    const archive = join(root, 'archive');
    const both = readdirSync(archive).filter((name) => name.startsWith('.taken-'));
    const isFenced = (name: string) => readFileSync(join(archive, name), 'utf8').includes('<!-- debate fence');
    return {
      mailbox: join(root, 'CHANNEL.md'),
      successor: join(archive, both.find((name) => !isFenced(name)) ?? ''),
      index: join(archive, 'INDEX.md'),
      month: join(archive, 'CHANNEL-2026-03.md'),
      taken: join(archive, both.find(isFenced) ?? ''),
    };
  }

  it.each(Object.entries(KILLED))(
    '%s: read goes on, and whoever writes next completes it; every entry is there exactly once',
    async (_, missing) => {
      const root = longRecord();
      expect((await debate(['compact', '--root', root])).code).toBe(0);
      const parts = partsOf(root);
      const fenced = readFileSync(parts.taken);
      for (const part of missing) rmSync(parts[part]);
      if (missing.includes('taken')) writeFileSync(parts.mailbox, fenced);
      const copy = join(scratch(), 'copy');
      cpSync(root, copy, { recursive: true });

      expect(await seqs(root)).toEqual([11]);
      const again = await on(root, 'compact');
      expect(again.code).toBe(0);
      const post = await on(copy, 'post', '--as', 'alpha', '--type', 'info', '--body', 'meanwhile');
      expect(jsonOf(post)).toMatchObject({ seq: 12, turn: 'beta' });
      for (const [each, expected] of [
        [root, ALL],
        [copy, [...ALL, 12]],
      ] as const) {
        const [all, verify] = await Promise.all([seqs(each, '--all'), on(each, 'verify')]);
        expect(all).toEqual(expected);
        expect([verify.code, jsonOf(verify).findings]).toEqual([0, []]);
        expect(
          readFileSync(join(each, 'archive', 'INDEX.md'), 'utf8')
            .trimEnd()
            .split('\n'),
        ).toHaveLength(3);
      }
    },
  );
});
