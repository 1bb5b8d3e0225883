import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { isAlive, makeScene, type Ran, type Scene, until } from '../watcher/scene.js';

let scene: Scene;
afterEach(() => scene.remove());

/** Codex notes its pid and begins, runs for a while, and answers nothing. */
function slow(seconds: number, settings: Record<string, unknown> = {}, top: Record<string, unknown> = {}): void {
  scene = makeScene();
  scene.script('agent', `echo $$ >> "$OUT/pids"; sleep ${seconds}`);
  scene.configure({ parties: { codex: { command: ['agent'], retry_seconds: 0, ...settings } }, ...top });
}

const pids = () => scene.lines('pids').map(Number);
const alive = () => pids().filter(isAlive);
const agent = (count = 1) => until(`agent ${count}`, () => pids()[count - 1]);

/** Kills a tick as a power cut would, and waits until it is gone. */
async function kill(tick: ReturnType<Scene['start']>): Promise<void> {
  tick.child.kill('SIGKILL');
  await tick.ended;
}

describe('W8: twenty ticks at the same instant', () => {
  it('start one agent; the others end quietly, and say who runs with --verbose', async () => {
    slow(3, {}, { mirror: [{ file: 'mirror.txt' }] });
    const ticks = Array.from({ length: 20 }, () => scene.start(['watch-once', '--config', scene.config, '--verbose']));
    const ended: readonly Ran[] = await Promise.all(ticks.map((tick) => tick.ended));
    expect(pids()).toHaveLength(1);
    expect(ended.map(({ code }) => code)).toEqual(Array(20).fill(0));
    // Whoever came second claimed nothing: the turn still has its retry.
    expect(scene.memory().attempts).toMatchObject([{ attempt: 1, outcome: 'no-reply' }]);
    expect(readdirSync(join(scene.root, '.runs')).filter((name) => /-2(\.|$)/.test(name))).toEqual([]);
    const others = ended.filter(({ stderr }) => !stderr.includes('started'));
    expect(others).toHaveLength(19);
    for (const { stdout } of others)
      expect(stdout).toMatch(/codex runs for MSG-1 since .*process \d+|another tick was faster|did not answer MSG-1/);
    expect(scene.lines('mirror.txt').filter((line) => line.includes('MSG-1 claude'))).toHaveLength(1);
  });
});

describe('a tick that is killed (issue 3: claims, proven with real processes)', () => {
  it('after it started its agent: the next tick ends what is left of the run and waits for the retry', async () => {
    slow(300, { retry_seconds: 1800 });
    const tick = scene.start(['watch-once', '--config', scene.config]);
    await agent();
    await kill(tick);
    expect(alive()).toHaveLength(1);
    const next = scene.tick();
    expect(next.stdout).toContain('codex did not answer MSG-1: its watcher did not see it end (taken over)');
    expect(alive()).toEqual([]);
    expect(pids()).toHaveLength(1);
    expect(scene.memory().attempts).toMatchObject([{ attempt: 1, outcome: 'failed' }]);
  });

  it('and one whose agent has posted meanwhile is a success: the run is judged by the record', async () => {
    scene = makeScene();
    scene.script(
      'agent',
      'echo $$ >> "$OUT/pids"; sleep 1; debate post --type verdict --body fine; touch "$OUT/posted"; sleep 300',
    );
    scene.configure({ parties: { codex: { command: ['agent'] } } });
    const tick = scene.start(['watch-once', '--config', scene.config]);
    await agent();
    await kill(tick);
    await until('the post', () => existsSync(join(scene.folder, 'posted')));
    scene.tick();
    expect(scene.memory().attempts).toMatchObject([{ outcome: 'replied' }]);
    expect(alive()).toEqual([]);
  });

  it('before it started its agent: the claim it left is taken over, and counts as an attempt', async () => {
    slow(0);
    scene.tick();
    const runs = join(scene.root, '.runs');
    const [name = ''] = readdirSync(runs).filter((file) => /-1$/.test(file));
    // What a tick leaves that dies between its claim and its child.
    for (const file of readdirSync(runs)) if (file !== name) rmSync(join(runs, file));
    rmSync(join(scene.folder, 'pids'));
    rmSync(scene.statePath);
    const second = scene.tick();
    expect(second.code).toBe(4);
    expect(pids()).toHaveLength(1);
    expect(scene.memory().attempts.map((run) => run.attempt)).toEqual([1, 2]);
  });

  it('and again and again: no seq is run a third time', async () => {
    slow(300);
    for (const count of [1, 2]) {
      const tick = scene.start(['watch-once', '--config', scene.config]);
      await agent(count);
      await kill(tick);
    }
    expect(scene.tick().code).toBe(4);
    expect(scene.tick().code).toBe(4);
    expect(pids()).toHaveLength(2);
    expect(alive()).toEqual([]);
  });
});

describe('two watchers of one channel with two state files', () => {
  it('run one agent at a time, and a seq twice in all', async () => {
    slow(1.5);
    const other = scene.configure(
      {
        state_path: join(scene.folder, 'other', 'state.json'),
        parties: { codex: { command: ['agent'], retry_seconds: 0 } },
      },
      'other.json',
    );
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, alive().length);
    }, 20);
    for (let round = 0; round < 3; round++) {
      const both = [scene.config, other].map((config) => scene.start(['watch-once', '--config', config]).ended);
      await Promise.all(both);
    }
    clearInterval(watch);
    expect(pids()).toHaveLength(2);
    expect(most).toBe(1);
    for (const config of [scene.config, other])
      expect(scene.memory(config).attempts.map((run) => run.attempt)).toEqual([1, 2]);
  });
});

describe('a state file that is lost or restored from a backup', () => {
  it.each([
    ['lost', undefined],
    ['restored', 'before the first run'],
  ])('%s: no seq is run a third time', (_what, backup) => {
    slow(0);
    scene.configure({ parties: {} });
    scene.tick();
    const old = readFileSync(scene.statePath);
    scene.configure({ parties: { codex: { command: ['agent'], retry_seconds: 0 } } });
    scene.tick();
    if (backup === undefined) rmSync(scene.statePath);
    else writeFileSync(scene.statePath, old);
    scene.tick();
    if (backup === undefined) rmSync(scene.statePath);
    else writeFileSync(scene.statePath, old);
    expect(scene.tick().code).toBe(4);
    expect(pids()).toHaveLength(2);
  });

  it('lost while an agent runs: no second one is started beside it', async () => {
    slow(4);
    const tick = scene.start(['watch-once', '--config', scene.config]);
    await agent();
    rmSync(scene.statePath, { force: true });
    expect(scene.tick().stdout).toContain('codex runs for MSG-1 since');
    expect(pids()).toHaveLength(1);
    await tick.ended;
  });

  it('a memory of the published tool counts as none and is kept', () => {
    slow(0);
    const published = JSON.stringify({ invocations: { '1': 2 }, escalated: [] });
    scene.tick();
    writeFileSync(scene.statePath, published);
    scene.tick();
    expect(readFileSync(`${scene.statePath}.published`, 'utf8')).toBe(published);
    expect(pids()).toHaveLength(2);
  });
});
