import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEBATE, debate, jsonOf, type Ran, refusalOf, run } from './run-debate.js';
import { git, makeChannel, say, scratch, textOf } from './scratch.js';

const rootOf = async (cwd: string, env: Record<string, string> = {}, ...args: readonly string[]) =>
  jsonOf<{ root?: string; error?: { code: string } }>(await debate(['read', '--json', ...args], { cwd, env }));

describe('the root of a channel (DESIGN.md 4.4)', () => {
  it('is --root, else DEBATE_ROOT, else the nearest one upwards, as git finds its repository', async () => {
    const folder = scratch();
    const [near, far, elsewhere] = [join(folder, 'a', '.debate'), join(folder, 'collab'), join(scratch(), 'any')];
    for (const root of [near, far, elsewhere]) makeChannel(root);
    const inside = join(folder, 'a', 'b');
    mkdirSync(inside);
    const found = await Promise.all([
      rootOf(inside),
      rootOf(folder),
      rootOf(far),
      rootOf(inside, { DEBATE_ROOT: elsewhere }),
      rootOf(inside, { DEBATE_ROOT: elsewhere }, '--root', '../../collab'),
      rootOf(inside, { DEBATE_ROOT: '' }),
    ]);
    expect(found.map(({ root }) => root)).toEqual([near, far, far, elsewhere, far, near]);
  });

  it('is refused with exit 3 where there is none, and where two are equally near', async () => {
    const folder = scratch();
    const [none, wrong] = await Promise.all([
      debate(['status', '--json'], { cwd: folder }),
      debate(['status', '--json', '--root', join(folder, 'not-there')]),
    ]);
    expect([none, wrong].map((ran) => [ran.code, refusalOf(ran).code])).toEqual([
      [3, 'no-channel'],
      [3, 'no-channel'],
    ]);
    makeChannel(join(folder, '.debate'));
    makeChannel(join(folder, 'collab'));
    const two = await debate(['post', '--as', 'alpha', '--type', 'info', '--thread', 't', '--body', 'x', '--json'], {
      cwd: folder,
    });
    expect(two.code).toBe(3);
    expect(refusalOf(two)).toMatchObject({ code: 'ambiguous-root', hint: expect.stringContaining('--root') });
    expect(textOf(join(folder, 'collab'), 'CHANNEL.md')).toBe('');
  });

  it('is refused with exit 3 where its config is not what it should be, naming the key', async () => {
    const root = scratch();
    const status = async (config: string) => {
      writeFileSync(join(root, 'debate.json'), config);
      const ran = await debate(['status', '--root', root, '--json']);
      return [ran.code, refusalOf(ran).code, refusalOf(ran).message] as const;
    };
    const [missing, wrong, half] = [
      await status('{"parties":["a"]}'),
      await status('{"parties":["a","b"],"thread_cap":"many"}'),
      await status('{"parties":'),
    ];
    expect(missing).toEqual([3, 'bad-config', expect.stringContaining('"parties"')]);
    expect(wrong).toEqual([3, 'bad-config', expect.stringContaining('"thread_cap"')]);
    expect(half).toEqual([3, 'bad-config', expect.stringContaining('not JSON')]);
  });

  it('in a linked worktree is a stale copy, refused with the live one named; in a worktree of its own it is not (decisions.md 23)', async () => {
    const main = join(scratch(), 'main');
    git(main, 'init', '-q');
    makeChannel(join(main, 'collab'));
    git(main, 'add', '-A');
    git(main, 'commit', '-qm', 'a channel');
    const linked = join(scratch(), 'linked');
    git(main, 'worktree', 'add', '-q', '--detach', linked);
    const own = join(scratch(), 'own');
    git(main, 'worktree', 'add', '-q', '--detach', own);
    git(own, 'checkout', '-q', '--orphan', 'talk');
    git(own, 'rm', '-rfq', '.');
    makeChannel(join(own, 'talk'));

    const copy = [
      'post',
      '--root',
      join(linked, 'collab'),
      '--as',
      'alpha',
      '--type',
      'info',
      '--thread',
      't',
      '--body',
      'x',
    ];
    const [stale, live, talk] = await Promise.all([
      debate([...copy, '--json']),
      debate(['status', '--root', join(main, 'collab')]),
      debate(['status', '--root', join(own, 'talk')]),
    ]);
    expect(stale.code).toBe(3);
    expect(refusalOf(stale)).toMatchObject({ code: 'wrong-copy', hint: expect.stringContaining(join(main, 'collab')) });
    expect([live.code, talk.code]).toEqual([0, 0]);
  });

  it('in a woken process is a stale copy when the channel it was woken for has the same id (format.md 4)', async () => {
    const live = join(scratch(), 'live');
    makeChannel(live);
    const copy = join(scratch(), 'copy');
    cpSync(live, copy, { recursive: true });
    const env = { DEBATE_ROOT: live, DEBATE_PARTY: 'alpha', DEBATE_WAKE: 'w1', DEBATE_SEQ: '0' };
    const ran = await debate(['status', '--root', copy, '--json'], { env });
    expect([ran.code, refusalOf(ran).code]).toEqual([3, 'wrong-copy']);
  });
});

