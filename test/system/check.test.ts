import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endTree } from '../../src/process/end-tree.js';
import { identifyProcess } from '../../src/process/list-processes.js';
import { debate, debateArgv } from '../cli/evidence-run.js';
import { makeScratch, type Scratch } from '../evidence/scratch.js';
import { eventually, startScript } from '../process/run-script.js';

let scratch: Scratch;

beforeEach(() => {
  scratch = makeScratch();
});

afterEach(() => scratch.remove());

const append = (what: string) => `echo ${what} >>'${scratch.runs}'`;
describe('debate check', () => {
  it('ends with 0 when the check ran, whatever it returned, and prints exit code, duration and last lines', async () => {
    scratch.pin('echo "27 passed, 1 failed"; exit 1');
    const { code, stdout, stderr } = await debate(scratch, ['check', 'tests', '--ref', scratch.first]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(new RegExp(`^tests at ${scratch.first.slice(0, 10)}: exit 1 in \\d+\\.\\d s, \\d+ s ago\n`));
    expect(stdout).toMatch(/\n {4}27 passed, 1 failed\nlog: \//);
  });

  it('runs at the commit that the open thread cited last; without a thread at HEAD of the project', async () => {
    scratch.pin('cat a.txt');
    const head = await debate(scratch, ['check', 'tests', '--json']);
    expect(JSON.parse(head.stdout)).toMatchObject({ kind: 'ran', commit: scratch.second, exit: 0, fresh: true });
    await scratch.post('ann', 'review-request', { thread: 't', refs: `x@${scratch.first.slice(0, 8)}` });
    const cited = await debate(scratch, ['check', 'tests', '--json']);
    expect(JSON.parse(cited.stdout)).toMatchObject({
      commit: scratch.first,
      trailer: expect.stringContaining(`tests ${scratch.first} exit 0 in `),
      last_lines: expect.stringMatching(/one$/),
    });
  });

  it('ends with 5 while the check still runs, and says with which command to ask again: that one joins the run', async () => {
    scratch.pin(`${append('ran')}; sleep 1`);
    const { code, stderr, stdout } = await debate(scratch, ['check', 'tests', '--wait', '0', '--json']);
    expect(code).toBe(5);
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'running', name: 'tests', commit: scratch.second });
    const again = /ask again: debate (.*)\n$/.exec(stderr)?.[1]?.replace('--wait 0', '--wait 60') ?? '';
    expect((await debate(scratch, again.split(' '))).code).toBe(0);
    expect(scratch.ran()).toEqual(['ran']);
  });

  it('ends with 3 when the check did not run: that is no evidence', async () => {
    scratch.pin('true', { setup: ['false'] });
    const { code, stderr } = await debate(scratch, ['check', 'tests']);
    expect(code).toBe(3);
    expect(stderr).toContain('did not run');
    expect(stderr).toContain('its setup (false) ended with exit 1. [check-not-run]');
  });

  it('refuses a check that nobody pinned, with 1, and names those that are', async () => {
    scratch.pin('true');
    const { code, stderr } = await debate(scratch, ['check', 'lint']);
    expect(code).toBe(1);
    expect(stderr).toContain('Name one of tests;');
  });

  it('makes one run for callers of different processes at the same instant', async () => {
    scratch.pin(`${append('ran')}; sleep 1`);
    const both = await Promise.all([
      debate(scratch, ['check', 'tests']),
      debate(scratch, ['check', 'tests', '--json']),
    ]);
    expect(both.map((each) => each.code)).toEqual([0, 0]);
    expect(scratch.ran()).toEqual(['ran']);
  });

  it('goes on when a watcher ends the whole tree of the agent that asked', async () => {
    scratch.pin(`${append('begun')}; sleep 2; ${append('ended')}`);
    const agent = await startScript(
      `echo ready; cd '${scratch.project}'; XDG_STATE_HOME='${scratch.stateHome}' ${debateArgv.join(' ')} check tests`,
      'DEBATE_WAKE=run-of-this-test',
    );
    await eventually(() => scratch.ran().length > 0);
    await endTree([await identifyProcess(agent.pid)], { graceSeconds: 1, markers: ['DEBATE_WAKE=run-of-this-test'] });
    expect(scratch.ran()).toEqual(['begun']);
    expect(await scratch.ask()).toMatchObject({ kind: 'ran', record: { exit: 0 } });
    expect(scratch.ran()).toEqual(['begun', 'ended']);
  });

  it('shows what a check printed without obeying it', async () => {
    scratch.pin("printf 'a\\033[2Jb\\n'");
    const { stdout } = await debate(scratch, ['check', 'tests']);
    expect(stdout).not.toContain('\u001b');
  });
});
