import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { debate, jsonOf, type Ran, refusalOf } from './run-debate.js';
import { freshChannel, say, scratch, textOf } from './scratch.js';

/** Posts to a channel, with `--json`. */
function post(root: string, line: string, body?: string, input?: string): Promise<Ran> {
  const words = line.split(' ').filter((word) => word !== '');
  const given = body === undefined ? [] : ['--body', body];
  return debate(['post', '--root', root, '--json', ...words, ...given], input === undefined ? {} : { input });
}

describe('debate post', () => {
  it('says in one line what it did, and in JSON for a program (decisions.md 21)', async () => {
    const root = freshChannel();
    const first = await debate([
      'post',
      '--root',
      root,
      '--as',
      'alpha',
      '--type',
      'question',
      '--thread',
      't',
      '--body',
      'Why?',
    ]);
    expect(first).toMatchObject({ code: 0, out: 'posted MSG-1 (turn -> beta)\n', err: '' });
    const again = await debate(['post', '--root', root, '--as', 'alpha', '--type', 'question', '--body', 'Why?']);
    expect(again).toMatchObject({ code: 0, out: 'already posted MSG-1\n' });
    const answer = await post(root, '--as beta --type info', 'Because.');
    expect(jsonOf(answer)).toEqual({ seq: 2, entry: 'MSG-2', already: false, turn: 'alpha', thread: 't', notices: [] });
    const closed = await debate(['post', '--root', root, '--as', 'alpha', '--type', 'close', '--body', 'Good.']);
    expect(closed.out).toBe('posted MSG-3 (no thread open)\n');
  });

  it('takes the body from an option, a file, or standard input, and stores it trimmed with LF', async () => {
    const root = freshChannel();
    const file = join(scratch(), 'body.md');
    writeFileSync(file, '\ufeff\r\n\r\n    indented\r\nsecond line  \r\n\r\n');
    await debate(['post', '--root', root, '--as', 'alpha', '--type', 'info', '--thread', 't', '--body-file', file]);
    const piped = await post(root, '--as beta --type info --body-file -', undefined, '\u001b[31mred\u001b[0m\n');
    expect(jsonOf(piped)).toMatchObject({ notices: ['Colour sequences were removed from the body.'] });
    expect(textOf(root, 'CHANNEL.md')).toContain('\n\n    indented\nsecond line\n\n<!-- end MSG-1');
    expect(textOf(root, 'CHANNEL.md')).toContain('\n\nred\n\n<!-- end MSG-2');
  });

  it('records who, what and why in trailers: the decision, a question to the supervisor, and the supervisor’s words', async () => {
    const root = freshChannel();
    await post(root, '--as owner --type question --thread t --turn alpha', 'Please add retries.');
    await post(root, '--from alpha --type review-request --refs t', 'Done.');
    await post(root, '--as beta --type verdict --decision request-changes --ask', 'It sleeps for ever.');
    await post(root, '--as owner --type info --thread aside --force', 'Seen.');
    const lengthened = await post(root, '--as owner --type info --cap 30 --turn beta', 'Go on, beta.');
    expect(jsonOf(lengthened)).toMatchObject({ seq: 5, turn: 'beta', thread: 't' });
    const read = jsonOf<{ entries: { trailers: { key: string; value: string }[]; refs: string }[] }>(
      await debate(['read', '--root', root, '--all', '--json']),
    );
    expect(read.entries.map(({ trailers }) => trailers.map(({ key, value }) => `${key}: ${value}`))).toEqual([
      ['Debate-Turn: alpha'],
      [],
      ['Decision: request-changes', 'Debate-Ask: yes'],
      ['Debate-Forced: yes'],
      ['Debate-Turn: beta', 'Debate-Cap: 30'],
    ]);
    expect(read.entries.map(({ refs }) => refs)).toEqual(['', 't', '', '', '']);
  });

  it('answers "already posted" for the same key and draft only, and refuses a key that another draft has', async () => {
    const root = freshChannel();
    const one = '--as alpha --type info --thread t --key k-1';
    expect(jsonOf(await post(root, one, 'One.'))).toMatchObject({ seq: 1, already: false });
    say(root, { as: 'beta', body: 'Two.' });
    expect(jsonOf(await post(root, one, 'One.'))).toMatchObject({ seq: 1, already: true });
    const reused = await post(root, '--as alpha --type info --key k-1', 'Three.');
    expect([reused.code, refusalOf(reused).code]).toEqual([1, 'key-reused']);
  });

  it('takes who acts from DEBATE_PARTY, and an option before it', async () => {
    const root = freshChannel();
    const env = { DEBATE_ROOT: root, DEBATE_PARTY: 'alpha' };
    const own = await debate(['post', '--type', 'info', '--thread', 't', '--body', 'x'], { env });
    expect(own.out).toBe('posted MSG-1 (turn -> beta)\n');
    const other = await debate(['post', '--type', 'info', '--as', 'beta', '--body', 'y'], { env });
    expect(other.out).toBe('posted MSG-2 (turn -> alpha)\n');
    const nobody = await debate(['post', '--root', root, '--type', 'info', '--body', 'z', '--json']);
    expect([nobody.code, refusalOf(nobody)]).toEqual([
      1,
      expect.objectContaining({ code: 'unknown-sender', hint: expect.stringContaining('--as alpha') }),
    ]);
  });

  it('takes --from as the published tool spells it, and refuses two different names', async () => {
    const root = freshChannel();
    const two = await post(root, '--as alpha --from beta --type info --thread t', 'x');
    expect([two.code, refusalOf(two).code]).toEqual([2, 'usage']);
    expect(refusalOf(two).message).toBe('--as says alpha and --from says beta; nothing was posted.');
    expect(textOf(root, 'CHANNEL.md')).toBe('');
    expect(jsonOf(await post(root, '--from alpha --as alpha --type info --thread t', 'x'))).toMatchObject({ seq: 1 });
    expect((await debate(['post', '--help'])).out).toContain('--from <party>');
  });

  it('speaks plainly of what is missing or does not fit', async () => {
    const root = freshChannel();
    expect((await post(root, '--as alpha --type info')).err).toMatch(/^debate: No body is given; nothing was posted\./);
    const decided = await post(root, '--as alpha --type info --thread t --decision approve', 'x');
    expect(refusalOf(decided).message).toBe('An info carries no decision.');
    say(root, { as: 'alpha', thread: 't' });
    appendFileSync(join(root, 'CHANNEL.md'), '\nA line by hand.\n');
    const { out } = await debate(['verify', '--root', root]);
    expect(out).toMatch(/1 line of text at byte \d+ belongs to no entry: A line by hand\.\n/);
    expect(out).toContain('the record verifies: 1 entry, up to MSG-1\n');
  });

  it('refuses with a sentence, a code and a hint on stderr, and with --json as one document on stdout too', async () => {
    const root = freshChannel();
    say(root, { as: 'alpha', thread: 't' });
    const args = ['post', '--root', root, '--as', 'alpha', '--type', 'info', '--body', 'again'];
    const [plain, asJson] = await Promise.all([debate(args), debate([...args, '--json'])]);
    expect(plain).toMatchObject({ code: 1, out: '' });
    expect(plain.err).toMatch(/^debate: It is beta's turn on thread t, not alpha's\. \[not-your-turn\]\n {2}\S.*\n$/);
    expect(asJson).toMatchObject({ code: 1, err: plain.err });
    expect(refusalOf(asJson)).toEqual({
      code: 'not-your-turn',
      message: "It is beta's turn on thread t, not alpha's.",
      hint: expect.stringMatching(/^\S/),
    });
  });
});

