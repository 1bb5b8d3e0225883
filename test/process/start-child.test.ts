import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countMarked, eventually } from './run-script.js';
import { makeScratch, type Scratch } from './scratch.js';

let scratch: Scratch;

beforeAll(() => {
  scratch = makeScratch();
});

afterAll(() => scratch.remove());

/** An environment whose processes can be counted afterwards. */
function marked(): { readonly marker: string; readonly env: Record<string, string> } {
  const id = randomUUID();
  return { marker: `DEBATE_WAKE=${id}`, env: { PATH: process.env.PATH ?? '', DEBATE_WAKE: id } };
}

describe('a run ends with its command, and nothing of it survives', () => {
  it.each([
    ['leaves a child in the background that holds its output', 'sleep 300 & echo hi', { kind: 'exited', code: 0 }],
    ['waits for its background child until the timeout', 'sleep 300 & wait', { kind: 'timed-out' }],
  ])('when it %s (W5)', async (_name, script, end) => {
    const { marker, env } = marked();
    const result = await scratch.run(['sh', '-c', script], { env, marker, timeoutSeconds: 2 });
    expect(result).toMatchObject({ ...end, survivors: [] });
    expect(result.durationSeconds).toBeLessThan(4);
    expect(await countMarked(marker)).toBe(0);
  });

  it('when it ignores TERM and started a tool in a session of its own, as harnesses do', async () => {
    const { marker, env } = marked();
    const script = `trap '' TERM; setsid -f sh -c "trap '' TERM; sleep 300"; echo started; while :; do sleep 300; done`;
    const result = await scratch.run(['sh', '-c', script], { env, marker, timeoutSeconds: 0.5, graceSeconds: 0.3 });
    expect(result).toMatchObject({ kind: 'timed-out', lastLines: 'started', survivors: [] });
    expect(await countMarked(marker)).toBe(0);
  });

  it('when the caller says so: a run that can only be refused any more is overtaken', async () => {
    const { marker, env } = marked();
    const controller = new AbortController();
    const running = scratch.run(['sleep', '300'], { env, marker, signal: controller.signal });
    await eventually(async () => (await countMarked(marker)) > 0);
    controller.abort('overtaken');
    expect(await running).toMatchObject({ kind: 'aborted', reason: 'overtaken' });
    expect(await countMarked(marker)).toBe(0);
  });

  it('and is not even started when the caller had said so before', async () => {
    const file = join(scratch.folder, 'never');
    expect(await scratch.run(['touch', file], { signal: AbortSignal.abort('shutdown') })).toMatchObject({
      kind: 'aborted',
      reason: 'shutdown',
    });
    expect(existsSync(file)).toBe(false);
  });
});

