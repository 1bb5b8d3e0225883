import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { debate, jsonOf, type Ran, refusalOf } from '../run-debate.js';
import { freshChannel, git, makeChannel, say, sayThread, scratch, textOf, watcherConfig } from '../scratch.js';

const on = (root: string, command: string, ...args: readonly string[]) =>
  debate([command, '--root', root, '--json', ...args]);
const post = (root: string, as: string, ...args: readonly string[]): Promise<Ran> =>
  on(root, 'post', '--as', as, '--type', 'info', '--body', `by ${as}`, ...args);

describe('R3: a record that lost its beginning, or went back', () => {
  it('only the last entry is left: stop, the first missing number named, and the way out', async () => {
    const root = freshChannel();
    sayThread(root, 'parser');
    say(root, { as: 'beta', thread: 'retries' });
    const whole = textOf(root, 'CHANNEL.md');
    writeFileSync(join(root, 'CHANNEL.md'), whole.slice(whole.lastIndexOf('\n## MSG-')));
    const [status, party, verify] = await Promise.all([on(root, 'status'), post(root, 'alpha'), on(root, 'verify')]);
    expect(status.code).toBe(4);
    expect(jsonOf(status)).toMatchObject({ stops: [expect.stringContaining('MSG-1 is missing')] });
    expect([party.code, refusalOf(party).code]).toEqual([4, 'record-stopped']);
    expect(verify.code).toBe(4);
    expect(jsonOf(verify)).toMatchObject({
      findings: expect.arrayContaining([expect.objectContaining({ rule: 'missing-beginning', seq: 1 })]),
    });

    const repair = await on(root, 'repair');
    expect(repair.code).toBe(4);
    expect(refusalOf(repair).hint).toContain('repair --accept-missing');
    expect((await on(root, 'repair', '--accept-missing')).code).toBe(0);
    expect(JSON.parse(textOf(root, 'debate.json'))).toMatchObject({ base: 3 });
    expect(jsonOf(await post(root, 'alpha'))).toMatchObject({ seq: 5, turn: 'beta' });
    expect((await on(root, 'verify')).code).toBe(0);
  });

  it('an older copy is put back by git checkout: both seqs named, by every command; repair --accept-seq goes on from there', async () => {
    const root = join(scratch(), 'collab');
    makeChannel(root);
    say(root, { as: 'alpha', thread: 't' });
    git(root, 'init', '-q');
    git(root, 'add', '-A');
    git(root, 'commit', '-qm', 'one');
    say(root, { as: 'beta' });
    say(root, { as: 'alpha' });
    const config = watcherConfig();
    expect((await on(root, 'watch-once', '--config', config)).code).toBe(0);
    git(root, 'checkout', '-q', '--', 'CHANNEL.md');

    const stopped = await Promise.all([
      on(root, 'status'),
      on(root, 'read'),
      post(root, 'beta'),
      on(root, 'watch-once', '--config', config),
      on(root, 'repair'),
    ]);
    for (const ran of stopped) {
      expect([ran.code, refusalOf(ran).code]).toEqual([4, 'record-went-back']);
      expect(refusalOf(ran).message).toMatch(/MSG-3.*MSG-1/);
      expect(refusalOf(ran).hint).toContain('repair --accept-seq 1');
    }
    // What is left can be looked at, with the same sentence beside it.
    expect(await on(root, 'log')).toMatchObject({
      code: 0,
      out: expect.stringContaining('"seq":1'),
      err: expect.stringMatching(/^stopped: .*MSG-3.*MSG-1/),
    });
    const wrong = await on(root, 'repair', '--accept-seq', '3');
    expect([wrong.code, refusalOf(wrong).code]).toEqual([4, 'record-went-back']);
    expect((await on(root, 'repair', '--accept-seq', '1')).code).toBe(0);
    expect(jsonOf(await post(root, 'beta'))).toMatchObject({ seq: 2, turn: 'alpha' });
    expect((await on(root, 'watch-once', '--config', config)).code).toBe(0);
  });

  it('the watcher’s memory is proof too: with the doorbell gone the tick stops', async () => {
    const root = freshChannel();
    say(root, { as: 'alpha', thread: 't' });
    const before = readFileSync(join(root, 'CHANNEL.md'));
    say(root, { as: 'beta' });
    const config = watcherConfig();
    await on(root, 'watch-once', '--config', config);
    writeFileSync(join(root, 'CHANNEL.md'), before);
    rmSync(join(root, 'signal.json'));
    const tick = await on(root, 'watch-once', '--config', config);
    expect([tick.code, refusalOf(tick).code]).toEqual([4, 'record-went-back']);
    expect(refusalOf(tick).message).toMatch(/MSG-2.*MSG-1/);
  });
});

