import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { describe, expect, it } from 'vitest';
import { DEBATE, debate, jsonOf, refusalOf, run } from '../run-debate.js';
import { freshChannel, say, textOf } from '../scratch.js';

function twoEntries(): string {
  const root = freshChannel();
  say(root, { as: 'alpha', thread: 't', body: 'one' });
  say(root, { as: 'beta', body: 'two' });
  return root;
}

/** The numbers of the entries that a Markdown page shows as headings. */
function headings(markdown: string): readonly string[] {
  return fromMarkdown(markdown).children.flatMap((node) => {
    const [text] = node.type === 'heading' ? node.children : [];
    const found = text?.type === 'text' ? /^MSG-\d+/.exec(text.value) : null;
    return found ? [found[0]] : [];
  });
}

const post = (root: string, as: string, body: string, ...args: readonly string[]) =>
  debate(['post', '--root', root, '--as', as, '--type', 'info', '--json', ...args, '--body-file', '-'], {
    input: body,
  });

describe('R12: what a writer that died left at the end of the file', () => {
  const TAILS: Record<string, string> = {
    'the head of a header': '\n## MSG-3 | 2026-11-30T08:00:00+00:00 | from: al',
    'a header and half a body':
      '\n## MSG-3 | 2026-11-30T08:00:00+00:00 | from: alpha | type: close | thread: t | refs: -\n\nhalf of',
    'an open code fence':
      '\n## MSG-3 | 2026-11-30T08:00:00+00:00 | from: alpha | type: info | thread: t | refs: -\n\n```sh\nrm -',
  };

  it.each(Object.entries(TAILS))(
    '%s is void, listed with its offset, never shown, and the next post is MSG-3',
    async (_, tail) => {
      const root = twoEntries();
      const offset = readFileSync(join(root, 'CHANNEL.md')).length;
      appendFileSync(join(root, 'CHANNEL.md'), tail);
      const [verify, read, status] = await Promise.all([
        debate(['verify', '--root', root, '--json']),
        debate(['read', '--root', root, '--json']),
        debate(['status', '--root', root, '--json']),
      ]);
      expect(verify.code).toBe(0);
      const { findings } = jsonOf<{ findings: { level: string; message: string }[] }>(verify);
      expect(findings).toHaveLength(1);
      expect(findings[0]).toMatchObject({ level: 'info', message: expect.stringContaining(`byte ${offset + 1}`) });
      expect(jsonOf<{ entries: { body: string }[] }>(read).entries.map(({ body }) => body)).toEqual(['one', 'two']);
      expect(jsonOf(status)).toMatchObject({ seq: 2, turn: 'alpha', thread: 't' });
      expect(jsonOf(await post(root, 'alpha', 'three'))).toMatchObject({ seq: 3, turn: 'beta' });
      expect(headings(textOf(root, 'CHANNEL.md')).at(-1)).toBe('MSG-3');
      expect((await debate(['verify', '--root', root])).code).toBe(0);
    },
  );

  it('an entry whose last bytes are cut: void, and the same draft posts again with the same number', async () => {
    const root = twoEntries();
    const whole = readFileSync(join(root, 'CHANNEL.md'));
    writeFileSync(join(root, 'CHANNEL.md'), whole.subarray(0, whole.length - 6));
    // The doorbell of an acknowledged entry is ahead: that the entry is gone is not passed over in silence.
    const status = await debate(['status', '--root', root, '--json']);
    expect([status.code, refusalOf(status).code]).toEqual([4, 'record-went-back']);
    writeFileSync(join(root, 'signal.json'), '');
    const { findings } = jsonOf<{ findings: unknown[] }>(await debate(['verify', '--root', root, '--json']));
    expect(findings).toContainEqual(expect.objectContaining({ level: 'info', rule: 'unmarked', seq: 2 }));
    expect(jsonOf(await post(root, 'beta', 'two'))).toMatchObject({ seq: 2, already: false });
  });
});

describe('R14: no body can hide the entries after it on a Markdown page', () => {
  it('an open code fence is closed with a notice; what else would swallow is refused', async () => {
    const root = freshChannel();
    const fence = await post(root, 'alpha', 'See:\n\n~~~~js\nlet open', '--thread', 't');
    expect(jsonOf(fence)).toMatchObject({ seq: 1, notices: [expect.stringContaining('code fence')] });
    const open = [
      'It ends in <!--',
      '<!--',
      'a\n<details>\nb',
      '<pre>',
      '<script>x',
      '<?php',
      '<![CDATA[',
      '<style',
      '<textarea>',
    ];
    for (const ran of await Promise.all(open.map((body) => post(root, 'owner', body)))) {
      if (ran.code !== 0) expect(refusalOf(ran).code).toBe('swallowing-markup');
    }
    const closed = await post(root, 'owner', 'Go on. `<!--` and <!-- a comment --> are only words.');
    expect(closed.code).toBe(0);
    const text = textOf(root, 'CHANNEL.md');
    expect(headings(text)).toEqual([...text.matchAll(/^## (MSG-\d+)/gm)].map((found) => found[1]));
  });
});

describe('R6: a disk that is full', () => {
  it('in the middle of the entry: nothing half-written is in force, and the same draft posts once when there is room', async () => {
    const root = twoEntries();
    const key = ['--key', 'k1', '--body', 'x'.repeat(12_000)];
    const args = [DEBATE, 'post', '--root', root, '--as', 'alpha', '--type', 'info', '--json', ...key];
    // A file may grow to 4 KiB: a real short write. The signal that comes with it is ignored, as a full disk sends none.
    const full = await run('sh', ['-c', 'trap "" XFSZ; ulimit -f 8; exec "$@"', 'sh', process.execPath, ...args]);
    expect([full.code, refusalOf(full).code]).toEqual([3, 'not-written']);
    const status = await debate(['status', '--root', root, '--json']);
    expect(jsonOf(status)).toMatchObject({ seq: 2, turn: 'alpha' });
    const again = await run(process.execPath, args);
    expect(jsonOf(again)).toMatchObject({ seq: 3, already: false });
    const verify = await debate(['verify', '--root', root, '--json']);
    expect([verify.code, jsonOf(verify).entries]).toEqual([0, 3]);
  });
});
