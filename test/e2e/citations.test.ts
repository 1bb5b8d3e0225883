import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { debate, jsonOf, refusalOf } from './run-debate.js';
import { git, makeChannel, scratch, textOf } from './scratch.js';

/** A repository with one commit, a channel inside it, and another repository with another commit. */
let root = '';
let commit = '';
let other = '';
let foreign = '';

beforeAll(() => {
  const repository = join(scratch(), 'repository');
  root = join(repository, 'collab');
  commit = commitIn(repository, 'one');
  other = join(scratch(), 'other');
  foreign = commitIn(other, 'two');
  makeChannel(root);
});

function commitIn(repository: string, text: string): string {
  git(repository, 'init', '-q');
  writeFileSync(join(repository, 'file.txt'), text);
  git(repository, 'add', '-A');
  git(repository, 'commit', '-qm', text);
  return git(repository, 'rev-parse', 'HEAD');
}

function cite(refs: string, args: readonly string[] = ['--as', 'alpha'], env: Record<string, string> = {}) {
  const post = [
    'post',
    ...(args.includes('--root') ? [] : ['--root', root]),
    '--type',
    'info',
    '--thread',
    't',
    '--body',
    'x',
    '--json',
    '--refs',
    refs,
  ];
  return debate([...post, ...args], { env });
}

describe('a citation must be a commit of the channel’s project (DESIGN.md 5)', () => {
  it('refused where it is none, posted where it is, long or short; a branch or a tree is not asked for', async () => {
    const tree = git(join(root, '..'), 'rev-parse', 'HEAD^{tree}');
    const missing = await Promise.all([
      cite(`x@${foreign}`),
      cite(`x@${commit.slice(0, 9)} y@0000000`),
      cite(`x@${tree}`),
    ]);
    for (const ran of missing) expect([ran.code, refusalOf(ran).code]).toEqual([1, 'no-such-commit']);
    expect(refusalOf(await cite(`x@${foreign}`)).message).toContain(`x@${foreign}`);
    expect(textOf(root, 'CHANNEL.md')).toBe('');
    const posted = await cite(`parser@${commit.slice(0, 7)}, see README`);
    expect(jsonOf(posted)).toMatchObject({ seq: 1, notices: [] });
  });

  it('may be forced by the supervisor, as an ordinary entry', async () => {
    const forced = await cite(`x@${foreign}`, ['--as', 'owner', '--force']);
    expect(forced.code).toBe(0);
    expect(textOf(root, 'CHANNEL.md')).not.toContain('Debate-Forced');
    expect((await cite(`x@${foreign}`, ['--as', 'beta', '--force'])).code).toBe(1);
  });

  it('is looked up in another repository with --verify-refs', async () => {
    const [there, nowhere] = await Promise.all([
      cite(`x@${foreign}`, ['--as', 'owner', '--verify-refs', other]),
      cite(`x@${foreign}`, ['--as', 'owner', '--verify-refs', join(other, 'not-there')]),
    ]);
    expect(there.code).toBe(0);
    expect([nowhere.code, refusalOf(nowhere).code]).toEqual([3, 'could-not-check']);
  });

  it('is never called missing when git could not be asked: dubious ownership, no git, a project that is elsewhere (decisions.md 24)', async () => {
    const config = JSON.parse(textOf(root, 'debate.json')) as Record<string, unknown>;
    const [dubious, without] = await Promise.all([
      cite(`x@${foreign}`, undefined, { GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' }),
      cite(`x@${foreign}`, undefined, { PATH: join(root, 'no-programs') }),
    ]);
    expect([dubious.code, refusalOf(dubious).code]).toEqual([3, 'could-not-check']);
    expect(refusalOf(dubious).message).toContain('dubious ownership');
    expect([without.code, refusalOf(without).code]).toEqual([3, 'could-not-check']);

    writeFileSync(join(root, 'debate.json'), JSON.stringify({ ...config, project: '/somewhere/else' }));
    const elsewhere = await cite(`x@${commit}`, ['--as', 'owner']);
    const named = await cite(`x@${commit}`, ['--as', 'owner', '--verify-refs', join(root, '..')]);
    writeFileSync(join(root, 'debate.json'), JSON.stringify(config));
    expect([elsewhere.code, refusalOf(elsewhere).code]).toEqual([3, 'could-not-check']);
    expect(refusalOf(elsewhere).hint).toContain('--verify-refs');
    expect(named.code).toBe(0);
  });

  it.each([
    ['a config that git cannot read', 'config', '[broken\n'],
    ['a HEAD that a full disk left empty', 'HEAD', ''],
  ])('is not admitted unchecked where the repository is broken: %s', async (_, file, text) => {
    const repository = join(scratch(), `broken-${file}`);
    const inside = join(repository, '.debate');
    commitIn(repository, 'three');
    makeChannel(inside);
    writeFileSync(join(repository, '.git', file), text);
    const ran = await cite('x@0000000', ['--as', 'alpha', '--root', inside]);
    expect([ran.code, refusalOf(ran).code]).toEqual([3, 'could-not-check']);
    expect(textOf(inside, 'CHANNEL.md')).toBe('');
  });

  it('is no branch that is called like a hash', async () => {
    const repository = join(scratch(), 'branches');
    const inside = join(repository, '.debate');
    commitIn(repository, 'four');
    makeChannel(inside);
    git(repository, 'branch', 'deadbee');
    const ran = await cite('p@deadbee', ['--as', 'alpha', '--root', inside]);
    expect([ran.code, refusalOf(ran).code]).toEqual([1, 'no-such-commit']);
    expect(textOf(inside, 'CHANNEL.md')).toBe('');
  });

  it('is looked up in no other repository because a hook’s environment says so', async () => {
    const misled = { GIT_OBJECT_DIRECTORY: join(other, '.git', 'objects'), GIT_COMMON_DIR: join(other, '.git') };
    const ran = await cite(`x@${foreign}`, ['--as', 'owner'], misled);
    expect([ran.code, refusalOf(ran).code]).toEqual([1, 'no-such-commit']);
  });

  it('is looked up in a repository whose files lie in worktrees beside it', async () => {
    const repository = join(scratch(), 'bare');
    git(scratch(), 'clone', '-q', '--bare', other, join(repository, '.bare'));
    writeFileSync(join(repository, '.git'), 'gitdir: ./.bare\n');
    const inside = join(repository, '.debate');
    makeChannel(inside);
    expect((await cite('x@0000000', ['--as', 'alpha', '--root', inside])).code).toBe(1);
    expect((await cite(`x@${foreign}`, ['--as', 'alpha', '--root', inside])).code).toBe(0);
  });

  it('is only a word outside a repository, and six digits are no citation: posted, with a notice', async () => {
    const alone = join(scratch(), 'alone');
    makeChannel(alone);
    const args = ['post', '--root', alone, '--as', 'alpha', '--type', 'info', '--thread', 't', '--body', 'x', '--json'];
    const ran = await debate([...args, '--refs', 'a@abc123 b@0123456'], { env: { GIT_CEILING_DIRECTORIES: alone } });
    expect(jsonOf(ran)).toMatchObject({ seq: 1, notices: [expect.stringContaining('a@abc123 is no citation')] });
  });
});
