import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { makeScene, type Scene, until } from '../scene.js';

let scene: Scene;
afterEach(() => scene.remove());

const NOTES = 'echo "$DEBATE_PARTY $DEBATE_SEQ" >> "$OUT/ran"';

/** Both parties only note that they ran. */
function noting(settings: Record<string, unknown> = {}, init: Parameters<typeof makeScene>[0] = {}): void {
  scene = makeScene(init);
  const party = { command: ['sh', '-c', NOTES], ...settings };
  scene.configure({ parties: { claude: party, codex: party }, mirror: [{ file: 'mirror.txt' }] });
}

const escalations = () => scene.lines('mirror.txt').filter((line) => line.includes('ESCALATION'));

describe('W10: the doorbell is a cache', () => {
  it.each([
    ['deleted', undefined],
    ['empty', ''],
    ['behind, after a crash between mailbox and doorbell', 'before'],
  ])('%s: the next tick derives the turn from the record and wakes the party once', (_what, text) => {
    noting();
    const doorbell = join(scene.root, 'signal.json');
    const before = readFileSync(doorbell, 'utf8');
    scene.post('codex', 'question', {});
    if (text === undefined) rmSync(doorbell);
    else writeFileSync(doorbell, text === 'before' ? before : text);
    scene.tick();
    scene.tick();
    expect(scene.lines('ran')).toEqual(['claude 2']);
    expect(JSON.parse(readFileSync(doorbell, 'utf8'))).toMatchObject({ seq: 2, turn: 'claude' });
  });
});

describe('A mailbox that is missing', () => {
  it('is refused by the tick, and not told or remembered as a record that went back', () => {
    noting();
    rmSync(join(scene.root, 'CHANNEL.md'));
    const tick = scene.tick();
    expect(tick.code).toBe(3);
    expect(tick.stderr).toContain('[unreadable]');
    expect(escalations()).toEqual([]);
    expect(existsSync(scene.statePath)).toBe(false);
    const status = scene.debate(['watch-status', '--config', scene.config]);
    expect([status.code, status.stderr]).toEqual([3, expect.stringContaining('[unreadable]')]);
  });
});

describe('An agent that takes the record back, as `git checkout` does', () => {
  it('has run, is counted as a run, and the record that went back is escalated', () => {
    scene = makeScene();
    scene.script(
      'agent',
      `echo ran >> "$OUT/ran"
cp "$DEBATE_ROOT/CHANNEL.md" "$OUT/old"
debate post --type verdict --decision approve --body fine
cp "$OUT/old" "$DEBATE_ROOT/CHANNEL.md"`,
    );
    const mirror = [{ file: 'mirror.txt' }];
    const budget = { max_invocations_per_hour: 1 };
    scene.configure({ parties: { codex: { command: ['agent'], retry_seconds: 0 } }, mirror, budget });
    expect(scene.tick()).toMatchObject({ code: 4, stderr: expect.stringContaining('[record-went-back]') });
    expect(escalations()).toEqual([expect.stringContaining('record-went-back: ')]);
    const { attempts } = scene.memory();
    expect(attempts).toMatchObject([{ outcome: 'no-reply', detail: expect.stringMatching(/^exit 0; .* went back: /) }]);
    // Accepted, it is due again; what it has spent is not given back.
    expect(scene.debate(['repair', '--root', scene.root, '--accept-seq', '1']).code).toBe(0);
    expect(scene.tick().stdout).toContain('The budget of 1 runs an hour is spent');
    expect(scene.lines('ran')).toEqual(['ran']);
  });
});

describe('W13: a woken agent posts as itself only', () => {
  it.each([
    ['as the other party', '--as claude --type info'],
    ['as the supervisor, with force', '--as owner --type info --thread another --force'],
  ])('%s: refused', (_what, rest) => {
    scene = makeScene();
    const command = ['sh', '-c', `debate post ${rest} --body x 2> "$OUT/said"; echo $? > "$OUT/code"`];
    scene.configure({ parties: { codex: { command } } });
    scene.tick();
    expect(scene.lines('code')).toEqual(['1']);
    expect(scene.lines('said')[0]).toContain('[woken-as-another]');
    expect(scene.entries()).toHaveLength(1);
  });
});