describe('how it ended is told apart', () => {
  it('an exit code is the command’s own, 127 included', async () => {
    expect(await scratch.run(['sh', '-c', 'exit 127'])).toMatchObject({ kind: 'exited', code: 127 });
    expect(await scratch.run(['sh', '-c', 'exit 125'], { claimFile: scratch.claim() })).toMatchObject({ code: 125 });
    expect(await scratch.run(['sh', '-c', 'kill -9 $$'])).toMatchObject({ code: undefined, signal: 'SIGKILL' });
  });

  it('a command that is missing, not executable, or without interpreter cannot start, and PATH is named (W7)', async () => {
    const plain = join(scratch.folder, 'plain');
    writeFileSync(plain, 'echo');
    const missing = await scratch.run(['no-such-agent'], { env: { PATH: '/usr/bin:/bin' } });
    expect(missing).toMatchObject({
      kind: 'cannot-start',
      message: 'no-such-agent: not found on PATH=/usr/bin:/bin.',
    });
    expect(await scratch.run([plain])).toMatchObject({ kind: 'cannot-start' });
    expect(await scratch.run([])).toMatchObject({ kind: 'cannot-start', message: 'The command is empty.' });
    expect(await scratch.run(['true', 'a\0b'])).toMatchObject({ kind: 'cannot-start' });
    expect(await scratch.run(['true'], { cwd: '/no/such/folder' })).toMatchObject({
      kind: 'cannot-start',
      message: expect.stringContaining('/no/such/folder'),
    });
    chmodSync(plain, 0o755);
    writeFileSync(plain, '#!/no/such/interpreter\n');
    expect(await scratch.run([plain])).toMatchObject({
      kind: 'cannot-start',
      message: expect.stringContaining('/no/such/interpreter'),
    });
  });

  it('one argument of 131,071 bytes runs, one of 131,072 names the size, the limit and the setting (W3)', async () => {
    const claimFile = scratch.claim();
    const script = 'printf %s "$1" | wc -c';
    const runs = await scratch.run(['sh', '-c', script, 'sh', 'x'.repeat(131_071)], { claimFile });
    expect(runs).toMatchObject({ kind: 'exited', code: 0, lastLines: '131071' });
    const tooLong = await scratch.run(['sh', '-c', script, 'sh', 'é'.repeat(65_536)]);
    expect(tooLong.kind).toBe('argument-too-long');
    for (const part of ['131072', '131071', '"stdin"'])
      expect(tooLong).toHaveProperty('message', expect.stringContaining(part));
  });

  it('many arguments that are together too long are told as clearly', async () => {
    const argv = ['true', ...Array.from({ length: 40 }, () => 'x'.repeat(100_000))];
    expect(await scratch.run(argv, { claimFile: scratch.claim() })).toMatchObject({
      kind: 'argument-too-long',
      message: expect.stringContaining('"stdin"'),
    });
  });
});

describe('what it reads and writes', () => {
  it('without a prompt its stdin is at end-of-file, whatever ours is (W2)', async () => {
    expect(await scratch.run(['cat'], { timeoutSeconds: 5 })).toMatchObject({ kind: 'exited', code: 0 });
  });

  it('a prompt of 1 MiB arrives whole, and harms nobody when the command does not read it (W4)', async () => {
    const prompt = 'ä'.repeat(524_288);
    expect(await scratch.run(['wc', '-c'], { prompt })).toMatchObject({ kind: 'exited', lastLines: '1048576' });
    expect(await scratch.run(['true'], { prompt })).toMatchObject({ kind: 'exited', code: 0 });
  });

  it('stdin, stdout and stderr can be opened by name, as agent scripts do', async () => {
    const result = await scratch.run(
      ['sh', '-c', 'cat /dev/stdin | tee /dev/stderr >/dev/null; echo out >/dev/stdout'],
      {
        prompt: 'prompt\n',
      },
    );
    expect(result).toMatchObject({ code: 0, lastLines: 'prompt\nout' });
  });

  it('stdout and stderr arrive in order, bytes that are no UTF-8 included, and secrets are masked', async () => {
    const env = { PATH: process.env.PATH ?? '', A_TOKEN: 'very-secret-value' };
    const script = `printf 'one \\377\\n'; echo two >&2; printf 'very-se' ; sleep 0.1; echo 'cret-value'`;
    const result = await scratch.run(['sh', '-c', script], { env });
    expect(result.lastLines).toBe('one \ufffd\ntwo\n[masked A_TOKEN]');
  });

  it('much output costs bounded memory and disk, and its end is kept (T10)', async () => {
    const result = await scratch.run([
      'sh',
      '-c',
      'yes 0123456789012345678901234567890 | head -c 20000000; echo; echo last',
    ]);
    expect(result.lastLines.endsWith('\nlast')).toBe(true);
    expect(result.tail.length).toBeLessThanOrEqual(65_536);
    expect(
      Number(
        execFileSync('du', ['-sk', join(scratch.folder, 'logs')])
          .toString()
          .split('\t')[0],
      ),
    ).toBeLessThan(3000);
  });

  it('it gets the argv as it is: nothing is read as a shell would', async () => {
    const words = ['$HOME', '`id`', '{"mcp": "a b"}', "it's", '', '-c', '*'];
    const result = await scratch.run(['printf', '[%s]', ...words], { claimFile: scratch.claim() });
    expect(result.lastLines).toBe(words.map((word) => `[${word}]`).join(''));
  });

  it('it gets exactly the environment that was given', async () => {
    const env = { PATH: process.env.PATH ?? '', ONE: '1', claim: 'mine' };
    const result = await scratch.run(['env'], { env, claimFile: scratch.claim() });
    const names = result.lastLines.split('\n').filter((line) => !/^(?:PWD|OLDPWD|_|SHLVL)=/.test(line));
    expect(names.sort()).toEqual(
      Object.entries(env)
        .map(([name, value]) => `${name}=${value}`)
        .sort(),
    );
  });
});

