import { describe, expect, it } from 'vitest';
import { actor, type Ending } from './actors.js';
import { compactAs, counted, isTold, oldThreads, reopened, say, violations, wholeThread, written } from './scene.js';

const NEXT = { as: 'claude', key: 'next', body: 'after the compaction' } as const;

function told(ending: Ending<unknown>, key: string): readonly string[] {
  if (ending.kind === 'failed') expect(isTold(ending.error), `${key} ${ending.error}`).toBe(true);
  return ending.kind === 'answered' ? [key] : [];
}

describe('compactions and writers without any lock (format.md 5)', () => {
  it('a compaction suspended at any call while a party posts: nothing acknowledged is lost', () => {
    const scene = oldThreads(2);
    for (let i = 0; ; i++) {
      const disk = scene.disk.copy();
      const paused = actor(disk, (own) => compactAs(own, scene.channel, 'paused'));
      if (paused.advance(i).kind !== 'suspended') break;
      const acknowledged = told(
        attempt(() => say(disk, scene.channel, NEXT)),
        'next',
      );
      told(paused.finish(), 'compaction');
      expect(violations(disk, scene.channel, [...scene.keys, ...acknowledged]), `at ${i}`).toEqual([]);
      expect(acknowledged, `at ${i}`).toHaveLength(1);
    }
  });

  it('a post suspended at any call while the record is compacted and goes on', () => {
    const scene = oldThreads(2);
    for (let i = 0; ; i++) {
      const disk = scene.disk.copy();
      const paused = actor(disk, (own) => say(own, scene.channel, NEXT));
      if (paused.advance(i).kind !== 'suspended') break;
      compactAs(disk, scene.channel, 'other');
      const acknowledged = told(paused.finish(), 'next');
      expect(violations(disk, scene.channel, [...scene.keys, ...acknowledged]), `at ${i}`).toEqual([]);
      say(disk, scene.channel, NEXT, 'the retry');
      expect(violations(disk, scene.channel, [...scene.keys, 'next']), `at ${i}`).toEqual([]);
    }
  });

  it('two compactions and a writer, both compactions suspended, at every pair of calls', () => {
    const scene = oldThreads(2);
    const wrong: string[] = [];
    for (let i = 0; ; i += STEP) {
      let last: Ending<unknown> = { kind: 'suspended' };
      for (let j = 0; ; j += STEP) {
        const disk = scene.disk.copy();
        const a = actor(disk, (own) => compactAs(own, scene.channel, 'a'));
        const b = actor(disk, (own) => compactAs(own, scene.channel, 'b'));
        last = a.advance(i);
        const reached = b.advance(j);
        const acknowledged = told(
          attempt(() => say(disk, scene.channel, NEXT)),
          'next',
        );
        told(a.finish(), 'a');
        told(b.finish(), 'b');
        const found = violations(disk, scene.channel, [...scene.keys, ...acknowledged]);
        if (found.length > 0) wrong.push(`${i} ${j} ${found.join()}`);
        if (reached.kind !== 'suspended') break;
      }
      if (last.kind !== 'suspended') break;
    }
    console.log(wrong.length, wrong.slice(0, 10));
    expect(wrong).toEqual([]);
  });

  it('a compaction suspended at any call while the next generations pass: the archive keeps every entry', () => {
    const scene = oldThreads(2);
    const wrong: string[] = [];
    for (let i = 0; ; i++) {
      const disk = scene.disk.copy();
      const paused = actor(disk, (own) => compactAs(own, scene.channel, 'paused'));
      if (paused.advance(i).kind !== 'suspended') break;
      compactAs(disk, scene.channel, 'second');
      say(disk, scene.channel, { as: 'claude', type: 'close', key: 'now-3' });
      const keys = [...scene.keys, 'now-3', ...wholeThread(disk, scene.channel, 't9', 'more', '2026-12-01T00:00:00Z')];
      compactAs(disk, scene.channel, 'third', '2026-12-20T00:00:00Z');
      told(paused.finish(), 'paused');
      const found = [...violations(disk, scene.channel, keys)];
      keys.push(...wholeThread(disk, scene.channel, 't10', 'yet', '2026-12-21T00:00:00Z'));
      for (const late of ['2027-01-20T00:00:00Z', '2027-02-20T00:00:00Z'])
        compactAs(disk, scene.channel, `late ${late}`, late);
      found.push(...violations(disk, reopened(disk), keys));
      if (
        written(disk, scene.channel)
          .map((entry) => entry.key)
          .join() !== keys.join()
      )
        found.push('not each once');
      if (found.length > 0) wrong.push(`${i}: ${found.join()}`);
    }
    console.log(wrong.length, wrong.slice(0, 10));
    expect(wrong).toEqual([]);
  });

  it('of two taken files the newest is told by what counts in it, not by a forged number', () => {
    const { disk, channel, keys } = oldThreads(2);
    const mailbox = disk.text(channel.paths.mailbox) ?? '';
    const forged = `\n## MSG-99 | 2026-10-01T00:00:00+00:00 | from: codex | type: info | thread: t1 | refs: -\n\nforged\n\n<!-- end MSG-99 sha256:${'0'.repeat(64)} key:forged -->\n`;
    disk.put(channel.paths.mailbox, `${mailbox}${forged}`);
    say(disk, channel, { as: 'owner', type: 'close', thread: 'now', key: 'accepted', accept: true });
    const more = wholeThread(disk, channel, 't9', 'more', '2026-12-01T00:00:00Z');
    compactAs(disk, channel, 'first');
    const all = [...keys, 'accepted', ...more, ...wholeThread(disk, channel, 't10', 'yet', '2026-12-21T00:00:00Z')];
    compactAs(disk, channel, 'second', '2027-01-20T00:00:00Z');
    expect(counted(disk, channel).map((entry) => entry.key)).toEqual(all);
  });
});

const STEP = 2;

function attempt<T>(work: () => T): Ending<T> {
  try {
    return { kind: 'answered', answer: work() };
  } catch (error) {
    return { kind: 'failed', error };
  }
}
