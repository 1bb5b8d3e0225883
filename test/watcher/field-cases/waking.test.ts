import { spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { makeScene, type Scene, TOOL } from '../scene.js';

let scene: Scene;
afterEach(() => scene.remove());

/** A scene whose party codex, which is due, runs this shell script. */
function woken(script: string, settings: Record<string, unknown> = {}, top: Record<string, unknown> = {}): Scene {
  scene = makeScene();
  const command = ['sh', '-c', script];
  scene.configure({ parties: { codex: { command, ...settings } }, ...top });
  return scene;
}

const mirrored = (name: string) => ({ mirror: [{ file: name }] });

describe('W1: exit 0 without a post is not a success', () => {
  it('gets one timed retry, then one escalation with the exit code and the last lines of output', () => {
    woken('echo "all done"', { retry_seconds: 0 }, mirrored('mirror.txt'));
    expect(scene.tick()).toMatchObject({ code: 0 });
    expect(scene.memory().attempts).toMatchObject([{ outcome: 'no-reply', detail: 'exit 0, and nothing posted' }]);
    for (let tick = 0; tick < 3; tick++) expect(scene.tick().code).toBe(4);
    expect(scene.memory().attempts.map((run) => run.attempt)).toEqual([1, 2]);
    const told = scene.lines('mirror.txt').filter((line) => line.includes('ESCALATION'));
    expect(told).toEqual([expect.stringContaining('no-reply: codex did not answer in two runs: exit 0')]);
    expect(scene.lines('mirror.txt').join('\n')).toContain('| all done');
  });

  it('waits for retry_seconds before the retry', () => {
    woken('exit 3', { retry_seconds: 1800 });
    scene.tick();
    const second = scene.tick();
    expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining('codex did not answer MSG-1: exit 3') });
    expect(scene.memory().attempts).toHaveLength(1);
  });
});

describe('W2: a child never waits for our standard input', () => {
  it('reads end-of-file at once, also when ours is a pipe with an idle writer', async () => {
    woken('cat > "$OUT/read"; echo ended > "$OUT/ended"');
    const fifo = join(scene.folder, 'fifo');
    const made = spawn('mkfifo', [fifo]);
    await new Promise((done) => made.on('close', done));
    const idle = openSync(fifo, 'r+');
    const tick = spawn(process.execPath, [TOOL, 'watch-once', '--config', scene.config], {
      env: scene.env,
      stdio: [idle, 'ignore', 'ignore'],
    });
    expect(await new Promise((done) => tick.on('close', done))).toBe(0);
    expect(scene.lines('ended')).toEqual(['ended']);
    expect(scene.lines('read')).toEqual([]);
  });
});

describe.runIf(process.platform === 'linux')('W3: one argument has a limit on Linux', () => {
  it('a prompt of 131,071 bytes runs', () => {
    scene = makeScene();
    const command = ['sh', '-c', 'echo $(printf %s "$1" | wc -c) > "$OUT/bytes"', 'sh', '{prompt}'];
    scene.configure({ parties: { codex: { command, prompt: 'x'.repeat(131_071) } } });
    expect(scene.tick().code).toBe(0);
    expect(scene.lines('bytes')).toEqual(['131071']);
  });

  it('one of 131,072 is an escalation that names the size, the limit and the setting, and no run', () => {
    scene = makeScene();
    const command = ['sh', '-c', 'echo ran >> "$OUT/ran"', 'sh', '{prompt}'];
    scene.configure({
      parties: { codex: { command, prompt: 'x'.repeat(131_072) } },
      ...mirrored('mirror.txt'),
    });
    for (let tick = 0; tick < 3; tick++) expect(scene.tick().code).toBe(4);
    const told = scene.lines('mirror.txt').filter((line) => line.includes('ESCALATION'));
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/cannot-start: .*131072 bytes.*takes 131071.*"stdin": "prompt"/);
    expect(scene.lines('ran')).toEqual([]);
    expect(scene.memory().attempts).toEqual([]);
    scene.configure({ parties: { codex: { command: command.slice(0, 3), prompt: 'x'.repeat(131_072) } } });
    expect(scene.tick().code).toBe(0);
    expect(scene.lines('ran')).toEqual(['ran']);
  });
});

describe('W4: a child that does not read its prompt breaks nothing', () => {
  it('one of 1 MiB on stdin to `true`', () => {
    scene = makeScene();
    scene.configure({ parties: { codex: { command: ['true'], prompt: 'x'.repeat(1 << 20) } } });
    const { code, stderr } = scene.tick();
    expect(code).toBe(0);
    expect(stderr).not.toMatch(/EPIPE|Error/);
  });

  it('and one that reads it gets all of it', () => {
    scene = makeScene();
    const command = ['sh', '-c', 'echo $(wc -c) > "$OUT/bytes"'];
    scene.configure({ parties: { codex: { command, prompt: 'x'.repeat(1 << 20) } } });
    scene.tick();
    expect(scene.lines('bytes')).toEqual([String(1 << 20)]);
  });
});

