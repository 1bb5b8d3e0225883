import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  fileLock,
  initChannel,
  nodeDisk,
  nodeHashes,
  openChannel,
  type PostResult,
  readStanding,
  type Submission,
  submit,
  thisMachine,
} from '../src/protocol/index.js';
import { verify } from '../src/protocol/verify.js';
import { loadWatcherConfig } from '../src/watcher/config/load.js';
import { tick } from '../src/watcher/tick/tick.js';

/**
 * The night of docs/case-study.md, hour by hour, through the real tool: real git, real processes, a real watcher, and the
 * clock of that night. Each step says what a rule did.
 */
describe('the night the fallback fired', () => {
  let folder: string;
  let project: string;
  let root: string;
  let now = new Date();
  let says: Record<string, object> = {};
  const shown: string[] = [];

  const git = (...args: string[]) => execFileSync('git', ['-C', project, ...args], { encoding: 'utf8' }).trim();
  const at = (clock: string) => {
    now = new Date(`2026-07-06T${clock}Z`);
  };
  const machine = { ...thisMachine, now: () => now };
  const world = () => ({ disk: nodeDisk, lock: fileLock(machine), machine, hashes: nodeHashes });
  const channel = () => openChannel(nodeDisk, root, '');
  const state = () => readStanding(nodeDisk, channel()).state;
  const wakes = () =>
    readFileSync(join(folder, 'trace'), 'utf8')
      .trim()
      .split('\n')
      .filter((line) => line !== '');
  const head = () => git('rev-parse', '--short=10', 'HEAD');

  const speak = (sender: string, entry: Partial<Submission> & { type: string; body: string }): Promise<PostResult> =>
    submit(world(), channel(), {
      sender,
      ...entry,
    });

  const watch = () => {
    const loaded = loadWatcherConfig(join(folder, 'watcher.json'), {
      environment: process.env,
      home: folder,
      locate: () => ({ root, name: 'night' }),
    });
    if (!loaded.ok) throw new Error(loaded.problems.join('\n'));
    const environment = {
      ...process.env,
      NIGHT_NOW: now.toISOString(),
      NIGHT_SAYS: JSON.stringify(says),
      NIGHT_TRACE: join(folder, 'trace'),
    };
    return tick(channel(), loaded.config, { world: world(), environment, writeOut: (text) => shown.push(text) });
  };

  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'debate-night-')));
    project = join(folder, 'project');
    root = join(folder, 'channel');
    writeFileSync(join(folder, 'trace'), '');
    execFileSync('git', ['init', '--quiet', '--initial-branch=main', project]);
    for (const [key, value] of [
      ['user.name', 'night'],
      ['user.email', 'night@example.invalid'],
      ['commit.gpgsign', 'false'],
    ])
      git('config', key ?? '', value ?? '');
    const commit = (name: string) => {
      writeFileSync(join(project, name), `${name}\n`);
      git('add', '.');
      git('commit', '--quiet', '-m', name);
    };
    commit('start');
    git('checkout', '--quiet', '-b', 'first-branch');
    commit('first change');
    git('checkout', '--quiet', '-b', 'metrics-fix', 'main');
    commit('metrics change');
    at('01:40:00');
    initChannel(nodeDisk, machine, {
      root,
      parties: ['builder', 'reviewer'],
      supervisor: 'owner',
      threadCap: undefined,
      format: 2,
      label: undefined,
      project,
    });
    const session = [process.execPath, new URL('./fixtures/night/session.mjs', import.meta.url).pathname];
    writeFileSync(
      join(folder, 'watcher.json'),
      JSON.stringify({
        state_path: join(folder, 'state', 'watcher.json'),
        parties: {
          reviewer: { command: session, stdin: 'none', worktree: 'detached' },
          builder: { command: session, stdin: 'none', worktree: 'detached', debounce_seconds: 600 },
        },
      }),
    );
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('01:44 the builder asks for a review and cites its commit; a commit that does not exist would be refused', async () => {
    at('01:44:00');
    const asked = { type: 'review-request', thread: 'metrics-fix', body: 'Two commits on metrics-fix. Please review.' };
    await expect(speak('builder', { ...asked, refs: 'metrics-fix@0123456789' })).rejects.toMatchObject({
      code: 'no-such-commit',
    });
    expect(state().seq).toBe(0);
    expect(await speak('builder', { ...asked, refs: `metrics-fix@${head()}` })).toMatchObject({
      seq: 1,
      turn: 'reviewer',
    });
  });

  it('01:45 the watcher wakes the reviewer, which looks at the cited commit in a tree of its own', async () => {
    at('01:45:00');
    says = {
      reviewer: {
        type: 'verdict',
        decision: 'approve',
        refs: `metrics-fix@${head()}`,
        body: 'Ran the suite at this commit: 244 passed.',
      },
    };
    expect(await watch()).toMatchObject({ ran: true, exit: 0 });
    expect(state()).toMatchObject({ seq: 2, turn: 'builder', thread: 'metrics-fix' });
    expect(wakes()).toHaveLength(1);
    expect(wakes()[0]).not.toContain(project);
  });

  it('01:46 another branch is merged and deleted by the human: the record knows nothing of it', () => {
    git('checkout', '--quiet', 'main');
    git('merge', '--quiet', 'first-branch');
    git('branch', '--quiet', '-d', 'first-branch');
    expect(state().seq).toBe(2);
  });

  it('01:48 to 01:54 the live session is silent, and the debounce holds the fallback back', async () => {
    for (const clock of ['01:48:00', '01:51:00', '01:54:00']) {
      at(clock);
      expect(await watch()).toMatchObject({ ran: false, reason: expect.stringContaining('debounce') });
    }
    expect(wakes()).toHaveLength(1);
  });

  it('02:00 the fallback fires once, in a worktree of its own: the live checkout is not touched', async () => {
    at('02:00:40');
    const before = {
      head: git('rev-parse', 'HEAD'),
      branch: git('branch', '--show-current'),
      dirty: git('status', '--porcelain'),
    };
    says = {
      builder: {
        type: 'close',
        body: 'All four claims of the verdict hold. Two branches now wait for the owner: first-branch and metrics-fix.',
      },
    };
    expect(await watch()).toMatchObject({ ran: true, exit: 0 });
    expect(wakes()).toHaveLength(2);
    expect(wakes()[1]).not.toContain(`${project}\n`);
    expect({
      head: git('rev-parse', 'HEAD'),
      branch: git('branch', '--show-current'),
      dirty: git('status', '--porcelain'),
    }).toEqual(before);
  });

  it('the stale sentence is admitted: what an agent says is not enforced, and the docs say so', () => {
    const last = readStanding(nodeDisk, channel()).tail.entries.at(-1);
    expect(last).toMatchObject({ seq: 3, sender: 'builder', type: 'close' });
    expect(last?.body).toContain('first-branch');
    expect(git('branch', '--list', 'first-branch')).toBe('');
  });

  it('after the close nobody is due: the doorbell says so, and no tick wakes anybody', async () => {
    expect(JSON.parse(readFileSync(join(root, 'signal.json'), 'utf8'))).toMatchObject({ seq: 3, turn: '', thread: '' });
    for (const clock of ['02:03:00', '02:33:00', '03:33:00']) {
      at(clock);
      expect(await watch()).toMatchObject({ ran: false, exit: 0, reason: 'no thread is open' });
    }
    expect(wakes()).toHaveLength(2);
  });

  it('the live session that wakes up late is refused: it answers a state that is gone', async () => {
    at('02:04:00');
    const late = { type: 'close', thread: 'metrics-fix', body: 'Closing.', ifSeq: 2 };
    await expect(speak('builder', late)).rejects.toMatchObject({ code: 'moved-on' });
    expect(state().seq).toBe(3);
  });

  it('02:15 the correction is an entry: it opens nothing, wakes nobody, and the record still verifies', async () => {
    at('02:15:00');
    const body =
      'MSG-3 is wrong about first-branch: `git branch --list first-branch` prints nothing; it was merged at 01:46.';
    expect(await speak('builder', { type: 'close', thread: 'correction-1', body })).toMatchObject({
      seq: 4,
      turn: '',
      thread: '',
    });
    expect(await watch()).toMatchObject({ ran: false });
    expect(verify(nodeDisk, channel()).findings).toEqual([]);
    expect(shown.join('')).toContain('correction-1 MSG-4 builder close');
  });

  it('the close cannot be moved or repeated: what was said stays said', async () => {
    at('02:16:00');
    const again = { type: 'close', thread: 'correction-1', body: 'Once more.' };
    await expect(speak('builder', again)).rejects.toMatchObject({ code: 'already-closed' });
  });

  it("had the question been the owner's, nobody would have been woken until the owner spoke", async () => {
    at('02:20:00');
    const merge = { type: 'question', thread: 'merge-metrics', body: 'May metrics-fix be merged?', ask: true };
    await speak('builder', merge);
    expect(await watch()).toMatchObject({ ran: false, exit: 4 });
    expect(shown.join('')).toContain('ESCALATION asked');
    await speak('owner', { type: 'close', body: 'Merged by me.' });
    expect(await watch()).toMatchObject({ exit: 0 });
  });
});
