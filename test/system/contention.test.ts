import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { debate, jsonOf, type Ran, refusalOf } from '../e2e/run-debate.js';
import { freshChannel, say, textOf } from '../e2e/scratch.js';

const post = (root: string, as: string, body: string): Promise<Ran> =>
  debate(['post', '--root', root, '--as', as, '--type', 'info', '--json', '--body', body]);

function opened(): string {
  const root = freshChannel();
  say(root, { as: 'alpha', thread: 't' });
  return root;
}

/** Makes a path look as if it was last touched a minute ago. */
function old(path: string): void {
  const then = new Date(Date.now() - 60_000);
  utimesSync(path, then, then);
}

describe('R8: many posts of the party on turn at the same instant', () => {
  it('one is accepted, the others are told that it is not their turn, and the numbers have no gap', async () => {
    const root = opened();
    const runs = await Promise.all(Array.from({ length: 20 }, (_, i) => post(root, 'beta', `answer ${i}`)));
    const accepted = runs.filter((ran) => ran.code === 0);
    expect(accepted).toHaveLength(1);
    const refused = runs.filter((ran) => ran.code !== 0);
    expect(refused.map((ran) => [ran.code, refusalOf(ran).code])).toEqual(refused.map(() => [1, 'not-your-turn']));
    const verify = await debate(['verify', '--root', root, '--json']);
    expect(jsonOf(verify)).toMatchObject({ entries: 2, seq: 2, findings: [] });
  });
});

describe('L3 and L4: a lock that was left behind', () => {
  it.each<{ what: string; leave: (root: string) => void }>([
    {
      what: 'by a process that is dead, a moment ago',
      leave: (root) => {
        mkdirSync(join(root, '.lock'));
        const owner = {
          pid: 2 ** 22 - 1,
          started: '1',
          boot: 'another',
          host: hostname(),
          command: 'debate post',
          lock: '',
        };
        writeFileSync(join(root, '.lock.owner'), JSON.stringify(owner));
        old(join(root, '.lock'));
      },
    },
    {
      what: 'empty, long ago',
      leave: (root) => {
        mkdirSync(join(root, '.lock'));
        old(join(root, '.lock'));
      },
    },
    {
      what: 'long ago, with a note that is no note',
      leave: (root) => {
        mkdirSync(join(root, '.lock'));
        writeFileSync(join(root, '.lock.owner'), '{"pid":');
        old(join(root, '.lock'));
      },
    },
    { what: 'as a note alone', leave: (root) => writeFileSync(join(root, '.lock.owner'), '{}') },
  ])('$what: it is taken over, by one of two contenders at a time', async ({ leave }) => {
    const root = opened();
    leave(root);
    const runs = await Promise.all([post(root, 'beta', 'one'), post(root, 'beta', 'two')]);
    expect(runs.map((ran) => ran.code).sort()).toEqual([0, 1]);
    expect(jsonOf(await debate(['verify', '--root', root, '--json']))).toMatchObject({ entries: 2, findings: [] });
  });

  it('that cannot be taken over is a clear refusal with what to do: a file, a link to nowhere, a folder with something in it', async () => {
    const [file, fresh, link, full] = [opened(), opened(), opened(), opened()];
    for (const root of [file, fresh]) writeFileSync(join(root, '.lock'), '4711');
    old(join(file, '.lock'));
    symlinkSync(join(link, 'nowhere'), join(link, '.lock'));
    mkdirSync(join(full, '.lock'));
    writeFileSync(join(full, '.lock', 'something'), '');
    old(join(full, '.lock'));
    const roots = [file, fresh, link, full];
    const runs = await Promise.all(roots.map((root) => post(root, 'beta', 'x')));
    for (const ran of runs) {
      expect(ran.code).toBe(3);
      expect(refusalOf(ran).code).toMatch(/^(locked|not-written)$/);
      expect(refusalOf(ran).hint).not.toBe('');
    }
    for (const root of roots) expect(textOf(root, 'CHANNEL.md')).not.toContain('MSG-2');
    // The remedy that is named works: a file of the published tool is removed by repair.
    expect(refusalOf(runs[0] as Ran).hint).toContain('debate repair');
    expect((await debate(['repair', '--root', file])).code).toBe(0);
    expect((await post(file, 'beta', 'x')).code).toBe(0);
    rmSync(join(full, '.lock'), { recursive: true });
  });
});
