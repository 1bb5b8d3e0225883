import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { realWorld } from '../../src/cli/real-world.js';
import { recordedEvidence } from '../../src/evidence/attach-checks.js';
import { evidencePlace, runKeyOf } from '../../src/evidence/place.js';
import { listRuns } from '../../src/evidence/run-files.js';
import { startRunner } from '../../src/evidence/start-runner.js';
import { findMarked, listProcesses } from '../../src/process/list-processes.js';
import { parseEvidence } from '../../src/protocol/core/evidence.js';
import { initChannel } from '../../src/protocol/init.js';
import { thisMachine } from '../../src/protocol/machine.js';
import { nodeDisk } from '../../src/protocol/node-disk.js';
import { makeScratch, type Scratch } from '../evidence/scratch.js';
import { askWithoutFiles } from '../evidence/without-files.js';
import { eventually } from '../process/run-script.js';

let scratch: Scratch;

beforeEach(() => {
  scratch = makeScratch();
});

afterEach(() => scratch.remove());

const append = (what: string) => `echo ${what} >>'${scratch.runs}'`;
const runsOfTests = async () => listRuns((await runKeyOf(scratch.place(), 'tests', scratch.second)).folder);

describe('a check that ran', () => {
  it('is evidence whatever it returned: exit, duration, last lines, and the hash of a log that anybody can verify', async () => {
    scratch.pin('echo one; echo two >&2; exit 7');
    const outcome = await scratch.ask();
    if (outcome.kind !== 'ran') throw new Error(outcome.kind);
    expect(outcome.record).toMatchObject({ name: 'tests', commit: scratch.second, exit: 7, timedOut: false });
    expect(outcome.lastLines).toMatch(/one\ntwo$/);
    const log = readFileSync(outcome.logPath);
    expect(createHash('sha256').update(log).digest('hex')).toBe(outcome.record.log);
    expect(statSync(outcome.logPath).mode & 0o777).toBe(0o600);
  });

  it('ran at the commit that was asked for, in a worktree that is gone afterwards, away from the live checkout', async () => {
    writeFileSync(join(scratch.project, 'a.txt'), 'not committed');
    scratch.pin('cat a.txt; pwd; touch left; git status --porcelain --branch');
    const outcome = await scratch.ask({ ref: scratch.first.slice(0, 7) });
    expect(outcome).toMatchObject({ kind: 'ran', record: { commit: scratch.first } });
    expect('lastLines' in outcome && outcome.lastLines).toMatch(/one\S*\/evidence\/tests\/.*## HEAD \(no branch\)/s);
    expect(scratch.trees()).toEqual([]);
    expect(existsSync(join(scratch.project, 'left'))).toBe(false);
  });

  it('ran without the names of the tool and without what leads git to another repository', async () => {
    const names = { DEBATE_PARTY: 'bob', DEBATE_WAKE: 'w1', GIT_DIR: '/nowhere', GIT_INDEX_FILE: '/nowhere' };
    Object.assign(process.env, names, { KEPT_FOR_CHECKS: 'yes' });
    try {
      scratch.pin(`env; ${append('"$KEPT_FOR_CHECKS"')}`);
      const outcome = await scratch.ask();
      const text = 'logPath' in outcome ? readFileSync(outcome.logPath, 'utf8') : '';
      expect(text).not.toMatch(/DEBATE_|GIT_DIR|GIT_INDEX/);
      expect(scratch.ran()).toEqual(['yes']);
    } finally {
      for (const name of [...Object.keys(names), 'KEPT_FOR_CHECKS']) delete process.env[name];
    }
  });

  it('that hangs is ended at its timeout with all that it started, and its exit is 124', async () => {
    scratch.pin('(setsid sleep 300 & ); echo begun; sleep 300', { timeout_seconds: 1 });
    const outcome = await scratch.ask();
    expect(outcome).toMatchObject({ kind: 'ran', record: { exit: 124, timedOut: true } });
    expect('lastLines' in outcome && outcome.lastLines).toMatch(/begun\n+\[ended at its timeout of 1 s\]$/);
    const [run] = await runsOfTests();
    const marked = findMarked([`CHECK_RUN=${run?.claimant?.run_id}`]);
    expect((await listProcesses()).filter((each) => each.alive && marked.has(each.pid))).toEqual([]);
  });

  it('that a signal ended has the exit that a shell gives it', async () => {
    scratch.pin('kill -KILL $$');
    expect(await scratch.ask()).toMatchObject({ kind: 'ran', record: { exit: 137 } });
  });

  it('leaves a log that is masked and bounded and ends with what was said last', async () => {
    process.env.SERVICE_TOKEN = 'very-secret-value';
    try {
      scratch.pin(
        'echo "$SERVICE_TOKEN"; i=0; while [ $i -lt 60000 ]; do echo "a line of the output that is quite long $i"; i=$((i+1)); done; echo "$SERVICE_TOKEN"; echo end',
      );
      const outcome = await scratch.ask();
      if (outcome.kind !== 'ran') throw new Error(outcome.kind);
      const log = readFileSync(outcome.logPath);
      expect(log.length).toBeLessThanOrEqual(2_000_000);
      expect(createHash('sha256').update(log).digest('hex')).toBe(outcome.record.log);
      expect(log.includes('very-secret-value')).toBe(false);
      expect(outcome.lastLines).toMatch(/quite long 59999\n\[masked SERVICE_TOKEN\]\nend$/);
    } finally {
      delete process.env.SERVICE_TOKEN;
    }
  });
});

describe('one run per name, commit and definition', () => {
  it('is joined by everybody who asks at the same instant', async () => {
    scratch.pin(`${append('ran')}; sleep 1`);
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => scratch.ask()));
    expect(scratch.ran()).toEqual(['ran']);
    expect(new Set(outcomes.map((each) => 'record' in each && each.record.log)).size).toBe(1);
    expect((await runsOfTests()).map((run) => run.number)).toEqual([1]);
  });

  it('answers later askers with its record, until that is too old', async () => {
    scratch.pin(append('ran'));
    await scratch.ask();
    await scratch.ask();
    expect(scratch.ran()).toHaveLength(1);
    scratch.configure({ evidence_max_age_seconds: 0.001 });
    await scratch.ask({ waitSeconds: 0 });
    const { folder } = await runKeyOf(scratch.place(), 'tests', undefined);
    await eventually(() => listRuns(folder)[1]?.outcome !== undefined);
    expect(scratch.ran()).toHaveLength(2);
  });

  it('is another one at another commit, or when the supervisor pins the check anew', async () => {
    scratch.pin(append('first'));
    await scratch.ask();
    await scratch.ask({ ref: scratch.first });
    expect(scratch.ran()).toEqual(['first', 'first']);
    scratch.pin(append('second'));
    await scratch.ask();
    expect(scratch.ran()).toEqual(['first', 'first', 'second']);
    scratch.pin(append('second'), { setup: ['true'] });
    await scratch.ask();
    expect(scratch.ran()).toHaveLength(4);
  });

  it('is made again when its log is no longer the one that the record names', async () => {
    scratch.pin(append('ran'));
    const outcome = await scratch.ask();
    appendFileSync('logPath' in outcome ? outcome.logPath : '', 'all tests passed\n');
    const again = await scratch.ask();
    expect(scratch.ran()).toHaveLength(2);
    expect('lastLines' in again && again.lastLines).not.toContain('passed');
  });
});

