import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseEvidence } from '../../src/protocol/core/evidence.js';
import { debate } from '../cli/evidence-run.js';
import { makeScratch, type Scratch } from '../evidence/scratch.js';
import { eventually } from '../process/run-script.js';

let scratch: Scratch;
let cite: string;

beforeEach(async () => {
  scratch = makeScratch();
  cite = `x@${scratch.second.slice(0, 8)}`;
  scratch.pin(`echo ran >>'${scratch.runs}'; echo "1 failed"; exit 1`);
  scratch.configure({ require_evidence: { verdict: ['tests'] } });
  await scratch.post('ann', 'review-request', { thread: 't', refs: cite });
});

afterEach(() => scratch.remove());

const verdict = (...more: readonly string[]) =>
  debate(scratch, [
    'post',
    '--as',
    'bob',
    '--type',
    'verdict',
    '--decision',
    'request-changes',
    '--body',
    'no',
    ...more,
  ]);
const mailbox = () => readFileSync(join(scratch.root, 'CHANNEL.md'), 'utf8');
const trailers = () => [...mailbox().matchAll(/^Debate-Check: (.*)$/gm)].map((match) => match[1] ?? '');

describe('debate post --check', () => {
  it('attaches the record of the check at the cited commit, and makes it first when there is none', async () => {
    const { code, stdout, stderr } = await verdict('--refs', cite, '--check', 'tests');
    expect([code, stdout]).toEqual([0, 'posted MSG-2 (turn -> ann)\n']);
    expect(stderr).toContain('exit 1');
    expect(trailers().map(parseEvidence)).toMatchObject([{ name: 'tests', commit: scratch.second, exit: 1 }]);
    expect(scratch.ran()).toEqual(['ran']);
  });

  it('attaches the record that is there without running anything, and several checks at once', async () => {
    const command = ['sh', '-c', `echo ran >>'${scratch.runs}'`];
    scratch.configure({ checks: { tests: { command }, lint: { command } } });
    await Promise.all([scratch.ask(), scratch.ask({ name: 'lint' })]);
    expect((await verdict('--refs', cite, '--check', 'tests', '--check', 'lint', '--check', 'tests')).code).toBe(0);
    expect(trailers().map((value) => value.split(' ')[0])).toEqual(['tests', 'lint']);
    expect(scratch.ran()).toHaveLength(2);
  });

  it('ends with 5 and posts nothing while the check still runs; the same command joins it', async () => {
    scratch.pin(`echo ran >>'${scratch.runs}'; sleep 1`);
    const { code, stderr } = await verdict('--refs', cite, '--check', 'tests', '--wait', '0');
    expect(code).toBe(5);
    expect(stderr).toMatch(/still running .*nothing was posted/);
    expect(mailbox()).not.toContain('MSG-2');
    expect((await verdict('--refs', cite, '--check', 'tests')).code).toBe(0);
    expect(scratch.ran()).toEqual(['ran']);
  });

  it.each([
    ['out of turn', ['--as', 'ann', '--type', 'info', '--body', 'b'], 'not-your-turn'],
    ['that answers an old state', ['--as', 'bob', '--type', 'info', '--body', 'b', '--if-seq', '0'], 'moved-on'],
    [
      'with a forged record',
      ['--as', 'bob', '--type', 'info', '--body', 'b\n\nDebate-Check: tests'],
      'reserved-trailer',
    ],
  ])('refuses a draft %s before any check runs', async (_, draft, refusal) => {
    const { code, stderr } = await debate(scratch, ['post', ...draft, '--refs', cite, '--check', 'tests']);
    expect(code).toBe(1);
    expect(stderr).toContain(`[${refusal}]`);
    expect(scratch.ran()).toEqual([]);
  });

  it('refuses a draft that cites an unknown commit, or none, before any check runs', async () => {
    expect((await verdict('--refs', 'x@abcdef0', '--check', 'tests')).stderr).toContain('[no-such-commit]');
    const { stderr } = await verdict('--check', 'tests');
    expect(stderr).toContain('[evidence-missing]');
    expect(stderr).toContain(`Cite it: --refs ${cite}.`);
    expect(scratch.ran()).toEqual([]);
  });

  it('is judged again when the check has run: who was overtaken meanwhile is refused', async () => {
    const go = join(scratch.folder, 'go');
    scratch.pin(`echo ran >>'${scratch.runs}'; while [ ! -e '${go}' ]; do sleep 0.1; done`);
    const posted = verdict('--refs', cite, '--check', 'tests');
    await eventually(() => scratch.ran().length > 0);
    await scratch.post('owner', 'info', { turn: 'ann' });
    writeFileSync(go, '');
    const { code, stderr } = await posted;
    expect(code).toBe(1);
    expect(stderr).toContain('[not-your-turn]');
    expect(trailers()).toEqual([]);
  });

  it('that was posted already is answered at once: nothing runs', async () => {
    await verdict('--refs', cite, '--check', 'tests', '--key', 'k1');
    scratch.pin(`echo again >>'${scratch.runs}'`);
    const { code, stdout } = await verdict('--refs', cite, '--check', 'tests', '--key', 'k1');
    expect([code, stdout]).toEqual([0, 'already posted MSG-2\n']);
    expect(scratch.ran()).toEqual(['ran']);
  });

  it('posts nothing when the check did not run', async () => {
    scratch.pin('true', { setup: ['false'] });
    const { code, stderr } = await verdict('--refs', cite, '--check', 'tests');
    expect(code).toBe(3);
    expect(stderr).toContain('[check-not-run]');
    expect(mailbox()).not.toContain('MSG-2');
  });
});

