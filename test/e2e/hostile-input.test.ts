import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEBATE, debate, type Ran, refusalOf } from './run-debate.js';
import { freshChannel, say, scratch, textOf } from './scratch.js';

const OPEN = ['post', '--as', 'alpha', '--type', 'question', '--thread', 't', '--json'];
const INIT = ['init', '--parties', 'alpha,beta', '--json', '--root'];

/** One sentence with a code and a hint, on stdout for a program and on stderr for people, and never a stack trace. */
function expectRefusal(ran: Ran, code: string, exit: number): void {
  const { message, hint, ...refusal } = refusalOf(ran);
  expect({ ...refusal, exit: ran.code }, message).toEqual({ code, exit });
  expect(hint).not.toBe('');
  expect(message + ran.err).not.toMatch(/\n\s+at |unexpected|undefined/);
}

describe('init on what is no place for a channel (issue 2, section 2)', () => {
  it('ends with a refusal in a file system that takes no folder, where Node itself would go on for ever', async () => {
    expectRefusal(await debate([...INIT, '/proc/debate/collab']), 'not-written', 3);
  });

  it('writes nothing for a cap that is none, and takes no empty name for the folder that it is in', async () => {
    const cwd = scratch();
    expectRefusal(await debate([...INIT, 'collab', '--thread-cap', '0'], { cwd }), 'usage', 2);
    expectRefusal(await debate([...INIT, ''], { cwd }), 'usage', 2);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('says how to go on in words that a shell takes, with the channel where the folder holds several', async () => {
    const cwd = scratch();
    const args = ['init', '--parties', 'alpha,beta', '--root', "it's $HOME"];
    await debate(args, { cwd });
    const second = await debate([...args, '--label', 'two'], { cwd });
    const next = /^next: (.*) --thread SLUG --body TEXT$/m.exec(second.out)?.[1] ?? '';
    const script = `debate() { "${process.execPath}" "${DEBATE}" "$@"; }; ${next} --thread t --body hello`;
    expect(execFileSync('sh', ['-c', script], { cwd, encoding: 'utf8' })).toBe('posted MSG-1 (turn -> beta)\n');
  });
});

describe('post with a body that cannot be one', () => {
  it('refuses a folder, a missing file, no bytes, NUL, no UTF-8, and input without an end, and writes nothing', async () => {
    const root = freshChannel();
    const folder = scratch();
    writeFileSync(join(folder, 'nul'), 'a\0b');
    writeFileSync(join(folder, 'bytes'), Buffer.from([0x61, 0xff, 0xfe]));
    writeFileSync(join(folder, 'huge'), 'x'.repeat(2_000_000));
    const cases = [
      { file: '.', code: 'unreadable', exit: 3 },
      { file: 'missing', code: 'unreadable', exit: 3 },
      { file: '-', code: 'empty-body', exit: 1 },
      { file: '/dev/null', code: 'empty-body', exit: 1 },
      { file: 'nul', code: 'bad-bytes', exit: 1 },
      { file: 'bytes', code: 'bad-bytes', exit: 1 },
      { file: 'huge', code: 'body-too-large', exit: 1 },
      { file: '/dev/zero', code: 'body-too-large', exit: 1 },
    ];
    await Promise.all(
      cases.map(async ({ file, code, exit }) => {
        expectRefusal(await debate([...OPEN, '--root', root, '--body-file', file], { cwd: folder }), code, exit);
      }),
    );
    expect(textOf(root, 'CHANNEL.md')).toBe('');
  });

  it('reads a pipe, and Ctrl-C ends it while nobody writes one', async () => {
    const root = freshChannel();
    const pipe = join(scratch(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    const start = () => spawn(process.execPath, [DEBATE, ...OPEN, '--root', root, '--body-file', pipe]);
    const read = start();
    const ended = new Promise((resolve) => read.on('close', resolve));
    // Opening it for writing ends when the command has opened it for reading.
    execFileSync('sh', ['-c', 'echo from a pipe > "$0"', pipe]);
    expect(await ended).toBe(0);
    const before = textOf(root, 'CHANNEL.md');
    expect(before).toContain('from a pipe');
    const waits = start();
    const signalled = new Promise((resolve) => waits.on('close', (code, signal) => resolve(signal ?? code)));
    const again = setInterval(() => waits.kill('SIGINT'), 300);
    expect(['SIGINT', 130]).toContain(await signalled);
    clearInterval(again);
    expect(textOf(root, 'CHANNEL.md')).toBe(before);
  });

  it('refuses refs that a terminal would obey: they stand in the header, for whoever reads the file (DESIGN.md 8)', async () => {
    const root = freshChannel();
    expectRefusal(await debate([...OPEN, '--root', root, '--body', 'x', '--refs', 'a\u001b[31m']), 'bad-refs', 1);
    expect(textOf(root, 'CHANNEL.md')).toBe('');
  });
});

describe('a channel whose files are not what they should be', () => {
  it('names the key, the value that stands there and what is expected (bad-config)', async () => {
    const root = freshChannel();
    const names = { parties: ['alpha', 'beta'] };
    const cases: readonly (readonly [unknown, string])[] = [
      [[], 'it is []: expected object'],
      [{}, '"parties" is missing: expected array'],
      [{ parties: ['alpha'] }, '"parties" is ["alpha"]: expected at least 2'],
      [{ ...names, thread_cap: 'x' }, '"thread_cap" is "x": expected number'],
      [{ ...names, thread_cap: 0 }, '"thread_cap" is 0: expected at least 1'],
      [
        { ...names, checks: { tests: { command: 'npm test' } } },
        '"checks.tests.command" is "npm test": expected array',
      ],
    ];
    for (const [config, said] of cases) {
      writeFileSync(join(root, 'debate.json'), JSON.stringify(config));
      const ran = await debate(['status', '--root', root, '--json']);
      expectRefusal(ran, 'bad-config', 3);
      expect(refusalOf(ran).message).toContain(said);
    }
  });

  it('says the same of a mailbox that is missing or a folder, whichever command reads it', async () => {
    const [missing, folder] = [freshChannel(), freshChannel()];
    for (const root of [missing, folder]) rmSync(join(root, 'CHANNEL.md'));
    mkdirSync(join(folder, 'CHANNEL.md'));
    const commands = ['status', 'read', 'log', 'threads', 'verify', 'compact'];
    await Promise.all(
      commands.flatMap((command) =>
        [missing, folder].map(async (root) => {
          const ran = await debate([command, '--root', root, '--json']);
          expectRefusal(ran, 'unreadable', 3);
          expect(refusalOf(ran).message).toContain(join(root, 'CHANNEL.md'));
        }),
      ),
    );
  });

  it('says what is wrong where the folder that a command was started in is gone', async () => {
    const gone = scratch();
    const script = `cd "$0" && rmdir "$0" && exec "$1" "$2" status --json`;
    const ran = await new Promise<Ran>((resolve) => {
      const child = spawn('sh', ['-c', script, gone, process.execPath, DEBATE]);
      let out = '';
      child.stdout.on('data', (text) => {
        out += text;
      });
      child.on('close', (code, signal) => resolve({ code, signal, out, err: '' }));
    });
    expectRefusal(ran, 'could-not-check', 3);
    expect(refusalOf(ran).message).toContain('is gone');
  });

  it('takes numbers that no date and no timer can hold for wrong usage', async () => {
    const root = freshChannel();
    say(root, { as: 'alpha', thread: 't' });
    for (const args of [
      ['compact', '--keep-days', '1e308'],
      ['status', '--stale-after', '1e400'],
      ['wait', '--as', 'beta', '--timeout', '1e300'],
    ])
      expectRefusal(await debate([...args, '--root', root, '--json']), 'usage', 2);
  });
});
