import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEBATE } from './run-debate.js';
import { freshChannel, say, scratch, textOf } from './scratch.js';

/** Says on stderr that the process begins to wait: the only sign from outside that it does. */
const TELLS_OF_WAITING = `data:text/javascript,${encodeURIComponent(
  'const wait = Atomics.wait; Atomics.wait = (...all) => { process.stderr.write("waits\\n"); return wait(...all); };',
)}`;

describe('Ctrl-C', () => {
  it('ends a command that waits for its input with 130, and nothing was posted', async () => {
    const own = freshChannel();
    const args = [
      DEBATE,
      'post',
      '--root',
      own,
      '--as',
      'alpha',
      '--type',
      'info',
      '--thread',
      't',
      '--body-file',
      '-',
    ];
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'ignore'] });
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    // More than a pipe holds: once it is written, the command has begun to read.
    await new Promise((resolve) => child.stdin.write('x'.repeat(1 << 20), resolve));
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(textOf(own, 'CHANNEL.md')).toBe('');
  });

  it('ends a command that streams a long record at once, as a shell sees it with 130', async () => {
    const long = freshChannel();
    say(long, { as: 'alpha', thread: 't', body: 'word '.repeat(200_000) });
    const child = spawn(process.execPath, [DEBATE, 'read', '--all', '--root', long], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = new Promise<string | null>((resolve) => child.on('exit', (_, signal) => resolve(signal)));
    // Nobody reads on after the first bytes, so that the command is still writing when the signal comes.
    await new Promise((resolve) => child.stdout.once('readable', resolve));
    child.kill('SIGINT');
    expect(await ended).toBe('SIGINT');
    child.stdout.destroy();
  });

  it.each<{ signal: NodeJS.Signals; command: readonly string[] }>([
    { signal: 'SIGINT', command: ['post', '--as', 'beta', '--type', 'info', '--body', 'x'] },
    { signal: 'SIGTERM', command: ['post', '--as', 'beta', '--type', 'info', '--body', 'x'] },
    { signal: 'SIGINT', command: ['compact', '--keep-days', '0'] },
    { signal: 'SIGINT', command: ['repair'] },
  ])(
    '$signal ends $command.0 at once while it waits for the lock of another writer, and nothing was written',
    async ({ signal, command }) => {
      const own = freshChannel();
      say(own, { as: 'alpha', thread: 't' });
      mkdirSync(join(own, '.lock'));
      const before = textOf(own, 'CHANNEL.md');
      const child = spawn(process.execPath, ['--import', TELLS_OF_WAITING, DEBATE, ...command, '--root', own]);
      const ended = new Promise((resolve) => child.on('close', (code, by) => resolve(by ?? code)));
      await new Promise((resolve) => child.stderr.once('data', resolve));
      child.kill(signal);
      // Without the signal it ends with 3 (locked), once the lock has been held for long enough.
      expect(await ended).toBe(signal);
      expect(textOf(own, 'CHANNEL.md')).toBe(before);
      expect(readdirSync(own).filter((name) => name.startsWith('.lock'))).toEqual(['.lock']);
    },
  );

  it.each([
    { to: 'the demonstration alone', moment: /debate init/, clean: false },
    { to: 'everything in the terminal', moment: /debate watch-once/, clean: false },
    { to: 'the demonstration alone', moment: /debate watch-once/, clean: true },
    { to: 'everything in the terminal', moment: 'an agent at work', clean: true },
  ])('ends debate demo with 130, pressed for $to at $moment, and nothing of it goes on', async (each) => {
    const temporary = scratch();
    const args = [DEBATE, 'demo', ...(each.clean ? ['--clean'] : [])];
    const env = { ...process.env, TMPDIR: temporary };
    const child = spawn(process.execPath, args, { detached: true, stdio: ['ignore', 'pipe', 'ignore'], env });
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    const ended = new Promise((resolve) => child.on('close', (code, by) => resolve(by ?? code)));
    const { moment } = each;
    const at = () => (typeof moment === 'string' ? isAtWork(temporary) : moment.test(out));
    while (!at() && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 10));
    const pid = child.pid ?? 0;
    process.kill(each.to === 'the demonstration alone' ? pid : -pid, 'SIGINT');
    expect(await ended).toBe(130);
    expect(out).not.toContain('debate log');
    expect(commandLines()).not.toContain(temporary);
    const left = readdirSync(temporary).filter((name) => name.startsWith('debate-demo-'));
    expect(left).toHaveLength(each.clean ? 0 : 1);
  });
});

/** True while an agent of the demonstration in this folder runs. */
function isAtWork(temporary: string): boolean {
  return commandLines()
    .split('\n')
    .some((line) => line.includes(temporary) && line.includes('builder.mjs'));
}

/** The command lines of all processes of this machine. */
function commandLines(): string {
  return execFileSync('ps', ['-A', '-ww', '-o', 'args='], { encoding: 'utf8' });
}
