import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Scene, trailer } from '../agents/seats/scene.js';

const tool = join(import.meta.dirname, '../../dist/cli/main.cjs');
/** A dozen programs are started one after the other, on a machine that may be busy. */
const PATIENCE_MS = 300_000;
let scene: Scene;
let env: NodeJS.ProcessEnv;
beforeEach(() => {
  scene = new Scene();
  env = { XDG_STATE_HOME: join(scene.folder, 'xdg') };
});
afterEach(() => scene.remove());

const agent = (kind: string) => [process.execPath, tool, 'agent', kind, '--config', scene.config];
const tick = () => scene.cli(['watch-once', '--config', scene.config], { env });

const WRONG =
  '<<<FILE src/sum.mjs\nexport const sum = (...all) => all.reduce((a, b) => a + b);\nFILE>>>\nSum any number of values';
const RIGHT =
  '<<<FILE src/sum.mjs\nexport const sum = (...all) => all.reduce((a, b) => a + b, 0);\nFILE>>>\nBegin at 0';
const CHECK = `import { sum } from './src/sum.mjs';\nif (sum() !== 0) throw new Error('sum of nothing');\n`;

describe('seats that a real watcher wakes', () => {
  test(
    'a whole review by ticks alone: the reviewer runs the pinned check itself and finds the planted fault',
    async () => {
      scene.commit({ 'check.mjs': CHECK }, 'A check');
      scene.setChannel({
        checks: { tests: { command: [process.execPath, 'check.mjs'], timeout_seconds: 60 } },
        require_evidence: { verdict: ['tests'] },
      });
      scene.configure(
        {
          hands: [
            { when: '<feedback>', text: RIGHT },
            { when: '<task>', text: WRONG },
          ],
          critic: [
            {
              when: '<<<FOUND\\s+tests: exit 1',
              text: 'REJECT: src/sum.mjs:1 fails for no values: the check tests exits 1.',
            },
            { when: '<<<FOUND\\s+tests: exit 0', text: 'ACCEPT' },
            { when: 'no checks yet', text: 'CHECK: run tests' },
          ],
        },
        { builder: { kind: 'produce', model: 'hands' }, reviewer: { kind: 'review', model: 'critic' } },
        {
          parties: {
            builder: { command: agent('produce'), worktree: { branch: 'debate/{thread}' } },
            reviewer: { command: agent('review'), worktree: 'detached' },
          },
        },
      );
      await scene.post('owner', 'question', 'Let sum take any number of values.', { thread: 'sum', turn: 'builder' });
      for (let ticks = 0; ticks < 5 && scene.state().thread !== ''; ticks += 1) {
        const ran = await tick();
        expect(ran.code, ran.stdout + ran.stderr).toBe(0);
      }
      const entries = scene.entries();
      expect(entries.map(({ sender, type }) => `${sender} ${type}`)).toEqual([
        'owner question',
        'builder review-request',
        'reviewer verdict',
        'builder fix-report',
        'reviewer verdict',
        'builder close',
      ]);
      const [, , first, , second, close] = entries;
      expect(first?.body).toContain('1. It ran tests, and found:');
      expect(trailer(first ?? scene.last(), 'Debate-Check')).toMatch(/^tests [0-9a-f]{40} exit 1 in /);
      expect(trailer(second ?? scene.last(), 'Debate-Check')).toMatch(/^tests [0-9a-f]{40} exit 0 in /);
      expect(trailer(second ?? scene.last(), 'Decision')).toBe('approve');
      expect(close?.body).toContain('Approved by reviewer in MSG-5');
      expect(scene.git('log', '--format=%s', 'main..debate/sum')).toBe('Begin at 0\nSum any number of values');
      expect(scene.git('status', '--porcelain')).toBe('');
      expect(scene.defects()).toEqual([]);
    },
    PATIENCE_MS,
  );

  test(
    'an acceptance against a check that fails at the commit is no approval',
    async () => {
      scene.commit({ 'check.mjs': CHECK }, 'A check');
      scene.setChannel({ checks: { tests: { command: [process.execPath, 'check.mjs'] } } });
      scene.configure({ critic: ['ACCEPT'] }, { reviewer: { kind: 'review', model: 'critic', checks: ['tests'] } });
      const commit = scene.change({ 'src/sum.mjs': 'export const sum = () => 1;\n' });
      await scene.post('builder', 'review-request', 'Please.', { thread: 't', refs: `work@${commit}` });
      const ran = await scene.cli(agent('review').slice(2).concat('--as', 'reviewer'), { env });
      expect(ran.code, ran.stderr).toBe(0);
      expect(ran.stdout).toBe('posted MSG-2, verdict (turn -> builder)\n');
      expect(trailer(scene.last(), 'Decision')).toBe('request-changes');
      expect(scene.last().body).toContain('the reviewer accepted, but tests did not come to exit 0 there');
      expect(scene.last().body).toContain('- tests: exit 1 in');
    },
    PATIENCE_MS,
  );

  test(
    'killed while its model works it has posted nothing, and the next tick answers once',
    async () => {
      const slow = { when: '.', text: 'Answer: yes', delay_seconds: 60 };
      const seats = { reviewer: { kind: 'debate', debaters: [{ model: 'm' }], debater_count: 1 } };
      const parties = { parties: { reviewer: { command: agent('debate'), retry_seconds: 0, worktree: 'detached' } } };
      scene.configure({ m: [slow] }, seats, parties);
      await scene.post('builder', 'question', 'Well?', { thread: 't' });
      const seat = spawn(process.execPath, [tool, 'agent', 'debate', '--as', 'reviewer', '--config', scene.config], {
        stdio: 'ignore',
      });
      await wait(1500);
      seat.kill('SIGKILL');
      await once(seat, 'exit');
      expect(scene.state().seq).toBe(1);
      scene.configure({ m: [{ ...slow, delay_seconds: 0 }] }, seats, parties);
      expect((await tick()).code).toBe(0);
      expect((await tick()).code).toBe(0);
      expect(scene.entries()).toHaveLength(2);
      expect(scene.defects()).toEqual([]);
    },
    PATIENCE_MS,
  );

  test(
    'at SIGTERM it ends with 143, posts nothing, and leaves no harness behind',
    async () => {
      const script = join(scene.folder, 'slow.mjs');
      scene.write(
        'slow.mjs',
        `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(join(scene.folder, 'pid'))}, String(process.pid));\nsetTimeout(() => {}, 60_000);\n`,
      );
      scene.configure(
        { m: { kind: 'command', command: [process.execPath, script] } },
        { reviewer: { kind: 'debate', debaters: [{ model: 'm' }], debater_count: 1 } },
      );
      await scene.post('builder', 'question', 'Well?', { thread: 't' });
      const seat = spawn(process.execPath, [tool, 'agent', 'debate', '--as', 'reviewer', '--config', scene.config], {
        stdio: 'ignore',
      });
      let pid = 0;
      while (pid === 0) {
        await wait(50);
        try {
          pid = Number(scene.read('pid'));
        } catch {
          pid = 0;
        }
      }
      seat.kill('SIGTERM');
      const [code] = await once(seat, 'exit');
      expect(code).toBe(143);
      expect(scene.state().seq).toBe(1);
      expect(() => process.kill(pid, 0)).toThrow();
    },
    PATIENCE_MS,
  );

  test(
    'the command says why it has nothing to do, and why it failed, with the exit codes of every command',
    async () => {
      scene.configure({ m: [] }, { reviewer: { kind: 'debate', debaters: [{ model: 'm' }], debater_count: 1 } });
      const call = (more: NodeJS.ProcessEnv = {}, ...args: readonly string[]) =>
        scene.cli(['agent', 'debate', '--config', scene.config, ...args], { env: { ...env, ...more } });
      const idle = await call({}, '--as', 'reviewer');
      expect(idle).toMatchObject({ code: 0, stdout: 'nothing for reviewer to do: no thread is open\n', stderr: '' });
      await scene.post('builder', 'question', 'Well?', { thread: 't' });
      const failed = await call({}, '--as', 'reviewer', '--json');
      expect(failed.code).toBe(3);
      expect(JSON.parse(failed.stdout)).toMatchObject({ error: { code: 'could-not-check' } });
      expect(failed.stderr).toContain(
        'reviewer posted nothing: No debater said anything (The script of model m has no reply left',
      );
      const woken = { DEBATE_ROOT: scene.root, DEBATE_PARTY: 'builder', DEBATE_SEQ: '1', DEBATE_WAKE: 'w1' };
      expect(await call(woken, '--as', 'reviewer')).toMatchObject({ code: 1, stdout: '' });
      expect((await call({}, '--as', 'reviewer', '--variant', 'chat')).code).toBe(2);
      scene.write('channel/watcher.json', scene.read('watcher.json'));
      scene.write('elsewhere/x', '');
      const { DEBATE_WAKE: _wake, ...known } = { ...woken, DEBATE_PARTY: 'reviewer' };
      const found = await scene.cli(['agent', 'debate'], {
        env: { ...env, ...known },
        cwd: join(scene.folder, 'elsewhere'),
      });
      expect(found.stderr).toContain(join(scene.root, 'models/m.json'));
      expect(scene.state().seq).toBe(1);
    },
    PATIENCE_MS,
  );
});
