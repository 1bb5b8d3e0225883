import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { debate, jsonOf, refusalOf } from '../run-debate.js';
import { freshChannel, scratch, textOf } from '../scratch.js';

// What a terminal would execute, or a page reorder: anything of C0 but tab and newline, DEL, C1, bidi controls.
const DANGEROUS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

describe('R10: a body that a terminal would execute', () => {
  it('is stored as it is and shown as visible text by every command that shows it', async () => {
    const root = freshChannel();
    const body = '\u001b[2JHello\u001b]52;c;ZXZpbA==\u0007 \u009b2J \u202etxet \u007f';
    const refs = 'retries.ts:12';
    const post = [
      'post',
      '--root',
      root,
      '--as',
      'alpha',
      '--type',
      'question',
      '--thread',
      't',
      '--refs',
      refs,
      '--body-file',
      '-',
    ];
    expect((await debate(post, { input: body })).code).toBe(0);
    const config = join(scratch(), 'watcher.json');
    writeFileSync(config, JSON.stringify({ state_path: `${config}.state`, commands: {}, prompts: {} }));
    const shown = await Promise.all([
      debate(['read', '--root', root]),
      debate(['read', '--root', root, '--all']),
      debate(['status', '--root', root]),
      debate(['log', '--root', root]),
      debate(['threads', '--root', root]),
      debate(['verify', '--root', root]),
      debate(['watch-once', '--root', root, '--config', config]),
    ]);
    for (const ran of shown) {
      expect(ran.code).toBe(0);
      expect(ran.out + ran.err).not.toMatch(DANGEROUS);
    }
    for (const ran of [shown[0], shown[2], shown[3], shown[6]]) expect(ran?.out).toContain('\\x1b[2JHello');
    // A program gets the bytes themselves.
    const read = await debate(['read', '--root', root, '--json']);
    expect(jsonOf(read)).toMatchObject({ entries: [{ body, refs }] });
  });

  it('cannot reach a terminal through the mailbox’s own structure either: headers by hand, stray text, unknown options', async () => {
    const root = freshChannel();
    const header = '## MSG-1 | 2026\u001b[2J | from: alpha | type: info | thread: t\u009b1m | refs: \u202e';
    writeFileSync(join(root, 'CHANNEL.md'), `stray \u001b[31m\n${header}\n\nbody\n`);
    const shown = await Promise.all([
      debate(['verify', '--root', root]),
      debate(['post', '--root', root, '--as', '\u001b[2J', '--type', 'info', '--thread', 't', '--body', 'x']),
      debate(['read', '--root', root, '--channel', '\u001b[2J']),
    ]);
    for (const ran of shown) expect(ran.out + ran.err).not.toMatch(DANGEROUS);
  });
});

describe('R11: a body that contains a secret', () => {
  // Put together here, so that no scanner takes this file for a leak.
  const SECRETS: Record<string, string> = {
    github: `${'gh'}p_${'a1B2'.repeat(9)}`,
    aws: `${'AK'}IAIOSFODNN7REALKEY`,
    gitlab: `${'gl'}pat-${'x9Y8z7W6'.repeat(3)}`,
    jwt: `${'ey'}J${'hbGciOiJI'.repeat(2)}.${'ey'}J${'zdWIiOiIx'.repeat(3)}.${'sig_nature'.repeat(4)}`,
    'private key': `-----BEGIN ${'RSA PRIVATE'} KEY-----\nMIIEowIBAAKCAQEA${'x1Y2'.repeat(12)}\n-----END ${'RSA PRIVATE'} KEY-----`,
  };

  it('is refused without echoing it, in body and refs; the supervisor may force it', async () => {
    const root = freshChannel();
    const words = ['post', '--root', root, '--type', 'info', '--thread', 't', '--json'];
    const refused = await Promise.all([
      ...Object.values(SECRETS).map((secret) => debate([...words, '--as', 'alpha', '--body', `Use ${secret} there.`])),
      debate([...words, '--as', 'alpha', '--body', 'x', '--refs', SECRETS.github ?? '']),
    ]);
    for (const ran of refused) {
      expect([ran.code, refusalOf(ran).code]).toEqual([1, 'secret']);
      for (const secret of Object.values(SECRETS))
        expect(ran.out + ran.err).not.toContain(secret.split('\n').at(1) ?? secret);
    }
    expect(textOf(root, 'CHANNEL.md')).toBe('');
    const forced = await debate([
      ...words,
      '--as',
      'owner',
      '--turn',
      'alpha',
      '--force',
      '--body',
      `The example ${SECRETS.aws}.`,
    ]);
    expect(forced.code).toBe(0);
  });

  it('what only looks a little like one is an ordinary post', async () => {
    const root = freshChannel();
    const body = 'The key is in gh_token, see AKIA in the docs; https://user@host/ and sk-short are no secrets.';
    expect(
      (await debate(['post', '--root', root, '--as', 'alpha', '--type', 'info', '--thread', 't', '--body', body])).code,
    ).toBe(0);
  });
});
