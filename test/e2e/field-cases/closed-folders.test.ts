import { chmodSync, cpSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEBATE, jsonOf, type Ran, refusalOf, run } from '../run-debate.js';
import { freshChannel, say, scratch, textOf } from '../scratch.js';

/** The built tool where another user can read it; a superuser, whom no permission stops, runs it as nobody. */
let tool = '';
const changed: string[] = [];
const NOBODY = 'data:text/javascript,process.setgid(65534);process.setuid(65534)';

beforeAll(() => {
  const folder = scratch();
  const dist = dirname(dirname(DEBATE));
  for (const part of readdirSync(dist)) cpSync(join(dist, part), join(folder, part), { recursive: true });
  cpSync(join(dist, '..', 'package.json'), join(folder, 'package.json'));
  chmodSync(folder, 0o755);
  tool = join(folder, 'cli', 'main.cjs');
});

afterAll(() => {
  for (const path of changed.reverse()) chmodSync(path, 0o755);
});

function debate(...args: readonly string[]): Promise<Ran> {
  return debateIn('/', ...args);
}

function debateIn(cwd: string, ...args: readonly string[]): Promise<Ran> {
  const asNobody = process.getuid?.() === 0 ? ['--import', NOBODY] : [];
  return run(process.execPath, [...asNobody, tool, ...args], { cwd });
}

function close(path: string, mode: number): void {
  changed.push(path);
  chmodSync(path, mode);
}

function channel(): string {
  const root = freshChannel();
  chmodSync(dirname(root), 0o755);
  say(root, { as: 'alpha', thread: 't' });
  chmodSync(root, 0o777);
  for (const name of ['CHANNEL.md', 'signal.json', 'debate.json']) chmodSync(join(root, name), 0o666);
  return root;
}

describe('L7: what cannot be read or written is exit 3 with the reason, never "nothing to do"', () => {
  it('a folder that may be read and not written: reading works, writing is refused and writes nothing', async () => {
    const root = channel();
    close(root, 0o555);
    const post = debate('post', '--root', root, '--as', 'beta', '--type', 'info', '--body', 'x', '--json');
    const [status, read, posted, repaired] = await Promise.all([
      debate('status', '--root', root),
      debate('read', '--root', root),
      post,
      debate('repair', '--root', root, '--json'),
    ]);
    expect([status.code, read.code]).toEqual([0, 0]);
    for (const ran of [posted, repaired]) {
      expect(ran.code).toBe(3);
      expect(refusalOf(ran)).toMatchObject({ code: 'not-written', message: expect.stringContaining(root) });
    }
    expect(textOf(root, 'CHANNEL.md')).not.toContain('MSG-2');
  });

  it('a folder on the way up that may be entered and not listed: the channel above it is found', async () => {
    const root = channel();
    const home = join(dirname(root), 'home');
    mkdirSync(join(home, 'own'), { recursive: true });
    renameSync(root, join(dirname(root), '.debate'));
    close(home, 0o711);
    const ran = await debateIn(join(home, 'own'), 'status', '--json');
    expect(ran.code, ran.err).toBe(0);
    expect(jsonOf(ran)).toMatchObject({ seq: 1 });
  });

  it('a folder that may be stat-ed and not opened, a file that may not be read, a folder above that is closed', async () => {
    const [folder, mailbox, doorbell, config, above] = [channel(), channel(), channel(), channel(), channel()];
    close(folder, 0o111);
    close(join(mailbox, 'CHANNEL.md'), 0o000);
    close(join(doorbell, 'signal.json'), 0o000);
    close(join(config, 'debate.json'), 0o000);
    close(dirname(above), 0o000);
    const runs = await Promise.all(
      [folder, mailbox, doorbell, config, above].flatMap((root) => [
        debate('status', '--root', root, '--json'),
        debate('post', '--root', root, '--as', 'beta', '--type', 'info', '--body', 'x', '--json'),
      ]),
    );
    for (const ran of runs) {
      expect(ran.code, ran.out).toBe(3);
      expect(refusalOf(ran).code).toBe('unreadable');
      expect(refusalOf(ran).message).toMatch(/EACCES/);
    }
  });
});
