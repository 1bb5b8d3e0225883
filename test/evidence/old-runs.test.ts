import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keyFolder, runKeyOf } from '../../src/evidence/place.js';
import { claimPhase, claimRun, endPhases, finishRun, listRuns, pruneRuns } from '../../src/evidence/run-files.js';
import { newestRun, takeOverRuns } from '../../src/evidence/take-over-runs.js';
import type { Claimant } from '../../src/process/claimant.js';
import { describeClaimant } from '../../src/process/here.js';
import { identifyProcess } from '../../src/process/list-processes.js';
import { eventually, startScript } from '../process/run-script.js';
import { makeScratch, type Scratch } from './scratch.js';

let scratch: Scratch;
let folder: string;

beforeEach(() => {
  scratch = makeScratch();
  folder = join(scratch.folder, 'runs-of-a-key');
});

afterEach(() => scratch.remove());

const notRun = { kind: 'not-run', reason: 'it was like that', finishedAt: '2026-07-06T14:00:00.000Z' } as const;
const mine = () => describeClaimant({ runId: 'run-1', timeoutSeconds: 60, graceSeconds: 10 });
const gone = async (): Promise<Claimant> => ({ ...(await mine()), start_time: 'of another process' });

describe('runs of a key', () => {
  it('are numbered, and one number can be claimed once', async () => {
    expect(await newestRun(folder)).toEqual({ state: 'none', run: undefined });
    expect(claimRun(folder, 1, await mine())).toBe(true);
    expect(claimRun(folder, 1, await mine())).toBe(false);
    expect(await newestRun(folder)).toMatchObject({ state: 'live', run: { number: 1, outcome: undefined } });
  });

  it('end once: who was paused and taken over records nothing any more', async () => {
    claimRun(folder, 1, await gone());
    expect(await newestRun(folder)).toMatchObject({ state: 'left', run: { number: 1 } });
    await takeOverRuns(folder, 2);
    expect(finishRun(folder, 1, notRun)).toBe(false);
    expect(await newestRun(folder)).toMatchObject({ state: 'ended', run: { outcome: { kind: 'lost' } } });
  });

  it('leave the pids of what they started, and a part that was ended before it began starts nothing', async () => {
    claimRun(folder, 1, await mine());
    writeFileSync(`${claimPhase(folder, 1, 'setup')}.pid`, '17 (sh)');
    expect(endPhases(folder, 1)).toEqual(['17 (sh)']);
    expect(existsSync(`${claimPhase(folder, 1, 'command')}.done`)).toBe(true);
  });

  it('whose runner lives and is far too late are taken over, and the runner is ended', async () => {
    const runner = await startScript('echo ready; sleep 300');
    const { startTime } = await identifyProcess(runner.pid);
    const late = { ...(await mine()), pid: runner.pid, start_time: startTime ?? null, deadline_monotonic_ms: 0 };
    claimRun(folder, 1, late);
    expect((await newestRun(folder)).state).toBe('left');
    await takeOverRuns(folder, 2);
    await runner.ended;
    expect(runner.child.signalCode).toBe('SIGTERM');
  });

  it('that are old go with all their files, and the newest stay', async () => {
    for (const number of [1, 2, 3]) {
      claimRun(folder, number, await mine());
      finishRun(folder, number, notRun);
      writeFileSync(join(folder, `${number}.log`), 'log');
    }
    pruneRuns(folder, 3);
    expect(readdirSync(folder).sort()).toEqual(['3.claim', '3.done', '3.log']);
  });

  it('cannot be read where the file of their outcome is torn: then they are no evidence', async () => {
    claimRun(folder, 1, await mine());
    writeFileSync(join(folder, '1.done'), '{"kind":"ran","name"');
    expect(listRuns(folder)).toMatchObject([{ number: 1, outcome: { kind: 'lost' } }]);
  });
});

describe('a runner that has done its work cleans up', () => {
  const definition = 'ab'.repeat(32);
  const keyOf = (name: string, commit: string) =>
    join(scratch.place().folder, name, keyFolder(commit.repeat(40).slice(0, 40), definition));

  it('what a runner that was killed left of another run, its worktree too', async () => {
    scratch.pin('true');
    const left = keyOf('lint', 'a');
    claimRun(left, 1, await gone());
    mkdirSync(join(left, 'trees'), { recursive: true });
    scratch.git('worktree', 'add', '--quiet', '--detach', join(left, 'trees', '1'), scratch.first);
    await scratch.ask();
    await eventually(() => scratch.trees().length === 0);
    expect(scratch.trees()).toEqual([]);
    expect(listRuns(left)).toMatchObject([{ number: 1, outcome: { kind: 'lost' } }]);
  });

  it('the records of all but the newest fifty commits of a check; what may still run stays', async () => {
    scratch.pin('true');
    const keys = Array.from({ length: 60 }, (_, index) => keyOf('tests', String(index).padStart(4, '0')));
    for (const [index, key] of keys.entries()) {
      claimRun(key, 1, await mine());
      if (index > 0) finishRun(key, 1, notRun);
      utimesSync(key, index, index);
    }
    await scratch.ask();
    const own = (await runKeyOf(scratch.place(), 'tests', scratch.second)).folder;
    const kept = () => keys.filter((key) => existsSync(key));
    await eventually(() => kept().length === 50);
    expect(kept()).toEqual([keys[0], ...keys.slice(11)]);
    expect(existsSync(own)).toBe(true);
    for (const key of keys) rmSync(key, { recursive: true, force: true });
  });
});