describe('a draft that breaks a rule is refused with exit 1, and no byte of the channel changes (DESIGN.md 5)', () => {
  const quiet = (root: string) => root;
  const open = (root: string) => {
    say(root, { as: 'alpha', thread: 't' });
    return root;
  };
  const closed = (root: string) => {
    open(root);
    say(root, { as: 'beta', type: 'close' });
    return root;
  };

  it.each<{
    what: string;
    from: (root: string) => string;
    cap?: number;
    refused: Record<string, readonly [string, string?]>;
  }>([
    {
      what: 'no thread is open',
      from: quiet,
      refused: {
        'unknown-type': ['--as alpha --type opinion --thread t'],
        'unknown-sender': ['--as gamma --type info --thread t'],
        'bad-slug': ['--as alpha --type info --thread Über'],
        'bad-refs': ['--as alpha --type info --thread t --refs a\u2028b'],
        'empty-body': ['--as alpha --type info --thread t', ' \n\t\n '],
        'reserved-trailer': ['--as alpha --type info --thread t', 'x\n\ndebate-turn: alpha'],
        'swallowing-markup': ['--as alpha --type info --thread t', '<details>open'],
        'supervisor-only': ['--as alpha --type info --thread t --turn beta'],
        'party-only': ['--as owner --type info --thread t --turn beta --ask'],
        'thread-needed': ['--as alpha --type info'],
        'cannot-open': ['--as alpha --type verdict --thread t'],
        'turn-required': ['--as owner --type info --thread t'],
        'bad-turn': ['--as owner --type info --thread t --turn gamma'],
        'seq-ahead': ['--as alpha --type info --thread t --if-seq 1'],
        'bad-key': ['--as alpha --type info --thread t --key a--b'],
        'bad-decision': ['--as alpha --type info --thread t --decision approve'],
        'nothing-to-accept': ['--as owner --type info --thread t --turn beta --accept'],
      },
    },
    {
      what: 'a thread is open and beta is due',
      from: open,
      cap: 1,
      refused: {
        'not-your-turn': ['--as alpha --type close'],
        'thread-open': ['--as beta --type info --thread u'],
        'at-cap': ['--as beta --type info'],
        'cap-not-longer': ['--as owner --type info --cap 1'],
        'moved-on': ['--as beta --type close --if-seq 0'],
      },
    },
    {
      what: 'a thread was closed',
      from: closed,
      cap: 1,
      refused: { 'already-closed': ['--as alpha --type close --thread t'] },
    },
    {
      what: 'as many corrections as the cap were made in a row',
      from: (root) => {
        say(root, { as: 'alpha', type: 'close', thread: 'correction-1' });
        return root;
      },
      cap: 1,
      refused: { 'too-many-corrections': ['--as alpha --type close --thread correction-2'] },
    },
  ])('while $what', async ({ from, cap, refused }) => {
    const root = from(freshChannel({ threadCap: cap }));
    const before = [textOf(root, 'CHANNEL.md'), textOf(root, 'signal.json')];
    await Promise.all(
      Object.entries(refused).map(async ([code, [line, body = 'words']]) => {
        const ran = await post(root, line, body);
        expect({ code: refusalOf(ran).code, exit: ran.code }).toEqual({ code, exit: 1 });
      }),
    );
    expect([textOf(root, 'CHANNEL.md'), textOf(root, 'signal.json')]).toEqual(before);
  });

  it('what is not text, and what is larger than the channel allows, unless the supervisor forces it; nothing is ever cut', async () => {
    const root = freshChannel();
    writeFileSync(
      join(root, 'debate.json'),
      JSON.stringify({ ...JSON.parse(textOf(root, 'debate.json')), max_body_bytes: 10 }),
    );
    const file = join(scratch(), 'latin1.txt');
    writeFileSync(file, Buffer.from([0x66, 0xfc, 0x72]));
    const to = '--as alpha --type info --thread t';
    const [nul, latin, long, missing, forced] = await Promise.all([
      post(root, `${to} --body-file -`, undefined, 'a\0b'),
      post(root, `${to} --body-file ${file}`),
      post(root, to, 'eleven byte'),
      post(root, `${to} --body-file ${file}.not-there`),
      post(root, '--as owner --type info --thread t --turn alpha --force', 'eleven byte'),
    ]);
    const codes = [nul, latin, long, missing].map((ran) => [ran.code, refusalOf(ran).code]);
    expect(codes).toEqual([
      [1, 'bad-bytes'],
      [1, 'bad-bytes'],
      [1, 'body-too-large'],
      [3, 'unreadable'],
    ]);
    expect(forced.code).toBe(0);
  });
});
