import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDetachedTree, removeDetachedTree } from '../../src/worktree/detached-tree.js';
import { makeProject, type Project } from './project.js';

let at: Project;
let count = 0;

beforeAll(() => {
  at = makeProject();
});

afterAll(() => at.remove());

function make(cited: string | undefined, name = `glm-${++count}-1`, folder = at.state) {
  return makeDetachedTree({ project: at.project, folder, name, cited, keep: 2 });
}

describe('a detached worktree', () => {
  it('is at the commit that was cited, away from the live checkout, and says where git keeps its things', async () => {
    const tree = await make(at.first.slice(0, 7), 'glm-14-1');
    const path = join(at.state, 'glm-14-1');
    expect(tree).toEqual({
      kind: 'ready',
      path,
      gitDir: join(at.project, '.git', 'worktrees', 'glm-14-1'),
      gitCommonDir: join(at.project, '.git'),
      commit: at.first,
      branch: undefined,
    });
    expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe('one\n');
    expect(readFileSync(join(at.project, 'a.txt'), 'utf8')).toBe('two\n');
  });

  it('is at the project’s HEAD when nothing was cited', async () => {
    expect(await make(undefined)).toMatchObject({ kind: 'ready', commit: at.second });
  });

  it('goes with all that was changed in it, and only it: the project and its other trees stay', async () => {
    const other = await make(at.first);
    const tree = await make(at.first);
    if (tree.kind !== 'ready' || other.kind !== 'ready') throw new Error('no tree');
    writeFileSync(join(tree.path, 'a.txt'), 'changed');
    writeFileSync(join(tree.path, 'new.txt'), 'new');
    at.git(['worktree', 'lock', tree.path]);
    expect(await removeDetachedTree(at.project, tree.path)).toBe('removed');
    expect(existsSync(tree.path)).toBe(false);
    const listed = at.git(['worktree', 'list']);
    expect(listed).not.toContain(tree.path);
    expect(listed).toContain(other.path);
    expect(at.git(['status', '--porcelain'])).toBe('');
  });

  it('goes also when half of it is gone already, or it never was a tree', async () => {
    const noFolder = await make(at.first);
    if (noFolder.kind !== 'ready') throw new Error('no tree');
    rmSync(noFolder.path, { recursive: true });
    expect(await removeDetachedTree(at.project, noFolder.path)).toBe('removed');
    expect(at.git(['worktree', 'list'])).not.toContain(noFolder.path);
    const noGit = join(at.state, 'stray');
    mkdirSync(noGit);
    expect(await removeDetachedTree(at.project, noGit)).toBe('removed');
  });

  it('is made afresh when an attempt of that name was broken off', async () => {
    const broken = await make(at.first, 'glm-99-1');
    if (broken.kind !== 'ready') throw new Error('no tree');
    writeFileSync(join(broken.path, 'left.txt'), 'left');
    const again = await make(at.second, 'glm-99-1');
    expect(again).toMatchObject({ kind: 'ready', commit: at.second });
    expect(existsSync(join(broken.path, 'left.txt'))).toBe(false);
  });

  it('of a failed run is kept for a look, and only so many of them', async () => {
    const folder = join(at.folder, 'bounded');
    for (const seq of [1, 2, 3, 4, 5]) {
      await make(at.first, `glm-${seq}-1`, folder);
      utimesSync(join(folder, `glm-${seq}-1`), 1000 + seq, 1000 + seq);
    }
    expect(readdirSync(folder).sort()).toEqual(['glm-3-1', 'glm-4-1', 'glm-5-1']);
  });

  it('runs no hook of the project', async () => {
    const hook = join(at.project, '.git', 'hooks', 'post-checkout');
    mkdirSync(join(at.project, '.git', 'hooks'), { recursive: true });
    writeFileSync(hook, `#!/bin/sh\ntouch '${at.folder}/hooked'\n`);
    chmodSync(hook, 0o755);
    await make(at.first);
    rmSync(hook);
    expect(existsSync(join(at.folder, 'hooked'))).toBe(false);
  });
});

describe('what is cited and cannot be had is a value, for the supervisor', () => {
  it('a commit that the project does not have', async () => {
    expect(await make('0123456789abcdef')).toMatchObject({
      kind: 'no-such-commit',
      message: expect.stringContaining('0123456789abcdef'),
    });
    expect(await make('not hex')).toMatchObject({ kind: 'no-such-commit' });
  });

  it('a branch that is called like a hash is not taken for the commit', async () => {
    at.git(['branch', 'abcdef1', at.first]);
    expect(await make('abcdef1')).toMatchObject({ kind: 'no-such-commit' });
  });

  it('a project without any commit', async () => {
    const empty = join(at.folder, 'empty');
    at.git(['init', '--quiet', empty]);
    expect(
      await makeDetachedTree({ project: empty, folder: at.state, name: 'x', cited: undefined, keep: 1 }),
    ).toMatchObject({
      kind: 'no-such-commit',
    });
  });
});

describe('git that cannot be asked is never “no such commit” (decision 24)', () => {
  it.each([
    ['the folder is no repository', () => ({ project: at.folder }), 'not a git repository'],
    ['the folder does not exist', () => ({ project: join(at.folder, 'absent') }), 'absent'],
    ['the folder is somebody else’s', () => ({ GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' }), 'safe.directory'],
    ['git is not installed', () => ({ PATH: join(at.folder, 'absent') }), 'git'],
  ])('because %s', async (_why, change, said) => {
    const { project = at.project, ...env } = change() as Record<string, string>;
    const before = { ...process.env };
    Object.assign(process.env, env);
    try {
      expect(await makeDetachedTree({ project, folder: at.state, name: 'x', cited: at.first, keep: 1 })).toMatchObject({
        kind: 'could-not-check',
        message: expect.stringContaining(said),
      });
    } finally {
      for (const name of Object.keys(env)) {
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      }
    }
  });

  it('and variables that git sets while it runs a hook lead nowhere else', async () => {
    process.env.GIT_DIR = join(at.folder, 'absent');
    try {
      expect(await make(at.first)).toMatchObject({ kind: 'ready' });
    } finally {
      delete process.env.GIT_DIR;
    }
  });
});
