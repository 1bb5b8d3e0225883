import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { makeScene, type Scene, until } from '../watcher/scene.js';

let scene: Scene;
afterEach(() => scene.remove());

const git = (...args: readonly string[]) =>
  execFileSync('git', ['-C', join(scene.folder, 'project'), ...args], { encoding: 'utf8' }).trim();

/** A channel whose project is a small repository with one commit; claude asks codex to review that commit. */
function withProject(debateJson: Record<string, unknown> = {}, cites?: string): string {
  scene = makeScene({ thread: false });
  const project = join(scene.folder, 'project');
  mkdirSync(project);
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Someone');
  git('config', 'user.email', 'someone@example.org');
  writeFileSync(join(project, 'file.txt'), 'one\n');
  git('add', '.');
  git('commit', '--quiet', '--message', 'one');
  const config = join(scene.root, 'debate.json');
  writeFileSync(config, JSON.stringify({ ...JSON.parse(readFileSync(config, 'utf8')), project, ...debateJson }));
  const commit = git('rev-parse', 'HEAD');
  scene.post('claude', 'review-request', { thread: 'work', refs: cites ?? `main@${commit}` });
  return commit;
}

describe('a worktree of its own keeps an agent away from the live checkout (issue 3)', () => {
  it('"detached": at the cited commit, removed after a reply, kept when there was none', () => {
    const commit = withProject();
    git('commit', '--quiet', '--allow-empty', '--message', 'two');
    const look = 'git rev-parse HEAD > "$OUT/head"; [ "$PWD" = "$DEBATE_WORKTREE" ] && pwd > "$OUT/where"';
    const answer = 'debate post --type verdict --body fine';
    scene.configure({
      parties: {
        codex: { command: ['sh', '-c', `${look}; ${answer}`], worktree: 'detached' },
        claude: { command: ['sh', '-c', 'pwd > "$OUT/kept"'], worktree: 'detached' },
      },
    });
    scene.tick();
    expect(scene.lines('head')).toEqual([commit]);
    expect(scene.lines('where')).toHaveLength(1);
    expect(existsSync(scene.lines('where')[0] ?? '')).toBe(false);
    scene.tick();
    expect(existsSync(scene.lines('kept')[0] ?? '')).toBe(true);
  });

  it('a branch: reused by the runs of a thread, removed when it has closed, and the branch stays', () => {
    withProject();
    scene.script(
      'agent',
      'pwd >> "$OUT/where"; echo more >> file.txt; git commit --quiet --all --message more; debate post --type "$1" --body done',
    );
    const worktree = { branch: 'debate/{party}/{thread}', setup: ['sh', '-c', 'echo setup >> "$OUT/setup"'] };
    scene.configure({
      parties: {
        codex: { command: ['agent', 'question'], worktree },
        claude: { command: ['sh', '-c', 'debate post --type info --body x'] },
      },
    });
    for (let tick = 0; tick < 3; tick++) scene.tick();
    expect(new Set(scene.lines('where')).size).toBe(1);
    expect(scene.lines('where')).toHaveLength(2);
    expect(scene.lines('setup')).toEqual(['setup']);
    scene.post('owner', 'close', {});
    scene.tick();
    expect(existsSync(scene.lines('where')[0] ?? '')).toBe(false);
    expect(git('log', '--format=%s', 'debate/codex/work')).toBe('more\nmore\none');
    expect(git('status', '--porcelain')).toBe('');
    expect(scene.memory().trees).toEqual([]);
  });

  it('a tree with work that is not committed is kept, told, and removed once it is clean', () => {
    withProject();
    const worktree = { branch: 'debate/{thread}' };
    scene.configure({
      parties: { codex: { command: ['sh', '-c', 'pwd > "$OUT/where"; echo more >> file.txt'], worktree } },
    });
    scene.tick();
    scene.post('owner', 'close', {});
    expect(scene.tick().stderr).toContain('is kept: it has changes that are not committed');
    const [tree = ''] = scene.lines('where');
    execFileSync('git', ['-C', tree, 'checkout', '--quiet', '.']);
    scene.post('owner', 'info', { thread: 'next', turn: 'claude' });
    scene.tick();
    expect(existsSync(tree)).toBe(false);
  });

  it('a citation that does not resolve is an escalation, not a run', () => {
    withProject({}, 'main@0123456789abcdef');
    scene.configure({
      parties: { codex: { command: ['sh', '-c', 'echo ran >> "$OUT/ran"'], worktree: 'detached' } },
      mirror: [{ file: 'mirror.txt' }],
    });
    expect(scene.tick().code).toBe(4);
    expect(scene.lines('mirror.txt').join('\n')).toMatch(/no-such-commit: .*does not have exactly one commit 0123456/);
    expect(scene.lines('ran')).toEqual([]);
    expect(scene.memory().attempts).toEqual([]);
  });

  it('a setup that fails is escalated at once and is no run of the agent', () => {
    withProject();
    const worktree = { branch: 'debate/{thread}', setup: ['sh', '-c', 'echo no such package; exit 1'] };
    scene.configure({
      parties: { codex: { command: ['sh', '-c', 'echo ran >> "$OUT/ran"'], worktree } },
      mirror: [{ file: 'mirror.txt' }],
    });
    expect(scene.tick().code).toBe(4);
    expect(scene.lines('mirror.txt').join('\n')).toMatch(
      /cannot-start: codex cannot start: The setup of .* failed: sh -c .* failed \(exit 1\)\.?\n.*\n.*no such package/,
    );
    expect(scene.lines('ran')).toEqual([]);
    expect(scene.memory().attempts).toMatchObject([{ outcome: 'cannot-start' }]);
    expect(git('worktree', 'list', '--porcelain')).toContain('debate/work');
    scene.post('owner', 'close', { body: 'Enough.' });
    scene.tick();
    expect(git('worktree', 'list', '--porcelain')).not.toContain('debate/work');
  });

  it('a setup that prints more than a log holds leaves the log of the agent where it is looked for', () => {
    withProject();
    const worktree = { branch: 'debate/{thread}', setup: ['sh', '-c', 'yes setup | head -c 9000000'] };
    scene.configure({ parties: { codex: { command: ['sh', '-c', 'echo said by the agent'], worktree } } });
    scene.tick();
    const [run] = scene.memory().attempts;
    expect(readFileSync(run?.log ?? '', 'utf8')).toMatch(/said by the agent\n$/);
    expect(readFileSync(`${run?.log}.1`, 'utf8')).not.toContain('said by the agent');
  });
});