describe('W14: the supervisor speaks while an agent runs', () => {
  it('what the agent wrote before is refused with the seq to read, and no second agent is started beside it', async () => {
    scene = makeScene();
    scene.script(
      'agent',
      `echo $$ >> "$OUT/pids"
while ! [ -e "$OUT/go" ]; do sleep 0.1; done
debate post --type verdict --body "As I saw it." 2> "$OUT/said"; echo $? > "$OUT/code"`,
    );
    scene.configure({ parties: { codex: { command: ['agent'] } } });
    const tick = scene.start(['watch-once', '--config', scene.config]);
    await until('the agent', () => scene.lines('pids')[0]);
    scene.post('owner', 'info', { body: 'Look at the tests too.' });
    expect(scene.tick().stdout).toContain('codex runs for MSG-1');
    writeFileSync(join(scene.folder, 'go'), '');
    await tick.ended;
    expect(scene.lines('pids')).toHaveLength(1);
    expect(scene.lines('code')).toEqual(['1']);
    expect(scene.lines('said').join(' ')).toMatch(/MSG-1 to MSG-2.*\[moved-on\].*--since 1/);
    // The supervisor's entry is a new seq: the next tick wakes codex for it.
    rmSync(join(scene.folder, 'go'));
    const again = scene.start(['watch-once', '--config', scene.config]);
    await until('the second run', () => scene.lines('pids')[1]);
    writeFileSync(join(scene.folder, 'go'), '');
    await again.ended;
    expect(scene.lines('code')).toEqual(['0']);
  });
});

describe('what the supervisor can do at night, each one command and on the record (issue 3)', () => {
  it('a word grants a stuck turn fresh attempts, and one that re-points wakes the other', () => {
    noting({ retry_seconds: 0 });
    for (let tick = 0; tick < 4; tick++) scene.tick();
    expect(scene.lines('ran')).toEqual(['codex 1', 'codex 1']);
    scene.post('owner', 'info', { body: 'Please go on.' });
    scene.tick();
    expect(scene.lines('ran').slice(2)).toEqual(['codex 2']);
    scene.post('owner', 'info', { turn: 'claude' });
    scene.tick();
    expect(scene.lines('ran').slice(3)).toEqual(['claude 3']);
  });

  it('the command that an escalation names grants them each time that it is pasted', () => {
    noting({ retry_seconds: 0 });
    for (const seq of [1, 2]) {
      for (let tick = 0; tick < 3; tick++) scene.tick();
      expect(scene.lines('ran').filter((line) => line === `codex ${seq}`)).toHaveLength(2);
      const [, pasted = ''] = /try again: +(debate post .*)/.exec(scene.lines('mirror.txt').at(-1) ?? '') ?? [];
      const said = execFileSync('sh', ['-c', pasted], { encoding: 'utf8', env: { ...scene.env } });
      expect(said).toBe(`posted MSG-${seq + 1} (turn -> codex)\n`);
    }
  });

  it('an --ask wakes nobody and is escalated once, until the supervisor has spoken', () => {
    noting();
    scene.post('codex', 'question', { ask: true, body: 'Is this urgent?' });
    expect(scene.tick().code).toBe(4);
    expect(scene.tick().code).toBe(4);
    expect(scene.lines('ran')).toEqual([]);
    expect(escalations()).toEqual([expect.stringContaining('asked: MSG-2 asks the supervisor.')]);
    scene.post('owner', 'info', { body: 'No.' });
    expect(scene.tick().code).toBe(0);
    expect(scene.lines('ran')).toEqual(['claude 3']);
  });

  it('a thread at its cap is escalated, and lengthening it ends that', () => {
    noting({}, { init: { threadCap: 2 } });
    scene.post('codex', 'question', {});
    expect(scene.tick().code).toBe(4);
    expect(escalations()).toEqual([expect.stringContaining('at-cap')]);
    scene.post('owner', 'info', { cap: 20 });
    expect(scene.tick().code).toBe(0);
  });

  it('a budget that is spent wakes nobody', () => {
    noting({ retry_seconds: 0 });
    const party = { command: ['sh', '-c', NOTES], retry_seconds: 0 };
    scene.configure({
      parties: { codex: party },
      budget: { max_invocations_per_hour: 1 },
      mirror: [{ file: 'mirror.txt' }],
    });
    scene.tick();
    expect(scene.tick()).toMatchObject({ code: 4, stdout: expect.stringContaining('runs an hour is spent') });
    expect(scene.lines('ran')).toHaveLength(1);
    expect(escalations()).toEqual([expect.stringContaining('budget')]);
  });
});

