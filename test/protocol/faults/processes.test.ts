import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { nodeDisk } from '../../../src/protocol/node-disk.js';
import { roughHistory } from './history.js';
import { debate, LIBRARY, MAIN, postArguments, realChannel, removeChannel, started } from './processes.js';
import { isRung, violations } from './scene.js';

/** Six seconds on an idle machine; on a busy one each of many processes waits for its turn. */
const PATIENCE = { timeout: 120_000 };

const made: { readonly folder: string }[] = [];
const channelOf = () => {
  const scene = realChannel();
  made.push(scene);
  return scene;
};
afterEach(() => {
  for (const each of made.splice(0)) removeChannel(each);
});

describe('real processes', () => {
  it(
    'eight that post at once, some of them killed: every acknowledged post once, in order (field case L1)',
    PATIENCE,
    async () => {
      const { channel } = channelOf();
      const rough = { processes: 8, posts: 2, kill: 0.3, stop: 0, still: 0, seed: 20_261_130 };
      expect(await roughHistory(channel, 2, rough)).toEqual([]);
    },
  );

  it('sixteen that contend make progress, with no refusal other than the rules (DESIGN.md 6)', PATIENCE, async () => {
    const { channel } = channelOf();
    const posts = Array.from(
      { length: 16 },
      (_, i) => started(postArguments(channel, 'claude', `k${i}`, `say ${i}`)).ended,
    );
    const endings = await Promise.all(posts);
    const codes = endings.map(({ code, err }) => (code === 0 ? 'posted' : /\[([a-z-]+)\]/.exec(err)?.[1]));
    expect(codes.toSorted()).toEqual([...Array(15).fill('not-your-turn'), 'posted']);
  });

  it('a file that may grow no further takes a part of the entry: void, and posted when there is room (field case R6)', () => {
    const { channel, keys } = channelOf();
    const big = join(made[0]?.folder ?? '', 'body.txt');
    writeFileSync(big, 'A long argument. '.repeat(1000));
    const args = [
      'post',
      '--root',
      channel.paths.root,
      '--as',
      'claude',
      '--type',
      'info',
      '--body-file',
      big,
      '--key',
      'big',
    ];
    const quoted = [process.execPath, MAIN, ...args].map((each) => `'${each}'`).join(' ');
    const limited = spawnSync('bash', ['-c', `trap '' XFSZ; ulimit -f 8; exec ${quoted}`], { encoding: 'utf8' });
    expect(limited.status).toBe(3);
    expect(limited.stderr).toMatch(/Only \d+ of \d+ bytes of MSG-3 could be written/);
    expect(limited.stderr).not.toMatch(/^\s+at /m);
    expect(violations(nodeDisk, channel, keys)).toEqual([]);
    expect(debate(args)).toMatchObject({ code: 0, out: expect.stringContaining('posted MSG-3') });
    expect(violations(nodeDisk, channel, [...keys, 'big'])).toEqual([]);
    expect(isRung(nodeDisk, channel)).toBe(true);
    expect(readFileSync(channel.paths.mailbox, 'utf8')).toContain('<!-- torn -->');
  });

  it.each([
    ['a folder that may not be written', (root: string) => chmodSync(root, 0o555), 'not-written'],
    ['a mailbox that may not be written', (root: string) => chmodSync(join(root, 'CHANNEL.md'), 0o444), 'unreadable'],
    ['a folder that may not be entered', (root: string) => chmodSync(root, 0o666), 'unreadable'],
  ])('%s: exit 3 with the reason, and nothing changed (field case L7)', (_name, forbid, code) => {
    const { folder, channel, keys } = channelOf();
    const { root, mailbox } = channel.paths;
    const before = readFileSync(mailbox, 'utf8');
    chmodSync(folder, 0o755);
    chmodSync(root, 0o777);
    for (const path of [mailbox, channel.paths.doorbell, channel.paths.config]) chmodSync(path, 0o666);
    forbid(root);
    // Root may do everything, so the post is made as nobody; the library is loaded before.
    const script = `
      const { openChannel, submit, nodeDisk, nodeHashes, fileLock, thisMachine } = await import(${JSON.stringify(pathToFileURL(LIBRARY).href)});
      if (process.getuid() === 0) { process.setgid(65534); process.setuid(65534); }
      const draft = { sender: 'claude', type: 'info', thread: undefined, refs: '', body: 'x', decision: undefined,
        ask: false, force: false, turn: undefined, cap: undefined, accept: false, checks: [],
        ifSeq: undefined, key: 'mine', woken: undefined, verifyRefs: undefined };
      try {
        const world = { disk: nodeDisk, lock: fileLock(thisMachine), machine: thisMachine, hashes: nodeHashes };
        await submit(world, openChannel(nodeDisk, ${JSON.stringify(root)}, ''), draft);
        console.log('posted');
      } catch (error) { console.log(error.code, error.exit, error.message); }`;
    const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect(run.stdout).toMatch(new RegExp(`^${code} 3 .*EACCES`));
    chmodSync(root, 0o755);
    expect(readFileSync(mailbox, 'utf8')).toBe(before);
    expect(violations(nodeDisk, channel, keys)).toEqual([]);
  });
});
