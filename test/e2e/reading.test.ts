import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { DEBATE, debate, jsonOf, type Ran, run } from './run-debate.js';
import { freshChannel, say, sayThread, scratch, textOf } from './scratch.js';

/** A channel with a closed thread, an open one that has been parked for an hour and a half, and a late remark. */
let root = '';
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

beforeAll(() => {
  root = freshChannel();
  sayThread(root, 'parser', ago(300));
  say(root, {
    as: 'beta',
    type: 'question',
    thread: 'retries',
    refs: 'retries',
    body: 'How many?\n\nSee-Also: parser',
    at: ago(120),
  });
  say(root, { as: 'alpha', body: 'Three.\nOr four.', at: ago(90) });
  say(root, { as: 'owner', body: 'Take your time.', at: ago(1) });
});

/** The commands that `read` prints, each a line, and the one that it gives a program. */
async function repliesOf(
  own: string,
): Promise<{ readonly reply: string[] | null; readonly pasted: readonly string[] }> {
  const [{ out }, asJson] = await Promise.all([
    debate(['read', '--root', own]),
    debate(['read', '--root', own, '--json']),
  ]);
  const { reply, replies } = jsonOf<{ reply: string[] | null; replies: string[][] }>(asJson);
  const bottom = out.slice(out.lastIndexOf('\nThread t is open'));
  const pasted = [...bottom.matchAll(/debate post .*/g)].map(([line]) => line);
  expect(pasted).toEqual(replies.map((argv) => argv.join(' ')));
  return { reply, pasted };
}

/** Runs a line as a person who pastes it into a shell. */
function paste(line: string): Promise<Ran> {
  const debateIsBuilt = `debate() { "${process.execPath}" "${DEBATE}" "$@"; }`;
  return run('sh', ['-c', `${debateIsBuilt}; echo 'All 3 tests pass.' | ${line}`], { cwd: scratch() });
}

const on = (command: string, ...args: readonly string[]) => debate([command, '--root', root, ...args]);

describe('debate status', () => {
  it('gives the doorbell’s five fields, how long the turn has been parked, and the thread’s tail (decisions.md 21)', async () => {
    const ran = await on('status', '--json');
    expect(ran).toMatchObject({ code: 0, err: '' });
    const status = jsonOf(ran);
    expect(Object.keys(status)).toEqual([
      ...['seq', 'turn', 'thread', 'last_entry', 'updated_at'],
      ...['parked_seconds', 'stale', 'stops', 'tail'],
    ]);
    expect(status).toMatchObject({
      seq: 6,
      turn: 'beta',
      thread: 'retries',
      last_entry: 'MSG-6',
      stale: false,
      stops: [],
    });
    // From the last party's entry: the supervisor's remark of a minute ago does not reset it (field case W11).
    expect(status.parked_seconds).toBeGreaterThan(85 * 60);
    expect(status.parked_seconds).toBeLessThan(95 * 60);
    expect(status.tail).toMatchObject([
      { seq: 4, sender: 'beta', type: 'question', first_line: 'How many?' },
      { seq: 5, sender: 'alpha', first_line: 'Three.' },
      { seq: 6, sender: 'owner' },
    ]);
  });

  it('exits 4 and says the age when the turn is stale, 0 when it is not (DESIGN.md 7)', async () => {
    const [stale, fresh] = await Promise.all([
      on('status', '--stale-after', '3600'),
      on('status', '--stale-after', '7200'),
    ]);
    expect(stale.code).toBe(4);
    expect(stale.out).toMatch(/^beta is due on thread retries at MSG-6, parked for 2 h\n/);
    expect(stale.out).toMatch(/\nstale: parked for 2 h, longer than 1 h\n$/);
    expect(fresh.code).toBe(0);
    expect(fresh.out).not.toContain('stale');
  });
});

