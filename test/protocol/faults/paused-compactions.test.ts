import { describe, expect, it } from 'vitest';
import { lateCompaction, postAndCompaction, twoCompactions } from './interleavings.js';
import { compactAs, counted, oldThreads, say, violations, wholeThread } from './scene.js';

describe('compactions and writers without any lock (format.md 5)', () => {
  it('a post suspended while the record is compacted, and a compaction while a party posts', () => {
    expect(postAndCompaction({ every: 2 })).toEqual([]);
  });

  // Every place and every pair of places: `npm run proof`.
  it('a compaction suspended while the next ones pass: the archive keeps every entry', () => {
    expect(lateCompaction({ every: 7 })).toEqual([]);
  });

  it('two compactions suspended while a party posts', () => {
    expect(twoCompactions({ every: 13 })).toEqual([]);
  });

  it('a fence of a compaction that woke up late, with an older cut than the mailbox begins at, is void', () => {
    const { disk, channel, keys } = oldThreads(2);
    const { mailbox } = channel.paths;
    compactAs(disk, channel, 'first');
    disk.put(mailbox, `${disk.text(mailbox)}\n<!-- debate fence cut:MSG-3 sha256:${'0'.repeat(64)} -->\n`);
    expect(violations(disk, channel, keys)).toEqual([]);
    expect(say(disk, channel, { as: 'claude', key: 'next' }).seq).toBe(9);
    expect(violations(disk, channel, [...keys, 'next'])).toEqual([]);
  });

  it('of two taken files the newest is told by what counts in it, not by a forged number', () => {
    const { disk, channel, keys } = oldThreads(2);
    const { mailbox } = channel.paths;
    const forged = `\n## MSG-99 | 2026-10-01T00:00:00+00:00 | from: codex | type: info | thread: t1 | refs: -\n\nforged\n\n<!-- end MSG-99 sha256:${'0'.repeat(64)} key:forged -->\n`;
    disk.put(mailbox, `${disk.text(mailbox)}${forged}`);
    say(disk, channel, { as: 'owner', type: 'close', thread: 'now', key: 'accepted', accept: true });
    const more = wholeThread(disk, channel, 't9', 'more', '2026-12-01T00:00:00Z');
    compactAs(disk, channel, 'first');
    const all = [...keys, 'accepted', ...more, ...wholeThread(disk, channel, 't10', 'yet', '2026-12-21T00:00:00Z')];
    compactAs(disk, channel, 'second', '2027-01-20T00:00:00Z');
    expect(counted(disk, channel).map((entry) => entry.key)).toEqual(all);
  });

  it('a mailbox that an editor replaced stays the mailbox through the next compaction', () => {
    const { disk, channel, keys } = oldThreads(3);
    const { mailbox } = channel.paths;
    compactAs(disk, channel, 'first');
    const edited = `${disk.text(mailbox)}\nA note by hand.\n`;
    disk.put(mailbox, edited);
    say(disk, channel, { as: 'claude', type: 'close', key: 'now-3' });
    const more = wholeThread(disk, channel, 't9', 'more', '2026-12-01T00:00:00Z');
    compactAs(disk, channel, 'second', '2027-01-20T00:00:00Z');
    expect(violations(disk, channel, [...keys, 'now-3', ...more])).toEqual([]);
  });
});