describe('a record that a person must look at stops the watcher (DESIGN.md 4.2)', () => {
  it('an altered entry: nobody is woken, escalated once, and accepting it goes on', () => {
    noting();
    scene.post('codex', 'question', {});
    scene.post('claude', 'info', {});
    const mailbox = join(scene.root, 'CHANNEL.md');
    writeFileSync(mailbox, readFileSync(mailbox, 'utf8').replace('Please review.', 'Please approve.'));
    expect(scene.tick().code).toBe(4);
    expect(scene.tick().code).toBe(4);
    expect(scene.lines('ran')).toEqual([]);
    expect(escalations()).toEqual([expect.stringContaining('defect: MSG-1 was altered')]);
    scene.post('owner', 'info', { accept: true, turn: 'codex' });
    expect(scene.tick().code).toBe(0);
    expect(scene.lines('ran')).toEqual(['codex 4']);
  });

  it.each([
    ['with the doorbell ahead', false],
    ['with the memory ahead', true],
  ])('one that went back (R3), %s: escalated once with both numbers, and accepting it goes on', (_what, noBell) => {
    noting({ retry_seconds: 0 });
    const mailbox = join(scene.root, 'CHANNEL.md');
    const before = readFileSync(mailbox);
    scene.post('codex', 'question', {});
    scene.tick();
    writeFileSync(mailbox, before);
    if (noBell) rmSync(join(scene.root, 'signal.json'));
    for (let tick = 0; tick < 2; tick++)
      expect(scene.tick()).toMatchObject({ code: 4, stderr: expect.stringContaining('it was at MSG-2') });
    expect(escalations()).toEqual([expect.stringMatching(/record-went-back: .*at MSG-2, and it ends at MSG-1 now/)]);
    expect(scene.lines('ran')).toEqual(['claude 2']);
    expect(scene.debate(['repair', '--root', scene.root, '--accept-seq', '1']).code).toBe(0);
    expect(scene.tick().code).toBe(0);
    expect(scene.lines('ran')).toEqual(['claude 2', 'codex 1']);
  });

  it('one that cannot be read is exit 3, never nothing to do (L7)', () => {
    noting();
    rmSync(join(scene.root, 'CHANNEL.md'));
    expect(scene.tick().code).toBe(3);
    expect(scene.lines('ran')).toEqual([]);
  });
});

describe('W12: a mirror that fails', () => {
  it('stops neither the tick nor the others, and gets what it missed once, in order', () => {
    scene = makeScene();
    scene.script(
      'fragile',
      'cat > "$OUT/last"; [ -e "$OUT/up" ] || exit 1; grep -o "\\"seq\\":[0-9]*" "$OUT/last" >> "$OUT/got"',
    );
    scene.configure({
      parties: { codex: { command: ['sh', '-c', NOTES] } },
      mirror: [{ command: ['fragile'] }, { file: 'mirror.txt' }, { file: 'no/such/folder.txt' }],
    });
    const first = scene.tick();
    expect(first.code).toBe(0);
    expect(first.stderr).toMatch(/mirror command .*fragile failed \(.* exit code 1\); 1 wait/);
    expect(first.stderr).toMatch(/mirror file .*folder\.txt failed/);
    expect(scene.lines('ran')).toEqual(['codex 1']);
    scene.post('owner', 'info', {});
    writeFileSync(join(scene.folder, 'up'), '');
    scene.tick();
    scene.tick();
    expect(scene.lines('got')).toEqual(['"seq":1', '"seq":2']);
    expect(scene.lines('mirror.txt').map((line) => /MSG-\d+/.exec(line)?.[0])).toEqual(['MSG-1', 'MSG-2']);
  });
});