describe('checks_before (issue 4): pinned checks run before the party is woken', () => {
  const pinned = (command: readonly string[]) => ({ checks: { tests: { command } } });

  it('at the cited commit, once, outside the run; the party finds the record', async () => {
    withProject(pinned(['sh', '-c', `echo "$PWD" >> "${'$'}{HOME}/checked"; exit 1`]));
    const command = ['sh', '-c', 'debate check tests --wait 0 --json > "$OUT/evidence"; echo $? > "$OUT/code"'];
    scene.configure({ parties: { codex: { command, checks_before: ['tests'] } } });
    expect(scene.tick().stdout).toContain('the check tests at');
    expect(scene.lines('code')).toEqual([]);
    await until('the party', () => {
      scene.tick();
      return scene.lines('code')[0];
    });
    expect(scene.lines('code')).toEqual(['0']);
    expect(JSON.parse(scene.lines('evidence').join(''))).toMatchObject({ kind: 'ran', exit: 1 });
    expect(scene.lines('checked')).toHaveLength(1);
    expect(scene.memory().attempts).toHaveLength(1);
  });

  it('one that cannot run is escalated, and nobody is woken', async () => {
    withProject(pinned(['no-such-program-anywhere']));
    scene.configure({
      parties: { codex: { command: ['sh', '-c', 'echo ran >> "$OUT/ran"'], checks_before: ['tests'] } },
      mirror: [{ file: 'mirror.txt' }],
    });
    await until('the escalation', () => scene.tick().code === 4);
    expect(scene.lines('mirror.txt').join('\n')).toContain('ESCALATION check-not-run');
    expect(scene.lines('ran')).toEqual([]);
  });

  it('a name that is not pinned is told by doctor before the night', () => {
    withProject();
    scene.configure({ parties: { codex: { command: ['true'], checks_before: ['lint'] } } });
    const { code, stdout } = scene.debate(['doctor', '--config', scene.config]);
    expect(code).toBe(4);
    expect(stdout).toContain('"checks_before" of codex asks for lint, which is not pinned');
    expect(readdirSync(scene.folder)).toContain('project');
  });
});
