import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { debate, jsonOf } from '../run-debate.js';
import { freshChannel, say, sayThread, textOf } from '../scratch.js';

const BOM = '\ufeff';

/** What editors and converters do to a text file. */
const CHANGES: Record<string, (text: string) => string> = {
  'unix2dos, and a BOM': (text) => BOM + text.replaceAll('\n', '\r\n'),
  'a BOM alone': (text) => BOM + text,
  'no final newline': (text) => text.trimEnd(),
  'text before the first entry, and blank lines at the end': (text) => `# Our channel\n\nNotes.\n${text}\n\n\n`,
};

describe('R4: what people do to files', () => {
  it.each(Object.entries(CHANGES))('%s: same entries, same bodies, and the post works', async (_, change) => {
    const root = freshChannel();
    sayThread(root, 'parser');
    say(root, { as: 'beta', thread: 'retries', body: 'two\n\n    lines' });
    const read = (...args: readonly string[]) => debate(['read', '--root', root, '--json', ...args]);
    const before = jsonOf<{ entries: unknown[] }>(await read('--all')).entries;
    writeFileSync(join(root, 'CHANNEL.md'), change(textOf(root, 'CHANNEL.md')));
    for (const name of ['signal.json', 'debate.json']) writeFileSync(join(root, name), BOM + textOf(root, name));
    const [after, verify] = await Promise.all([read('--all'), debate(['verify', '--root', root, '--json'])]);
    expect(jsonOf<{ entries: unknown[] }>(after).entries).toEqual(before);
    expect(verify.code).toBe(0);
    const kept = readFileSync(join(root, 'CHANNEL.md'));
    const post = await debate(['post', '--root', root, '--as', 'alpha', '--type', 'info', '--body', 'next', '--json']);
    expect(jsonOf(post)).toMatchObject({ seq: 5, turn: 'beta', thread: 'retries' });
    // Nothing that was written is touched: the mailbox only grew.
    expect(readFileSync(join(root, 'CHANNEL.md')).subarray(0, kept.length).equals(kept)).toBe(true);
    expect((await debate(['verify', '--root', root])).code).toBe(0);
  });
});