describe('what has run already', () => {
  it('is cited by whoever must not run anything, at the commit that its refs cite', async () => {
    scratch.pin('exit 1');
    const outcome = await scratch.ask();
    const refs = `x@${scratch.second.slice(0, 8)}`;
    const values = await recordedEvidence(realWorld(), scratch.place(), refs, ['tests']);
    expect(values.map(parseEvidence)).toMatchObject([
      { name: 'tests', exit: 1, log: 'record' in outcome && outcome.record.log },
    ]);
  });

  it('at another commit is refused with what makes it, and nothing is run', async () => {
    scratch.pin(append('ran'));
    await scratch.ask();
    const refs = `x@${scratch.first.slice(0, 8)}`;
    await expect(recordedEvidence(realWorld(), scratch.place(), refs, ['tests'])).rejects.toMatchObject({
      code: 'evidence-missing',
      hint: expect.stringContaining(`debate check tests --ref ${scratch.first.slice(0, 8)}`),
    });
    expect(scratch.ran()).toEqual(['ran']);
  });
});

describe('a run outlives whoever asked', () => {
  it('who waits no longer is told that it still runs, and asks again', async () => {
    scratch.pin(`${append('begun')}; sleep 2; ${append('ended')}`);
    expect(await scratch.ask({ waitSeconds: 0 })).toMatchObject({ kind: 'running', commit: scratch.second });
    await eventually(() => scratch.ran().length > 0);
    const running = await scratch.ask({ waitSeconds: 0.1 });
    expect(running).toMatchObject({ kind: 'running' });
    expect(await scratch.ask()).toMatchObject({ kind: 'ran', record: { exit: 0 } });
    expect(scratch.ran()).toEqual(['begun', 'ended']);
  });

  it('a signal ends the waiting and not the run', async () => {
    scratch.pin(`${append('begun')}; sleep 1; ${append('ended')}`);
    const stop = new AbortController();
    const asked = scratch.ask({ signal: stop.signal });
    await eventually(() => scratch.ran().length > 0);
    stop.abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
    await eventually(() => scratch.ran().length > 1);
    expect(scratch.ran()).toEqual(['begun', 'ended']);
  });

  it('a runner that is killed is noticed by who waits: what it left is ended, and the run is made again, once', async () => {
    scratch.pin(`if [ -e '${scratch.runs}' ]; then ${append('again')}; else ${append('begun')}; sleep 300; fi`);
    const asked = Promise.all([scratch.ask(), scratch.ask()]);
    await eventually(() => scratch.ran().length > 0);
    const [run] = await runsOfTests();
    process.kill(run?.claimant?.pid ?? 0, 'SIGKILL');
    const outcomes = await asked;
    expect(outcomes).toMatchObject([
      { kind: 'ran', record: { exit: 0 } },
      { kind: 'ran', record: { exit: 0 } },
    ]);
    expect(scratch.ran()).toEqual(['begun', 'again']);
    const [first, second, ...more] = await runsOfTests();
    expect(first?.outcome?.kind).toBe('lost');
    expect([second?.outcome?.kind, more]).toEqual(['ran', []]);
    const marked = findMarked([`CHECK_RUN=${first?.claimant?.run_id}`]);
    expect((await listProcesses()).filter((each) => each.alive && marked.has(each.pid))).toEqual([]);
    expect(scratch.trees()).toEqual([]);
  });

  it('a runner that is asked to end ends the check too, and that is no evidence', async () => {
    scratch.pin(`${append('begun')}; sleep 300`);
    const asked = scratch.ask();
    await eventually(() => scratch.ran().length > 0);
    process.kill((await runsOfTests())[0]?.claimant?.pid ?? 0, 'SIGTERM');
    expect(await asked).toMatchObject({ kind: 'not-run', reason: expect.stringContaining('SIGTERM') });
    expect(scratch.trees()).toEqual([]);
  });
});

