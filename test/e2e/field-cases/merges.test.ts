import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { debate, jsonOf, refusalOf } from '../run-debate.js';
import { freshChannel, git, makeChannel, say, scratch, textOf } from '../scratch.js';

/** A repository whose channel grew on two branches, by one post each of `posts`, up to `git merge`. */
function diverged(posts: number, attributes: string): { readonly root: string; readonly merge: () => void } {
  const root = join(scratch(), 'collab');
  makeChannel(root);
  writeFileSync(join(root, '.gitattributes'), attributes);
  for (let i = 0; i < 4; i++) say(root, { as: i % 2 === 0 ? 'alpha' : 'beta', thread: 't', body: `common ${i}` });
  git(root, 'init', '-q');
  git(root, 'add', '-A');
  git(root, 'commit', '-qm', 'common');
  git(root, 'checkout', '-qb', 'theirs');
  grow(root, 'theirs', posts);
  git(root, 'checkout', '-q', 'main');
  // The doorbell is not git's: it is still ahead when the branch is switched, and a fresh one for this side.
  writeFileSync(join(root, 'signal.json'), '');
  // In another second, so that no header of one side is a line of the other's, which a union merge would share.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1100);
  grow(root, 'ours', posts);
  return {
    root,
    merge: () => {
      try {
        git(root, 'merge', '-q', 'theirs');
      } catch {
        // A conflict makes git say so with its exit code; what it leaves in the file is what is tested.
      }
    },
  };
}

function grow(root: string, side: string, posts: number): void {
  for (let i = 0; i < posts; i++) say(root, { as: i % 2 === 0 ? 'alpha' : 'beta', body: `${side} ${i}` });
  git(root, 'commit', '-qam', side);
}

const on = (root: string, command: string, ...args: readonly string[]) =>
  debate([command, '--root', root, '--json', ...args]);
const post = (root: string, as: string, ...args: readonly string[]) =>
  on(root, 'post', '--as', as, '--type', 'info', '--body', 'next', ...args);

describe('R5: what a merge leaves', () => {
  it('conflict markers stop parties and are named, until a person resolved the merge', async () => {
    const { root, merge } = diverged(1, '*.md -text\n');
    merge();
    const conflicted = textOf(root, 'CHANNEL.md');
    expect(conflicted).toMatch(/^<{7} /m);
    const [status, party, verify] = await Promise.all([on(root, 'status'), post(root, 'beta'), on(root, 'verify')]);
    expect(status.code).toBe(4);
    // Three lines of one merge are one thing to look at.
    const stop = 'The mailbox holds the conflict markers of a merge.';
    expect(status.err).toBe(`stopped: ${stop}\n`);
    expect(jsonOf(status)).toMatchObject({ stops: [stop] });
    expect((await on(root, 'read')).err).toBe(`stopped: ${stop}\n`);
    expect([party.code, refusalOf(party).code]).toEqual([4, 'record-stopped']);
    expect(refusalOf(party).message).toContain('conflict markers');
    expect(verify.code).toBe(4);
    expect(jsonOf<{ findings: { rule: string }[] }>(verify).findings.map(({ rule }) => rule)).toContain('conflict');

    git(root, 'checkout', '--ours', 'CHANNEL.md');
    const resolved = await on(root, 'verify');
    expect([resolved.code, jsonOf(resolved).entries]).toEqual([0, 5]);
    expect(jsonOf(await post(root, 'beta'))).toMatchObject({ seq: 6, turn: 'alpha' });
  });

  it('a union merge of one entry each leaves a second claim to a number: void, named, and nobody stops', async () => {
    const { root, merge } = diverged(1, '*.md merge=union\n');
    merge();
    const verify = await on(root, 'verify');
    expect(verify.code).toBe(0);
    const { findings } = jsonOf<{ findings: { seq: number; level: string }[] }>(verify);
    expect(findings.length).toBeGreaterThan(0);
    expect(findings.every(({ level }) => level === 'info')).toBe(true);
    expect(jsonOf(await post(root, 'beta'))).toMatchObject({ seq: 6 });
  });

  it('a union merge of two whole sides is a fork: stop, until the supervisor accepts one', async () => {
    const { root, merge } = diverged(2, '*.md merge=union\n');
    merge();
    const [verify, party] = await Promise.all([on(root, 'verify'), post(root, 'alpha')]);
    expect(verify.code).toBe(4);
    expect(jsonOf<{ findings: { rule: string }[] }>(verify).findings.map(({ rule }) => rule)).toContain('fork');
    expect([party.code, refusalOf(party).code]).toEqual([4, 'record-stopped']);
    const accepted = await on(
      root,
      'post',
      '--as',
      'owner',
      '--type',
      'info',
      '--thread',
      't',
      '--accept',
      '--turn',
      'alpha',
      '--body',
      'As it counts.',
    );
    expect(jsonOf(accepted)).toMatchObject({ seq: 7, turn: 'alpha' });
    expect((await post(root, 'alpha')).code).toBe(0);
  });

  it('the same text quoted in a body is just text', async () => {
    const root = freshChannel();
    const body = 'The merge left:\n\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> topic\n\nResolve it.';
    expect((await on(root, 'post', '--as', 'alpha', '--type', 'question', '--thread', 't', '--body', body)).code).toBe(
      0,
    );
    const [verify, read] = await Promise.all([on(root, 'verify'), on(root, 'read')]);
    expect(jsonOf(verify)).toMatchObject({ defects: 0, findings: [] });
    expect(jsonOf(read)).toMatchObject({ notices: [], entries: [{ body }] });
  });
});