describe('debate read', () => {
  it('shows the open thread between two lines that say whose turn it is and how to answer', async () => {
    const { code, out, err } = await on('read');
    expect([code, err]).toEqual([0, '']);
    const reply = `debate post --root ${root} --as beta --type info --if-seq 6 --body-file -`;
    const head = `Thread retries is open at MSG-6: beta is due.\nIt is answered with: ${reply}\n`;
    expect(out.startsWith(head)).toBe(true);
    expect(out.endsWith(`\n${head}`)).toBe(true);
    expect(out).toContain('MSG-5 | alpha | info | thread retries');
    expect(out).not.toContain('parser is settled');
    expect(out).not.toContain('<!-- end');
  });

  it('gives a program the whole shape: entries with trailers, without markers, and the reply as argv (decisions.md 21)', async () => {
    const read = jsonOf<{ entries: Record<string, unknown>[] }>(await on('read', '--json'));
    const reply = [
      ...['debate', 'post', '--root', root, '--as', 'beta', '--type', 'info'],
      ...['--if-seq', '6', '--body-file', '-'],
    ];
    expect(read).toEqual({
      root,
      channel: '',
      format: 2,
      seq: 6,
      turn: 'beta',
      thread: 'retries',
      notices: [],
      entries: expect.any(Array),
      checks: [],
      reply,
      replies: [reply],
    });
    expect(read.entries[0]).toEqual({
      seq: 4,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
      sender: 'beta',
      type: 'question',
      thread: 'retries',
      refs: 'retries',
      body: 'How many?\n\nSee-Also: parser',
      trailers: [{ key: 'See-Also', value: 'parser' }],
    });
    expect(read.entries[1]).toMatchObject({ seq: 5, refs: '', trailers: [] });
  });

  it.each([
    { decision: 'approve', next: 'close' },
    { decision: 'request-changes', next: 'fix-report' },
  ])('gives commands that can be pasted, to a request one for each decision: $decision', async ({ decision, next }) => {
    const own = freshChannel();
    say(own, { as: 'alpha', type: 'review-request', thread: 't' });
    const read = await repliesOf(own);
    expect(read.reply).toBeNull();
    expect(read.pasted).toHaveLength(2);
    const [verdict = ''] = read.pasted.filter((line) => line.includes(`--decision ${decision} `));
    expect(await paste(verdict)).toMatchObject({ code: 0, out: 'posted MSG-2 (turn -> alpha)\n' });
    const answer = await repliesOf(own);
    expect(answer.pasted).toEqual([expect.stringContaining(` --as alpha --type ${next} --if-seq 2 `)]);
    expect(answer.reply?.join(' ')).toBe(answer.pasted[0]);
    expect((await paste(answer.pasted[0] ?? '')).code).toBe(0);
    expect(textOf(own, 'CHANNEL.md')).toMatch(new RegExp(`from: alpha \\| type: ${next} `));
  });

  it('gives a command of each party where an old record says of nobody that it is due', async () => {
    const own = freshChannel({ format: 1 });
    const header = '## MSG-1 | 2026-07-06T14:11:02+00:00 | from: owner | type: question | thread: t | refs: -';
    appendFileSync(join(own, 'CHANNEL.md'), `\n${header}\n\nWho knows?\n`);
    const bell = { seq: 1, turn: '', thread: 't', last_entry: 'MSG-1', updated_at: '2026-07-06T14:11:02+00:00' };
    writeFileSync(join(own, 'signal.json'), JSON.stringify(bell));
    const { reply, pasted } = await repliesOf(own);
    expect(reply).toBeNull();
    expect(pasted.map((line) => / --as (\S+) /.exec(line)?.[1])).toEqual(['alpha', 'beta']);
    expect(await paste(pasted[1] ?? '')).toMatchObject({ code: 0, out: 'posted MSG-2 (turn -> alpha)\n' });
  });

  it('says, as status does, that a question to the supervisor is open', async () => {
    const own = freshChannel();
    say(own, { as: 'alpha', thread: 't', ask: true });
    const [read, status] = await Promise.all(['read', 'status'].map((each) => debate([each, '--root', own])));
    const told = 'MSG-1 asks the supervisor, who has not spoken yet: until then nobody is woken';
    expect(read?.out).toMatch(`MSG-1: beta is due.\n${told}.\n`);
    expect(status?.out).toMatch(`\n${told}\n`);
    say(own, { as: 'owner', body: 'Yes.' });
    for (const each of ['read', 'status']) expect((await debate([each, '--root', own])).out).not.toContain('asks the');
  });

  it('reads a thread, what is new, the newest, or all', async () => {
    const read = async (...args: readonly string[]) =>
      jsonOf<{ entries: { seq: number }[] }>(await on('read', '--json', ...args)).entries.map(({ seq }) => seq);
    const all = [1, 2, 3, 4, 5, 6];
    expect(
      await Promise.all([
        read('--thread', 'parser'),
        read('--since', '4'),
        read('--last', '2'),
        read('--all'),
        read('--last', '0'),
        read('--since', '6'),
        read('--thread', 'nothing'),
        read('--all', '--thread', 'retries', '--last', '1'),
      ]),
    ).toEqual([[1, 2, 3], [5, 6], [5, 6], all, [], [], [], [6]]);
  });

  it('says so where there is nothing of what was asked for', async () => {
    expect(await on('read', '--thread', 'retry')).toMatchObject({
      code: 0,
      err: `No entry is of thread retry; \`debate threads --root ${root}\` lists them.\n`,
    });
    expect(await on('read', '--since', '6', '--json')).toMatchObject({ err: 'There is no entry after MSG-6.\n' });
    expect(await on('read', '--since', '5')).toMatchObject({ err: '' });
  });
});