describe('what the environment says binds only the channel at DEBATE_ROOT (format.md 4)', () => {
  it('so that a woken agent may speak in another channel as another party, and not in its own', async () => {
    const [own, other] = [join(scratch(), 'own'), join(scratch(), 'other')];
    for (const root of [own, other]) {
      makeChannel(root);
      say(root, { as: 'alpha', thread: 't' });
    }
    const env = { DEBATE_ROOT: own, DEBATE_PARTY: 'beta', DEBATE_WAKE: 'w1', DEBATE_SEQ: '1', DEBATE_THREAD: 't' };
    const post = (root: string, ...args: readonly string[]) =>
      debate(['post', '--root', root, '--type', 'info', '--body', 'x', '--json', ...args], { env });
    const [there, unnamed, here] = await Promise.all([
      post(other, '--as', 'beta', '--if-seq', '1'),
      post(other),
      post(own, '--as', 'alpha'),
    ]);
    expect(there.code).toBe(0);
    expect([unnamed.code, refusalOf(unnamed).code]).toEqual([1, 'unknown-sender']);
    expect([here.code, refusalOf(here).code]).toEqual([1, 'woken-as-another']);
    // A symbolic link or another spelling of the same folder is the same channel.
    const spelled = await post(join(own, '..', 'own', '.'));
    expect(spelled.code).toBe(0);
    expect(jsonOf(spelled)).toMatchObject({ seq: 2, turn: 'alpha' });
    expect(textOf(own, 'CHANNEL.md')).toMatch(/ key:w1-[0-9a-f]{12} -->\n$/);
  });
});

describe('a hint', () => {
  /** The command that a hint names, run in the shell in which the refused one was run. */
  const pasted = (ran: Ran, cwd: string) => {
    const [, command = ''] = /^ {2}.*`debate ([^`]+)`/m.exec(ran.err) ?? [];
    return run('sh', ['-c', `"${process.execPath}" "${DEBATE}" ${command}`], { cwd });
  };

  it('names commands that find the channel by the --root and the --channel that were given', async () => {
    const cwd = scratch();
    const root = join(cwd, "the owner's");
    const { paths } = makeChannel(root, { label: 'one' });
    makeChannel(root, { label: 'two' });
    for (const body of ['One.', 'Two.']) {
      say(root, { as: 'alpha', type: 'question', thread: 't', body }, paths.id);
      say(root, { as: 'beta', type: 'close' }, paths.id);
    }
    const at = ['--root', "the owner's", '--channel', paths.id];
    const draft = ['--as', 'alpha', '--type', 'info', '--thread', 'u', '--body', 'x'];
    const moved = await debate(['post', ...at, ...draft, '--if-seq', '2'], { cwd });
    expect(moved.err).toContain(`\`debate read --since 2 --root 'the owner'\\''s' --channel ${paths.id}\``);
    expect((await pasted(moved, cwd)).out).toContain('MSG-3 | alpha | question');

    const [mailbox, all] = [paths.mailbox, readFileSync(paths.mailbox, 'utf8')];
    writeFileSync(mailbox, all.slice(0, all.indexOf('\n## MSG-4')));
    const back = await debate(['status', ...at], { cwd });
    expect(back.code).toBe(4);
    const other = await debate(['repair', ...at, '--accept-seq', '1'], { cwd });
    expect(other.code).toBe(4);
    expect(other.err).toContain('--accept-seq 3 --root');
    expect((await pasted(other, cwd)).code).toBe(0);
    expect((await debate(['status', ...at, '--json'], { cwd })).code).toBe(0);
  });

  it('is left as it is where the folder or the environment says which channel', async () => {
    const root = join(scratch(), 'collab');
    makeChannel(root);
    const ran = await debate(['read', '--thread', 'nothing'], { cwd: root });
    expect(ran.err).toBe('');
    say(root, { as: 'alpha', thread: 't' });
    const none = { err: 'No entry is of thread nothing; `debate threads` lists them.\n' };
    expect(await debate(['read', '--thread', 'nothing'], { cwd: root })).toMatchObject(none);
    expect(await debate(['read', '--thread', 'nothing'], { env: { DEBATE_ROOT: root } })).toMatchObject(none);
  });
});
