import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { debate, jsonOf } from '../run-debate.js';
import { freshChannel, git, makeChannel, say, scratch, textOf } from '../scratch.js';

const good = { seq: 1, turn: 'beta', thread: 't', last_entry: 'MSG-1', updated_at: '2026-07-06T14:11:02+00:00' };

const BROKEN: Record<string, string | undefined> = {
  'is not there': undefined,
  'has 0 bytes': '',
  'is cut off': '{"seq":',
  'is null': 'null',
  'is a list': '[]',
  'has a number as text': JSON.stringify({ ...good, seq: '1' }),
  'has a fraction': JSON.stringify({ ...good, seq: 0.5 }),
  'lacks a field': JSON.stringify({ ...good, turn: undefined }),
  'has a timestamp without a zone': JSON.stringify({ ...good, updated_at: '2026-07-06T14:11:02' }),
  'says that it is nobody’s turn': JSON.stringify({ ...good, turn: '', thread: '' }),
};

describe('R7: a doorbell that is not whole is a cache miss, derived again from the record', () => {
  it.each(Object.entries(BROKEN))('the doorbell %s', async (_, text) => {
    const root = freshChannel();
    say(root, { as: 'alpha', thread: 't' });
    const healed = JSON.parse(textOf(root, 'signal.json'));
    if (text === undefined) rmSync(join(root, 'signal.json'));
    else writeFileSync(join(root, 'signal.json'), text);
    const status = await debate(['status', '--root', root, '--json']);
    expect(status.code).toBe(0);
    expect(jsonOf(status)).toMatchObject({ seq: 1, turn: 'beta', thread: 't' });
    expect(status.err).not.toMatch(/\n\s+at /);
    if (text === undefined || !text.includes('"thread":""')) expect(status.err).toContain('notice: the doorbell');
    if (text !== '') return;
    expect((await debate(['repair', '--root', root])).code).toBe(0);
    expect(JSON.parse(textOf(root, 'signal.json'))).toEqual(healed);
  });

  it('keys that are not ours survive when it is rewritten (DESIGN.md 4.3)', async () => {
    const root = freshChannel();
    say(root, { as: 'alpha', thread: 't' });
    writeFileSync(join(root, 'signal.json'), JSON.stringify({ mood: 'calm', ...good }));
    expect((await debate(['post', '--root', root, '--as', 'beta', '--type', 'info', '--body', 'x'])).code).toBe(0);
    const rung = JSON.parse(textOf(root, 'signal.json'));
    expect(Object.keys(rung)).toEqual(['seq', 'turn', 'thread', 'last_entry', 'updated_at', 'mood']);
    expect(rung).toMatchObject({ seq: 2, turn: 'alpha', last_entry: 'MSG-2', mood: 'calm' });
  });
});

describe('L5: a fresh clone has the mailbox and no doorbell', () => {
  it('so that the next post is the next number, never MSG-1 again', async () => {
    const root = join(scratch(), 'talk');
    makeChannel(root);
    say(root, { as: 'alpha', thread: 't' });
    say(root, { as: 'beta' });
    git(root, 'init', '-q');
    git(root, 'add', '-A');
    git(root, 'commit', '-qm', 'talk');
    const clone = join(scratch(), 'clone');
    git(scratch(), 'clone', '-q', root, clone);
    expect(() => textOf(clone, 'signal.json')).toThrow('ENOENT');
    const post = await debate(['post', '--root', clone, '--as', 'alpha', '--type', 'info', '--body', 'x', '--json']);
    expect(jsonOf(post)).toMatchObject({ seq: 3, turn: 'beta' });
  });
});
