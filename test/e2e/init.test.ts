import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEBATE, debate, jsonOf, refusalOf, run } from './run-debate.js';
import { freshChannel, git, makeChannel, say, scratch, textOf } from './scratch.js';

const INIT = ['init', '--parties', 'claude,codex', '--supervisor', 'owner', '--root'];

describe('debate init', () => {
  it('makes a whole channel: config, empty mailbox, fresh doorbell, the contract, and what git needs (issue 2, section 2)', async () => {
    const root = join(scratch(), 'deep', 'collab');
    const ran = await debate([...INIT, root, '--thread-cap', '20', '--json']);
    expect(ran).toMatchObject({ code: 0, err: '' });
    const facts = { root, channel: '', format: 2, parties: ['claude', 'codex'], supervisor: 'owner' };
    expect(jsonOf(ran)).toEqual(facts);

    expect(JSON.parse(textOf(root, 'debate.json'))).toEqual({
      parties: ['claude', 'codex'],
      supervisor: 'owner',
      thread_cap: 20,
      managed_version: 3,
      format: 2,
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(textOf(root, 'CHANNEL.md')).toBe('');
    // Decisions.md 18: empty is seq 0 and four empty strings, two spaces, no final newline.
    const empty = { seq: 0, turn: '', thread: '', last_entry: '', updated_at: '' };
    expect(textOf(root, 'signal.json')).toBe(JSON.stringify(empty, null, 2));
    const ignored = textOf(root, '.gitignore').split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['*signal.json', '.lock*', '.runs/', 'archive/.taken-*']));
    expect(textOf(root, '.gitattributes')).toBe('*.md -text\n');
    for (const word of ['claude', 'codex', 'owner', 'After 20 entries', '--ask', 'Amendments'])
      expect(textOf(root, 'PROTOCOL.md')).toContain(word);
  });

  it('refuses a second channel in the same place and changes nothing', async () => {
    const root = join(scratch(), 'collab');
    await debate([...INIT, root]);
    const before = textOf(root, 'debate.json');
    const again = await debate(['init', '--root', root, '--parties', 'x,y', '--json']);
    expect(again.code).toBe(1);
    expect(refusalOf(again)).toMatchObject({ code: 'channel-exists', hint: expect.stringContaining('--label') });
    expect(textOf(root, 'debate.json')).toBe(before);
  });

  it('makes the named layout with --label, several to a folder, each found by its id', async () => {
    const root = scratch();
    const made = await Promise.all(
      ['parser', 'parser'].map((label) => debate([...INIT, root, '--label', label, '--json'])),
    );
    const [first = '', second = ''] = made.map((ran) => jsonOf<{ channel: string }>(ran).channel);
    expect([first, second]).toEqual([expect.stringMatching(/^parser-\d{5}$/), expect.stringMatching(/^parser-\d{5}$/)]);
    expect(first).not.toBe(second);
    const told = await debate([...INIT, root, '--label', 'parser']);
    expect(told.out).toMatch(/next: debate post --root \S+ --channel parser-\d{5} --as /);
    expect(JSON.parse(textOf(root, `${first}.debate.json`))).toMatchObject({ name: first });
    expect(textOf(root, `${first}.channel.md`)).toBe('');

    const [unnamed, named, byEnvironment] = await Promise.all([
      debate(['status', '--root', root, '--json']),
      debate(['status', '--root', root, '--channel', first]),
      debate(['read', '--json'], { env: { DEBATE_ROOT: root, DEBATE_CHANNEL: second } }),
    ]);
    expect(unnamed.code).toBe(3);
    expect(refusalOf(unnamed)).toMatchObject({ code: 'ambiguous-root', message: expect.stringContaining(first) });
    expect(named).toMatchObject({ code: 0, out: 'no entries yet\n' });
    expect(jsonOf(byEnvironment)).toMatchObject({ channel: second });
  });

  it('shares a channel with the published tool by --format 1: its keys and no others (decisions.md 20)', async () => {
    const folder = scratch();
    const plain = join(folder, 'plain');
    const named = join(folder, 'named');
    await Promise.all([
      debate([...INIT, plain, '--format', '1']),
      debate([...INIT, named, '--format', '1', '--label', 'sample']),
    ]);
    const keys = { parties: ['claude', 'codex'], supervisor: 'owner', thread_cap: 8 };
    expect(JSON.parse(textOf(plain, 'debate.json'))).toEqual(keys);
    const { config, id } = namedConfig(named);
    expect(config).toEqual({ ...keys, name: id, managed_version: 1 });
  });

  it('writes the project only when it is not the repository around the channel', async () => {
    const folder = scratch();
    git(folder, 'init', '-q');
    const other = join(scratch(), 'other');
    git(other, 'init', '-q');
    const [own, foreign] = [join(folder, 'own'), join(folder, 'foreign')];
    await Promise.all([debate([...INIT, own, '--project', folder]), debate([...INIT, foreign, '--project', other])]);
    expect(JSON.parse(textOf(own, 'debate.json'))).not.toHaveProperty('project');
    expect(JSON.parse(textOf(foreign, 'debate.json'))).toMatchObject({ project: other });
  });

  it('says so when a branch switch would take the record back, and is quiet where git ignores the folder (DESIGN.md 4.3)', async () => {
    const folder = scratch();
    git(folder, 'init', '-q');
    writeFileSync(join(folder, '.gitignore'), '.debate/\n');
    const [tracked, ignored] = await Promise.all([
      debate([...INIT, join(folder, 'collab')]),
      debate([...INIT, join(folder, '.debate')]),
    ]);
    expect(tracked.err).toMatch(/notice: .*let git ignore it/);
    expect(ignored.err).toBe('');
    expect((await debate([...INIT, folder])).err).toBe(tracked.err);
  });

  it('and where the root is the top of a worktree of its own, whose branch nobody switches', async () => {
    const folder = scratch();
    git(folder, 'init', '-q');
    git(folder, '-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '-q', '--allow-empty', '-m', 'one');
    const own = join(scratch(), 'own');
    git(folder, 'worktree', 'add', '-q', '-b', 'channel', own);
    expect((await debate([...INIT, own])).err).toBe('');
    expect((await debate([...INIT, join(own, 'inside')])).err).toMatch(/notice: /);
  });

  it('says what else is in the folder: another channel, and a PROTOCOL.md that may not suit', async () => {
    const root = join(scratch(), 'collab');
    const quiet = await debate([...INIT, root, '--label', 'one']);
    expect(quiet.err).toBe('');
    const other = ['init', '--root', root, '--parties', 'glm,gemini', '--supervisor', 'owner'];
    const { out, err } = await debate(other);
    expect(err).toMatch(/^notice: \S+PROTOCOL\.md was there already and is kept: see that it suits glm and gemini/);
    expect(err).toMatch(/\nnotice: this folder holds 2 channels now, .*--channel '' for the plain one or one-\d{5}\n$/);
    expect(textOf(root, 'PROTOCOL.md')).toContain('Two parties, claude and codex,');
    // What it says to run next is not refused for that.
    const next = /^next: debate (.*) --thread SLUG --body TEXT$/m.exec(out)?.[1];
    const post = await run('sh', ['-c', `"${process.execPath}" "${DEBATE}" ${next} --thread t --body x`]);
    expect(post).toMatchObject({ code: 0, out: 'posted MSG-1 (turn -> gemini)\n' });
  });

  it('keeps a PROTOCOL.md that is the very one without a word', async () => {
    const root = join(scratch(), 'collab');
    await debate([...INIT, root]);
    for (const name of ['debate.json', 'CHANNEL.md', 'signal.json']) rmSync(join(root, name));
    expect(await debate([...INIT, root])).toMatchObject({ code: 0, err: '' });
  });

  it('says, as every command does, that the config of a record is missing: it is to be restored', async () => {
    const root = join(scratch(), 'collab');
    makeChannel(root);
    say(root, { as: 'alpha', thread: 't' });
    rmSync(join(root, 'debate.json'));
    const [status, here, init] = await Promise.all([
      debate(['status', '--root', root, '--json']),
      debate(['status', '--json'], { cwd: join(root, '..') }),
      debate([...INIT, root, '--json']),
    ]);
    for (const ran of [status, here]) {
      expect([ran.code, refusalOf(ran).code]).toEqual([3, 'no-channel']);
      expect(refusalOf(ran).message).toContain('debate.json is missing');
    }
    expect([init.code, refusalOf(init).code]).toEqual([1, 'channel-exists']);
    for (const ran of [status, here, init]) expect(refusalOf(ran).hint).toMatch(/^Restore /);
    // A record of another folder does not hide the channel above it.
    makeChannel(join(root, '..', '.debate'));
    expect((await debate(['status'], { cwd: root })).code).toBe(0);
  });

  it('refuses a project that is no repository, and makes nothing', async () => {
    const folder = scratch();
    const root = join(folder, 'collab');
    for (const project of [join(folder, 'not-there'), folder]) {
      const ran = await debate([...INIT, root, '--project', project, '--json']);
      expect([ran.code, refusalOf(ran).code]).toEqual([3, 'could-not-check']);
      expect(refusalOf(ran).message).toContain(`${project} is no git repository`);
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  it('writes a contract that shows an entry as it stands in the mailbox, and every file of the channel', async () => {
    const root = freshChannel();
    const contract = textOf(root, 'PROTOCOL.md');
    const [, block = ''] = /\n```\n([^`]+)```\n/.exec(contract) ?? [];
    const shape = block.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/<(?!!)[^>]+>/g, '[^|\\n]+');
    say(root, { as: 'alpha', thread: 't', refs: 'parser' });
    expect(textOf(root, 'CHANNEL.md')).toMatch(new RegExp(`^\\n${shape}$`));
    expect(contract).toContain('An entry without it is void');
    expect(textOf(freshChannel({ format: 1 }), 'PROTOCOL.md')).toContain('has none, and counts all the same');
    for (const name of readdirSync(root).filter((each) => !each.startsWith('.')))
      expect(contract).toContain(`\`${name}\``);
    expect(contract).toContain('`archive/`');
  });

  it('refuses names that are none, two alike, and a folder that cannot be made; keeps the lines of a .gitignore', async () => {
    const folder = scratch();
    writeFileSync(join(folder, 'file'), '');
    const [label, upper, alike, impossible] = await Promise.all([
      debate([...INIT, join(folder, 'l'), '--label', 'My Label', '--json']),
      debate(['init', '--root', join(folder, 'a'), '--parties', 'Claude,codex', '--json']),
      debate(['init', '--root', join(folder, 'b'), '--parties', 'claude,claude', '--json']),
      debate(['init', '--root', join(folder, 'file', 'x'), '--parties', 'claude,codex', '--json']),
    ]);
    expect(refusalOf(label).message).toContain('"My Label" is no label');
    expect([label, upper, alike].map((ran) => [ran.code, refusalOf(ran).code])).toEqual([
      [1, 'bad-names'],
      [1, 'bad-names'],
      [1, 'bad-names'],
    ]);
    expect(impossible.code).toBe(3);
    expect(refusalOf(impossible).message).toContain(join(folder, 'file', 'x'));

    const root = join(folder, 'c');
    mkdirSync(root);
    writeFileSync(join(root, '.gitignore'), 'mine');
    await debate([...INIT, root]);
    expect(textOf(root, '.gitignore')).toMatch(/^mine\n\*signal\.json\n/);
  });
});

function namedConfig(root: string): { readonly id: string; readonly config: unknown } {
  const file = readdirSync(root).find((name) => name.endsWith('.debate.json')) ?? '';
  return { id: file.replace('.debate.json', ''), config: JSON.parse(textOf(root, file)) };
}
