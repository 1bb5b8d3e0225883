import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { isAlive, makeScene, type Scene, until } from '../watcher/scene.js';

let scene: Scene;
afterEach(() => scene.remove());

const pidsIn = (name: string) => scene.lines(name).map(Number);

describe('W5: ending a run ends its whole tree', () => {
  it.each([
    [
      'what a run left in the background when it ended',
      'sleep 300 & echo $! >> "$OUT/pids"; echo $$ >> "$OUT/pids"; echo hi',
    ],
    ['a run that waits for its background', 'echo $$ >> "$OUT/pids"; sleep 300 & echo $! >> "$OUT/pids"; wait'],
    ['one that ignores TERM', 'trap "" TERM; echo $$ >> "$OUT/pids"; while :; do sleep 0.2; done'],
    ['a tool in a session of its own', 'setsid sleep 300 & echo $! >> "$OUT/pids"; echo $$ >> "$OUT/pids"; wait'],
  ])('%s', async (_what, script) => {
    scene = makeScene();
    scene.configure({ parties: { codex: { command: ['sh', '-c', script], timeout_seconds: 2 } } });
    expect(scene.tick().code).toBe(0);
    const pids = pidsIn('pids');
    expect(pids.length).toBeGreaterThan(0);
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it('a timeout is recorded as one, whatever exit code the agent then chose', () => {
    scene = makeScene();
    const command = ['sh', '-c', 'trap "exit 0" TERM; while :; do sleep 0.1; done'];
    scene.configure({ parties: { codex: { command, timeout_seconds: 1 } } });
    scene.tick();
    expect(scene.memory().attempts).toMatchObject([{ outcome: 'timed-out' }]);
  });
});

describe('W6: an agent that posts after its time', () => {
  it('and its retry leave exactly one entry', async () => {
    scene = makeScene();
    // The first run leaves the tree for good: another session, another parent, and not the mark of its run.
    const late =
      'sleep 2.5; debate post --root "$R" --as codex --type verdict --if-seq 1 --body late; echo $? >> "$OUT/late"';
    scene.script('late', late);
    scene.script(
      'agent',
      `[ -e "$OUT/first" ] && exec debate post --type verdict --body "on time"
touch "$OUT/first"
(env -u DEBATE_WAKE -u DEBATE_ROOT -u DEBATE_PARTY -u DEBATE_SEQ R="$DEBATE_ROOT" setsid late &) ; sleep 60`,
    );
    scene.configure({ parties: { codex: { command: ['agent'], timeout_seconds: 1, retry_seconds: 0 } } });
    scene.tick();
    scene.tick();
    await until('the late one', () => scene.lines('late')[0]);
    const answers = scene.entries().filter((entry) => entry.sender === 'codex');
    expect(answers).toHaveLength(1);
    expect(scene.debate(['verify', '--root', scene.root]).code).toBe(0);
  });
});

describe('a run that can only be refused any more is ended (DESIGN.md 7: overtaken)', () => {
  const running = async (): Promise<ReturnType<Scene['start']>> => {
    scene = makeScene();
    scene.configure({ parties: { codex: { command: ['sh', '-c', 'echo $$ > "$OUT/pid"; sleep 120'] } } });
    const tick = scene.start(['watch-once', '--config', scene.config]);
    await until('the agent', () => scene.lines('pid')[0]);
    return tick;
  };

  it.each([
    ['its thread is closed', 'close', {}],
    ['its turn is re-pointed', 'info', { turn: 'claude' }],
  ])('%s', async (_what, type, draft) => {
    const tick = await running();
    scene.post('owner', type, draft);
    await tick.ended;
    expect(pidsIn('pid').filter(isAlive)).toEqual([]);
    expect(scene.memory().attempts).toMatchObject([{ outcome: 'aborted', detail: 'it was ended (overtaken)' }]);
  });

  it('a word of the supervisor that moves no turn ends nothing', async () => {
    scene = makeScene();
    const command = ['sh', '-c', 'echo $$ > "$OUT/pid"; while ! [ -e "$OUT/go" ]; do sleep 0.1; done; sleep 2'];
    scene.configure({ parties: { codex: { command } } });
    const tick = scene.start(['watch-once', '--config', scene.config]);
    await until('the agent', () => scene.lines('pid')[0]);
    scene.post('owner', 'info', { body: 'Take your time.' });
    writeFileSync(join(scene.folder, 'go'), '');
    await tick.ended;
    expect(scene.memory().attempts).toMatchObject([{ outcome: 'no-reply' }]);
  });
});

describe('a tick that is told to end', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('by %s ends the agent that runs, with its whole tree, and remembers it', async (signal, code) => {
    scene = makeScene();
    const script = 'echo $$ >> "$OUT/pids"; setsid sleep 300 & echo $! >> "$OUT/pids"; wait';
    scene.configure({ parties: { codex: { command: ['sh', '-c', script] } } });
    const tick = scene.start(['watch-once', '--config', scene.config]);
    await until('the agent', () => pidsIn('pids')[1]);
    tick.child.kill(signal);
    expect((await tick.ended).code).toBe(code);
    expect(pidsIn('pids').filter(isAlive)).toEqual([]);
    expect(scene.memory().attempts).toMatchObject([{ outcome: 'aborted', detail: 'it was ended (shutdown)' }]);
  });

  it('a second time ends it without any grace, whatever it ignores', async () => {
    scene = makeScene();
    const script = 'trap "" TERM; echo $$ >> "$OUT/pids"; while :; do sleep 0.2; done';
    scene.configure({ grace_seconds: 120, parties: { codex: { command: ['sh', '-c', script] } } });
    const tick = scene.start(['watch-once', '--config', scene.config, '--verbose']);
    await until('the agent', () => pidsIn('pids')[0]);
    tick.child.kill('SIGTERM');
    await new Promise((done) => setTimeout(done, 300));
    tick.child.kill('SIGTERM');
    expect((await tick.ended).code).toBe(143);
    expect(pidsIn('pids').filter(isAlive)).toEqual([]);
  });
});