describe('debate log', () => {
  it('is one line an entry, newest last, and one JSON object a line for a program', async () => {
    const [text, lines] = await Promise.all([on('log'), on('log', '--json')]);
    expect(text.out.trimEnd().split('\n')).toHaveLength(6);
    expect(text.out).toMatch(/\nMSG-6 {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}owner {2}info {2}retries {2}Take your time\.\n$/);
    const objects = lines.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { seq: number });
    expect(objects.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

describe('debate threads', () => {
  it('is one line an opening: who opened it, open or closed, the last decision, the age', async () => {
    const [text, asJson] = await Promise.all([on('threads'), on('threads', '--json')]);
    expect(text.out).toMatch(
      /^parser {2}MSG-1\.\.MSG-3 {2}3 entries {2}opened by alpha {2}closed {2}no decision {2}5 h ago\n/,
    );
    expect(text.out).toMatch(
      /\nretries {2}MSG-4\.\.MSG-6 {2}3 entries {2}opened by beta {2}open {2}no decision {2}\d+ min ago\n$/,
    );
    expect(jsonOf(asJson)).toEqual({
      threads: [
        {
          thread: 'parser',
          first: 1,
          last: 3,
          entries: 3,
          opened_by: 'alpha',
          open: false,
          decision: null,
          updated_at: expect.any(String),
        },
        {
          thread: 'retries',
          first: 4,
          last: 6,
          entries: 3,
          opened_by: 'beta',
          open: true,
          decision: null,
          updated_at: expect.any(String),
        },
      ],
    });
  });
});

describe('debate verify', () => {
  it('says that the record verifies, or names what does not, with file, line, entry and rule', async () => {
    const clean = await on('verify', '--json');
    expect(clean.code).toBe(0);
    expect(jsonOf(clean)).toEqual({ root, channel: '', entries: 6, seq: 6, defects: 0, findings: [] });

    const own = freshChannel();
    sayThread(own, 'parser');
    appendFileSync(join(own, 'CHANNEL.md'), '\nA line by hand.\n');
    const stray = await debate(['verify', '--root', own, '--json']);
    expect(stray.code).toBe(0);
    expect(jsonOf(stray)).toMatchObject({
      defects: 0,
      findings: [
        {
          level: 'info',
          rule: 'stray',
          file: 'CHANNEL.md',
          line: 20,
          seq: 0,
          message: expect.stringContaining('A line by hand.'),
        },
      ],
    });
  });
});

describe('every reading command', () => {
  const commands = ['status', 'read', 'log', 'threads', 'verify'];

  it('works on an empty channel', async () => {
    const empty = freshChannel();
    for (const ran of await Promise.all(commands.map((each) => debate([each, '--root', empty]))))
      expect(ran).toMatchObject({ code: 0, err: '' });
  });

  it('prints no colours where nobody looks, to a pipe', async () => {
    const forced = { NO_COLOR: '', FORCE_COLOR: '1', TERM: 'xterm-256color' };
    const runs: Ran[] = await Promise.all(commands.map((each) => debate([each, '--root', root], { env: forced })));
    for (const ran of runs) expect(ran.out + ran.err).not.toContain('\u001b');
  });

  it('prints colours on a terminal, and none there with NO_COLOR, with TERM=dumb, or for a program', async () => {
    // Stands for a terminal: not every machine has a program that makes one.
    const terminal = `import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      const { fstatSync } = fs;
      fs.fstatSync = (descriptor) => Object.assign(fstatSync(descriptor), { isCharacterDevice: () => true });
      syncBuiltinESMExports();
      process.stdout.isTTY = true;`;
    const on = (each: string, env: Readonly<Record<string, string>>, ...args: readonly string[]) =>
      debate([each, '--root', root, ...args], {
        node: ['--import', `data:text/javascript,${encodeURIComponent(terminal)}`],
        env: { NO_COLOR: '', TERM: 'xterm-256color', ...env },
      });
    await Promise.all(
      commands.map(async (each) => {
        expect((await on(each, {})).out).toContain('\u001b[');
        const plain = await Promise.all([
          on(each, { NO_COLOR: '1' }),
          on(each, { TERM: 'dumb' }),
          on(each, {}, '--json'),
        ]);
        for (const ran of plain) expect(ran.out).not.toContain('\u001b');
      }),
    );
  });

  it('ends quietly when whoever reads has read enough: debate log | head -1 (field case W4)', async () => {
    const long = freshChannel();
    for (let i = 0; i < 40; i++) {
      say(long, { as: 'alpha', thread: `t${i}`, body: 'x'.repeat(8000) });
      say(long, { as: 'beta', type: 'close', body: 'y'.repeat(8000) });
    }
    const line = `("$0" "$1" log --json --root "$2"; echo "exit $?" >&2) | head -1`;
    const ran = await run('sh', ['-c', line, process.execPath, DEBATE, long], { cwd: scratch() });
    expect(JSON.parse(ran.out)).toMatchObject({ seq: 1 });
    expect(ran.err).toBe('exit 0\n');
  });
});