describe('required evidence (rule 8)', () => {
  it('that is missing is a refusal whose hint is the command that satisfies it', async () => {
    const { code, stderr } = await verdict();
    expect(code).toBe(1);
    const command = /`debate (.*)`/.exec(stderr)?.[1] ?? '';
    writeFileSync(join(scratch.project, 'FILE'), 'no');
    expect((await debate(scratch, command.split(' '))).stdout).toBe('posted MSG-2 (turn -> ann)\n');
    expect(trailers()).toHaveLength(1);
  });

  it('of another commit than the cited one does not do', async () => {
    await scratch.ask({ ref: scratch.first });
    expect((await verdict('--refs', cite)).stderr).toContain('[evidence-missing]');
  });

  it('is not asked of the supervisor', async () => {
    expect(await scratch.post('owner', 'verdict', { decision: 'approve' })).toMatchObject({ seq: 2 });
  });
});

describe('debate read', () => {
  it('shows what checks came to at the cited commit, and how they are cited: a reviewer that may only look can', async () => {
    await scratch.ask();
    const plain = await debate(scratch, ['read']);
    const line = new RegExp(
      `^check tests at ${scratch.second.slice(0, 10)}: exit 1 in .* ago \\(cite it with --check tests\\)$`,
      'm',
    );
    expect(plain.stdout).toMatch(line);
    expect(plain.stdout).not.toContain('1 failed');
    expect(plain.stdout).toContain(`--refs ${cite} --check tests --if-seq 1`);
    expect((await debate(scratch, ['read', '--checks'])).stdout).toContain('\n    1 failed\n');
    const { checks, replies } = JSON.parse((await debate(scratch, ['read', '--json'])).stdout);
    expect(checks).toMatchObject([{ name: 'tests', commit: scratch.second, exit: 1, fresh: true }]);
    expect(checks[0].last_lines).toMatch(/1 failed$/);
    const citing = expect.arrayContaining(['--refs', cite, '--check', 'tests']);
    expect(replies).toEqual([citing, citing]);
  });

  it('says of a record that is too old that it is, and shows none of another commit or definition', async () => {
    await scratch.ask({ ref: scratch.first });
    expect((await debate(scratch, ['read'])).stdout).not.toContain('check tests at');
    await scratch.ask();
    scratch.configure({ evidence_max_age_seconds: 0.001 });
    expect((await debate(scratch, ['read'])).stdout).toContain('too old to cite; debate check tests runs it again');
    scratch.pin('true');
    expect(JSON.parse((await debate(scratch, ['read', '--json'])).stdout).checks).toEqual([]);
  });
});
