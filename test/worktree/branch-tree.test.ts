import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeBranchTree, openBranchTree, type TreeSetup } from '../../src/worktree/branch-tree.js';
import type { ReadyTree } from '../../src/worktree/tree.js';
import { worktreePaths } from '../../src/worktree/worktree-list.js';
import { makeProject, type Project } from './project.js';

let at: Project;
let count = 0;

beforeAll(() => {
  at = makeProject();
});

afterAll(() => at.remove());

const newBranch = () => `debate/main/thread-${++count}`;
const open = (branch: string, cited?: string, setup?: TreeSetup) =>
  openBranchTree({ project: at.project, folder: at.state, branch, cited, ...(setup === undefined ? {} : { setup }) });
const close = (branch: string) => closeBranchTree({ project: at.project, folder: at.state, branch });

async function ready(branch: string, cited?: string, setup?: TreeSetup): Promise<ReadyTree> {
  const tree = await open(branch, cited, setup);
  if (tree.kind !== 'ready') throw new Error(tree.message);
  return tree;
}

describe('the worktree of a thread', () => {
  it('begins a branch at the cited commit, or at the project’s HEAD', async () => {
    const branch = newBranch();
    expect(await ready(branch, at.first)).toMatchObject({
      commit: at.first,
      branch,
      gitCommonDir: join(at.project, '.git'),
    });
    expect(await ready(newBranch())).toMatchObject({ commit: at.second });
  });

  it('is reused by later runs as they left it, though the citation has moved on', async () => {
    const branch = newBranch();
    const tree = await ready(branch, at.first);
    const mine = at.commit('work.txt', 'work', tree.path);
    writeFileSync(join(tree.path, 'half.txt'), 'half done');
    expect(await ready(branch, at.second)).toEqual({ ...tree, commit: mine });
    expect(readFileSync(join(tree.path, 'half.txt'), 'utf8')).toBe('half done');
  });

  it('holds commits that the project has at once, so that they can be cited', async () => {
    const branch = newBranch();
    const tree = await ready(branch, at.first);
    const mine = at.commit('cited.txt', 'cited', tree.path);
    expect(at.git(['rev-parse', branch])).toBe(mine);
  });

  it('continues a branch that exists where it is, and comes back when its folder was removed by hand', async () => {
    const branch = newBranch();
    const tree = await ready(branch, at.first);
    const mine = at.commit('kept.txt', 'kept', tree.path);
    rmSync(tree.path, { recursive: true });
    expect(await ready(branch, at.second)).toEqual({ ...tree, commit: mine });
    at.git(['branch', 'debate/by-hand', at.first]);
    expect(await ready('debate/by-hand', at.second)).toMatchObject({ commit: at.first, branch: 'debate/by-hand' });
  });

  it('of two branches whose names look alike are two', async () => {
    const [one, other] = [await ready('debate/x/y'), await ready('debate/x-y')];
    expect(one.path).not.toBe(other.path);
  });
});

describe('what makes it unusable is told, and nothing is forced', () => {
  it('a branch that is checked out live', async () => {
    expect(await open('main')).toMatchObject({ kind: 'not-usable', message: expect.stringContaining('main') });
    expect(at.git(['rev-parse', 'main'])).toBe(at.second);
  });

  it('a citation that does not resolve, also when the tree exists', async () => {
    const branch = newBranch();
    await ready(branch);
    expect(await open(branch, 'fedcba9876543210')).toMatchObject({ kind: 'no-such-commit' });
    expect(await open(newBranch(), 'fedcba9876543210')).toMatchObject({ kind: 'no-such-commit' });
  });

  it('a name that no branch can have', async () => {
    for (const branch of ['debate/a..b', 'debate/with blank', '-x', '@{-1}', '']) {
      expect(await open(branch)).toMatchObject({ kind: 'not-usable' });
    }
  });

  it('somebody’s folder in its place', async () => {
    const branch = newBranch();
    const { path } = await ready(branch);
    at.git(['worktree', 'remove', path]);
    mkdirSync(path);
    writeFileSync(join(path, 'precious.txt'), 'precious');
    expect(await open(branch)).toMatchObject({ kind: 'not-usable', message: expect.stringContaining(path) });
    expect(existsSync(join(path, 'precious.txt'))).toBe(true);
  });

  it('git that cannot be asked', async () => {
    expect(await openBranchTree({ project: at.folder, folder: at.state, branch: 'x', cited: undefined })).toMatchObject(
      {
        kind: 'could-not-check',
      },
    );
  });
});

describe('the setup of a new tree', () => {
  it('runs once in the tree, and again only after it failed', async () => {
    const branch = newBranch();
    const runs: string[] = [];
    let problem: string | undefined = 'exit 1.';
    const setup: TreeSetup = {
      argv: ['npm', 'ci'],
      run: async (argv, made) => {
        runs.push(`${argv.join(' ')} in ${made.path}`);
        return problem;
      },
    };
    expect(await open(branch, at.first, setup)).toMatchObject({
      kind: 'not-usable',
      message: expect.stringContaining('exit 1.'),
    });
    problem = undefined;
    const tree = await ready(branch, at.first, setup);
    await ready(branch, at.first, setup);
    expect(runs).toEqual([`npm ci in ${tree.path}`, `npm ci in ${tree.path}`]);
  });
});

describe('when the thread closes', () => {
  it('a clean tree goes and its branch stays', async () => {
    const branch = newBranch();
    const tree = await ready(branch, at.first);
    const mine = at.commit('done.txt', 'done', tree.path);
    expect(await close(branch)).toEqual({ kind: 'removed' });
    expect(existsSync(tree.path)).toBe(false);
    expect(at.git(['rev-parse', branch])).toBe(mine);
    expect(await close(branch)).toEqual({ kind: 'absent' });
  });

  it.each<[string, (path: string) => void]>([
    ['changes that are not committed', (path) => writeFileSync(join(path, 'a.txt'), 'changed')],
    ['a file that git does not know', (path) => writeFileSync(join(path, 'new.txt'), 'new')],
    [
      'commits that are on no branch',
      (path) => {
        at.git(['checkout', '--quiet', '--detach'], path);
        at.commit('lost.txt', 'lost', path);
      },
    ],
    ['a bisect that is not finished', (path) => at.git(['bisect', 'start'], path)],
  ])('a tree with %s is kept', async (_what, change) => {
    const branch = newBranch();
    const tree = await ready(branch, at.first);
    change(tree.path);
    expect(await close(branch)).toMatchObject({ kind: 'kept', message: expect.stringContaining(tree.path) });
    expect(existsSync(tree.path)).toBe(true);
  });
});

it('the list of worktrees is read, whatever their paths hold', () => {
  const tree = fc.record({
    path: fc.stringMatching(/^\/[^\n]{0,20}[^\n\s]$/),
    branch: fc.option(fc.stringMatching(/^[a-z]{1,5}(?:\/[a-z]{1,5})?$/), { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(tree), (trees) => {
      const text = trees.map(({ path, branch }) =>
        [
          `worktree ${path}`,
          `HEAD ${'0'.repeat(40)}`,
          branch === undefined ? 'detached' : `branch refs/heads/${branch}`,
          '',
        ].join('\n'),
      );
      expect(worktreePaths(text.join('\n'))).toEqual(trees.map(({ path }) => path));
    }),
  );
});