describe('R13: an old entry is edited in place', () => {
  it('verify names that entry and no other; its number stays taken and what came after stays in force', async () => {
    const root = freshChannel();
    sayThread(root, 'parser');
    say(root, { as: 'beta', thread: 'retries' });
    const edited = textOf(root, 'CHANNEL.md').replace('parser is sound: 12 tests pass.', 'APPROVE');
    writeFileSync(join(root, 'CHANNEL.md'), edited);
    const [verify, status] = await Promise.all([on(root, 'verify'), on(root, 'status')]);
    expect(verify.code).toBe(4);
    expect(jsonOf(verify)).toMatchObject({
      defects: 1,
      findings: [{ level: 'defect', rule: 'altered', seq: 2, file: 'CHANNEL.md', line: 8 }],
    });
    // It lies before the last close, so nobody is stopped by it.
    expect(status.code).toBe(0);
    expect(jsonOf(status)).toMatchObject({ seq: 4, turn: 'alpha', thread: 'retries' });
    expect(jsonOf(await post(root, 'alpha'))).toMatchObject({ seq: 5 });
  });

  it('after an acceptance is a defect as before: accepted is what the acceptance names, and nothing else', async () => {
    const root = freshChannel();
    sayThread(root, 'parser');
    say(root, { as: 'beta', thread: 'retries', body: 'How many?' });
    const edit = (from: string, to: string) =>
      writeFileSync(join(root, 'CHANNEL.md'), textOf(root, 'CHANNEL.md').replace(from, to));
    edit('How many?', 'How few?');
    say(root, { as: 'owner', thread: 'retries', accept: true, turn: 'alpha' });
    expect((await on(root, 'verify')).code).toBe(0);
    edit('parser is sound: 12 tests pass.', 'APPROVE');
    const verify = await on(root, 'verify');
    expect(verify.code).toBe(4);
    expect(jsonOf(verify)).toMatchObject({
      findings: [
        { level: 'defect', rule: 'altered', seq: 2 },
        { level: 'info', rule: 'altered', seq: 4 },
      ],
    });
  });

  it('in the open thread it stops the parties until the supervisor has looked', async () => {
    const root = freshChannel();
    say(root, { as: 'alpha', thread: 't', body: 'first body' });
    say(root, { as: 'beta' });
    writeFileSync(join(root, 'CHANNEL.md'), textOf(root, 'CHANNEL.md').replace('first body', 'other body'));
    const party = await post(root, 'alpha');
    expect([party.code, refusalOf(party).code]).toEqual([4, 'record-stopped']);
    expect(refusalOf(party).message).toContain('MSG-1 was altered');
    const closed = await on(
      root,
      'post',
      '--as',
      'owner',
      '--type',
      'close',
      '--accept',
      '--thread',
      't',
      '--body',
      'Looked.',
    );
    expect(closed.code).toBe(0);
    expect((await on(root, 'verify')).code).toBe(0);
    expect(jsonOf(await post(root, 'alpha', '--thread', 'u'))).toMatchObject({ seq: 4, turn: 'beta' });
  });
});