describe('a check that did not run is no evidence', () => {
  it('when its setup failed: the command is not begun, and whoever asks next is told, without another try', async () => {
    scratch.pin(append('ran'), { setup: ['sh', '-c', `${append('setup')}; exit 3`] });
    const outcome = await scratch.ask();
    expect(outcome).toMatchObject({ kind: 'not-run', reason: expect.stringContaining('ended with exit 3') });
    expect(await scratch.ask()).toEqual(outcome);
    expect(scratch.ran()).toEqual(['setup']);
  });

  it('when its setup took longer than the timeout', async () => {
    scratch.pin(append('ran'), { setup: ['sleep', '300'], timeout_seconds: 1 });
    expect(await scratch.ask()).toMatchObject({ kind: 'not-run', reason: expect.stringContaining('timeout') });
    expect(scratch.ran()).toEqual([]);
  });

  it('when there is no such command', async () => {
    scratch.configure({ checks: { tests: { command: ['no-such-program-anywhere'] } } });
    expect(await scratch.ask()).toMatchObject({ kind: 'not-run', reason: expect.stringContaining('not found') });
  });

  it('when its record cannot be written, as in a sandbox: that is refused, with what to do instead', async () => {
    scratch.pin('true');
    const key = await runKeyOf(scratch.place(), 'tests', undefined);
    const folder = join(scratch.project, 'a.txt', 'records');
    expect(() => startRunner(scratch.place(), { ...key, folder })).toThrow(
      expect.objectContaining({ code: 'not-written', hint: expect.stringContaining('run_check') }),
    );
  });

  it('when the system starts no more processes: that is told, and ends nobody who asked', async () => {
    scratch.pin('true');
    const key = await runKeyOf(scratch.place(), 'tests', undefined);
    expect(askWithoutFiles(scratch.place(), key)).toBe('told: spawn /bin/sh EMFILE');
  });

  it('when there is no such check, no such commit, or no project: that is refused, and nothing is started', async () => {
    scratch.pin('true');
    await expect(scratch.ask({ name: 'lint' })).rejects.toMatchObject({ code: 'unknown-check' });
    await expect(scratch.ask({ name: 'constructor' })).rejects.toMatchObject({ code: 'unknown-check' });
    await expect(scratch.ask({ ref: 'abcdef0' })).rejects.toMatchObject({ code: 'no-such-commit' });
    await expect(scratch.ask({ ref: 'main' })).rejects.toMatchObject({ code: 'no-such-commit' });
    expect(existsSync(scratch.stateHome)).toBe(false);
    const names = { parties: ['ann', 'bob'], supervisor: 'owner', threadCap: undefined, label: undefined };
    const root = join(scratch.folder, 'alone');
    const alone = initChannel(nodeDisk, thisMachine, { root, format: 2, project: undefined, ...names });
    const surroundings = { home: scratch.folder, environment: {} };
    expect(() => evidencePlace(nodeDisk, alone, surroundings)).toThrow(/no project/);
  });
});