describe("W7: cron's environment has next to nothing", () => {
  const bare = (given: Scene) => ({ HOME: given.folder, PATH: '/usr/bin:/bin' });

  it('a command that lies on its PATH works without USER and terminal', () => {
    scene = makeScene();
    scene.configure({
      parties: { codex: { command: ['sh', '-c', `echo "$DEBATE_PARTY $DEBATE_SEQ" > ${scene.folder}/who`] } },
    });
    const tick = spawn(process.execPath, [TOOL, 'watch-once', '--config', scene.config], { env: bare(scene) });
    return new Promise<void>((done) =>
      tick.on('close', (code) => {
        expect(code).toBe(0);
        expect(scene.lines('who')).toEqual(['codex 1']);
        done();
      }),
    );
  });

  it('one that does not is named, with the PATH on which it was looked for', async () => {
    scene = makeScene();
    scene.configure({ parties: { codex: { command: ['claude-of-somebody'] } }, mirror: ['stdout'] });
    const tick = spawn(process.execPath, [TOOL, 'watch-once', '--config', scene.config], { env: bare(scene) });
    let said = '';
    tick.stdout.on('data', (chunk) => {
      said += chunk;
    });
    expect(await new Promise((done) => tick.on('close', done))).toBe(4);
    expect(said).toContain('codex cannot start: claude-of-somebody: not found on PATH=/usr/bin:/bin');
    expect(said).toContain('debate schedule install');
    expect(scene.memory().attempts).toEqual([]);
  });

  it('a variable that the config names and nobody has set is named', () => {
    scene = makeScene();
    scene.configure({
      parties: { codex: { command: ['true'], env: { KEY: ['$', '{NOBODY_HAS_THIS}'].join('') } } },
      mirror: ['stdout'],
    });
    const { code, stdout } = scene.tick();
    expect(code).toBe(4);
    expect(stdout).toContain('The environment has no NOBODY_HAS_THIS');
  });
});

describe('W9: a quota that is used up is waited for', () => {
  it('ten ticks are one run and one escalation that says until when', () => {
    const said = "You've hit your session limit, resets 10:30pm";
    woken(`echo ran >> "$OUT/ran"; echo "${said}"; exit 1`, { retry_seconds: 0 }, mirrored('mirror.txt'));
    scene.tick();
    for (let tick = 0; tick < 9; tick++) expect(scene.tick().code).toBe(4);
    expect(scene.lines('ran')).toEqual(['ran']);
    const told = scene.lines('mirror.txt').filter((line) => line.includes('ESCALATION'));
    expect(told).toEqual([expect.stringMatching(/quota: codex's quota is used up: .*resets 10:30pm \(until .*Z\)/)]);
  });
});

describe('W12: a mirror is never on the critical path', () => {
  it('a claim of the mirrors that cannot be given back keeps nobody from being woken', () => {
    woken(
      'echo ran >> "$OUT/ran"',
      {},
      { mirror: [{ command: ['sh', '-c', 'touch state/state.json.mirroring/held'] }] },
    );
    expect(scene.tick().code).toBe(0);
    expect(scene.lines('ran')).toEqual(['ran']);
    expect(Object.values(scene.memory().mirrored)).toMatchObject([{ seq: 1 }]);
  });
});

describe('an agent is told what it was woken for (DESIGN.md 7)', () => {
  it('and nothing else of the tool that the watcher may have inherited', () => {
    woken('env | grep ^DEBATE_ | sort > "$OUT/env"');
    scene.debate(['watch-once', '--config', scene.config], { env: { DEBATE_PARTY: 'claude', DEBATE_OTHER: 'x' } });
    expect(scene.lines('env')).toEqual([
      'DEBATE_PARTY=codex',
      `DEBATE_ROOT=${scene.root}`,
      'DEBATE_SEQ=1',
      'DEBATE_THREAD=retry-backoff',
      expect.stringMatching(/^DEBATE_WAKE=w[0-9a-f]{16}$/),
    ]);
  });

  it('and the log of its run holds its output without the secrets of its environment', () => {
    scene = makeScene();
    scene.configure({
      parties: { codex: { command: ['sh', '-c', 'echo "key $API_TOKEN"'], env: { API_TOKEN: 'hunter2hunter2' } } },
    });
    scene.tick();
    const log = readFileSync(join(scene.folder, 'state', 'logs', 'codex-1-1.log'), 'utf8');
    expect(log).toMatch(/^key \[masked/);
    expect(log).not.toContain('hunter2');
  });
});