describe('the shim between us and the agent (format.md 6)', () => {
  it('writes the pid and the start time of the agent beside the claim before the agent exists', async () => {
    const claimFile = scratch.claim();
    const result = await scratch.run(['sh', '-c', `cat '${claimFile}.pid'; echo $$`], { claimFile });
    const [written = '', own = ''] = result.lastLines.split('\n');
    expect(written.startsWith(`${own} ${own} (`)).toBe(true);
  });

  it.each([
    ['is gone', (claim: string) => rmSync(claim)],
    ['is done', (claim: string) => writeFileSync(`${claim}.done`, '')],
    ['has started an agent before', (claim: string) => writeFileSync(`${claim}.pid`, '1 x\n')],
  ])('starts nothing when the claim %s', async (_name, spoil) => {
    const claimFile = scratch.claim();
    spoil(claimFile);
    const file = join(scratch.folder, randomUUID());
    expect(await scratch.run(['touch', file], { claimFile })).toMatchObject({ kind: 'claim-gone' });
    expect(existsSync(file)).toBe(false);
  });

  it('starts one agent of twenty that are asked for at the same instant under one claim', async () => {
    const claimFile = scratch.claim();
    const file = join(scratch.folder, randomUUID());
    const argv = ['sh', '-c', `echo ran >>'${file}'`];
    const results = await Promise.all(Array.from({ length: 20 }, () => scratch.run(argv, { claimFile })));
    expect(results.filter((result) => result.kind === 'exited')).toHaveLength(1);
    expect(readFileSync(file, 'utf8')).toBe('ran\n');
  });
});

it('a watcher that is killed leaves an agent that the pid beside the claim finds', async () => {
  const { marker, env } = marked();
  const claimFile = scratch.claim();
  const source = join(scratch.folder, 'watcher.ts');
  const built = join(scratch.folder, 'watcher.mjs');
  const module = new URL('./scratch.ts', import.meta.url).pathname;
  const options = JSON.stringify({ claimFile, env });
  writeFileSync(
    source,
    `import { makeScratch } from '${module}';\nawait makeScratch().run(['sleep', '300'], ${options});`,
  );
  const flags = ['--bundle', '--platform=node', '--format=esm', '--external:execa', `--outfile=${built}`];
  execFileSync('node_modules/.bin/esbuild', [source, ...flags], { stdio: 'ignore' });
  symlinkSync(resolve('node_modules'), join(scratch.folder, 'node_modules'));

  const watcher = spawn(process.execPath, [built], {
    stdio: 'ignore',
    env: { ...process.env, TMPDIR: scratch.folder },
  });
  await eventually(async () => (await countMarked(marker)) > 0 && existsSync(`${claimFile}.pid`));
  watcher.kill('SIGKILL');
  const pid = Number(readFileSync(`${claimFile}.pid`, 'utf8').split(' ')[0]);
  expect(await countMarked(marker)).toBe(1);
  process.kill(pid, 'SIGKILL');
  await eventually(async () => (await countMarked(marker)) === 0);
  expect(await countMarked(marker)).toBe(0);
});
