import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeScene, type Scene } from '../setup-command/scene.js';

// A dozen processes one after the other take their time on a busy machine.

let scene: Scene;
beforeEach(() => {
  scene = makeScene();
});
afterEach(() => scene.remove());

const READY = "process.exitCode = debate('post', '--type', 'info', '--body', 'ready');";
const root = () => join(scene.project, '.debate');

/** The config that setup names in its last lines. */
function configOf(stdout: string): string {
  return /--config (\S+) --verbose/.exec(stdout)?.[1] ?? '';
}

describe('debate setup --yes (issue 5, item 4), with stand-in harnesses on the PATH', () => {
  it('seats two harnesses so that the watcher drives a review: the builder commits on its branch, the reviewer looks at that commit', async () => {
    scene.addHarness(
      'codex',
      `writeFileSync('b.txt', 'work');
       for (const words of [['add', 'b.txt'], ['-c', 'user.name=t', '-c', 'user.email=t@example.invalid', 'commit', '-qm', 'work']]) spawnSync('git', words);
       const sha = spawnSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).stdout.trim();
       writeFileSync(process.env.HOME + '/codex.json', JSON.stringify({ args, prompt, cwd: process.cwd(), sha }));
       process.exitCode = debate('post', '--type', 'review-request', '--refs', 'work@' + sha, '--body', 'Please look.');`,
    );
    scene.addHarness(
      'claude',
      `const sha = spawnSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).stdout.trim();
       writeFileSync(process.env.HOME + '/claude.json', JSON.stringify({ args, prompt, cwd: process.cwd(), sha }));
       process.exitCode = debate('post', '--type', 'verdict', '--decision', 'approve', '--refs', 'work@' + sha, '--body', 'It holds.');`,
    );
    const done = await scene.debate(['setup', '--yes', '--no-tests', '--builder', 'codex', '--reviewer', 'claude']);
    expect(done, done.stderr).toMatchObject({ code: 0 });
    const task = /debate post (.*) --body/.exec(done.stdout)?.[1]?.split(' ') ?? [];
    expect((await scene.debate(['post', ...task, '--body', 'Add b.txt.'])).stdout).toContain('turn -> codex');

    const once = ['watch-once', '--config', configOf(done.stdout)];
    expect(await scene.debate(once)).toMatchObject({ code: 0 });
    expect(await scene.debate(once)).toMatchObject({ code: 0 });

    const log = (await scene.debate(['log'])).stdout;
    expect(log).toMatch(/MSG-2 .* codex {2}review-request[\s\S]*MSG-3 .* claude {2}verdict/);
    const builder = JSON.parse(readFileSync(join(scene.home, 'codex.json'), 'utf8'));
    const reviewer = JSON.parse(readFileSync(join(scene.home, 'claude.json'), 'utf8'));
    expect(reviewer.sha).toBe(builder.sha);
    expect(scene.git('rev-parse', 'debate/project/first-task')).toBe(builder.sha);
    expect(scene.git('status', '--porcelain')).toBe('');
    expect(builder.prompt).toMatch(
      /^You are codex, the builder on the review channel project\..*MSG-1 of thread first-task/,
    );
    expect(reviewer.prompt).toMatch(/^You are claude, the reviewer/);
    expect([...builder.args, ...reviewer.args].join(' ')).not.toContain('You are');
    expect(builder.args.at(-1)).toBe('-');
    expectWritableRoots(builder.args);
    expect(readFileSync(join(root(), 'PROTOCOL.md'), 'utf8')).toContain('codex and claude');
  });

  it('--dry-run says all that would be done and does nothing of it', async () => {
    for (const name of ['claude', 'codex']) scene.addHarness(name, '');
    const shown = await scene.debate(['setup', '--dry-run', '--builder-mode', 'live', '--json']);
    expect(shown).toMatchObject({ code: 0 });
    const document = JSON.parse(shown.stdout);
    expect(document).toMatchObject({ root: root(), written: false });
    expect(document.registrations[0].argv.slice(0, 3)).toEqual(['claude', 'mcp', 'add']);
    expect(document.hooks[0].file).toBe(join(scene.project, '.claude', 'settings.local.json'));
    expect(existsSync(root())).toBe(false);
    expect(existsSync(join(scene.home, '.config'))).toBe(false);
    expect(scene.git('status', '--porcelain')).toBe('');
  });

  it('--smoke wakes each seat once on a scratch channel, says first what it costs, and never touches the real one', async () => {
    scene.addHarness('claude', READY);
    scene.addHarness('codex', "console.log('You are not logged in.');");
    scene.init('.debate', ['claude', 'codex'], 'supervisor');
    const task = ['--type', 'question', '--turn', 'claude', '--thread', 't', '--body', 'x'];
    expect(await scene.debate(['post', '--as', 'supervisor', ...task])).toMatchObject({ code: 0 });
    const mailbox = readFileSync(join(root(), 'CHANNEL.md'), 'utf8');
    const smoke = await scene.debate(['setup', '--yes', '--smoke'], { TMPDIR: scene.folder });
    expect(smoke.code).toBe(4);
    const cost = smoke.stdout.indexOf('claude: one turn of Claude Code, on its login or API key');
    expect(cost).toBeGreaterThan(-1);
    expect(smoke.stdout.indexOf('is being woken')).toBeGreaterThan(cost);
    expect(smoke.stdout).toContain('claude took its turn: ready');
    expect(smoke.stdout).toContain('codex posted nothing');
    expect(readFileSync(join(root(), 'CHANNEL.md'), 'utf8')).toBe(mailbox);
    expect(scene.git('branch', '--list')).toBe('* main');
  });

  it('seats a channel that is there, under its own names, and adds no second one', async () => {
    for (const name of ['claude', 'codex']) scene.addHarness(name, '');
    scene.init('collab', ['alpha', 'beta'], 'owner');
    const done = await scene.debate(['setup', '--yes', '--parties', 'beta,alpha']);
    expect(done, done.stderr).toMatchObject({ code: 0 });
    expect(done.stdout).toContain('builder: beta (claude, headless)');
    expect(done.stdout).toContain(`--root ${join(scene.project, 'collab')} --as owner`);
    expect(existsSync(root())).toBe(false);
  });

  it('names the project of a channel that lies outside it', async () => {
    for (const name of ['claude', 'codex']) scene.addHarness(name, '');
    const outside = join(scene.folder, 'plain');
    mkdirSync(outside);
    const done = await scene.debate(['setup', '--yes', '--root', join(outside, 'collab'), '--project', scene.project]);
    expect(done, done.stderr).toMatchObject({ code: 0 });
    expect(JSON.parse(readFileSync(join(outside, 'collab', 'debate.json'), 'utf8')).project).toBe(scene.project);
  });
});

/** The roots that a sandboxed builder must be able to write to, and no others. */
function expectWritableRoots(args: readonly string[]): void {
  const written = args.find((each) => each.startsWith('sandbox_workspace_write.writable_roots='));
  const roots = JSON.parse(written?.slice(written.indexOf('=') + 1) ?? '[]') as string[];
  const git = join(scene.project, '.git');
  expect(roots.slice(1)).toEqual(['objects', 'refs', 'logs'].map((name) => join(git, name)));
  expect(roots[0]).toContain(join(git, 'worktrees'));
  expect(args.join(' ')).not.toContain('--add-dir');
}

describe('debate setup refuses with one sentence', () => {
  it('to ask where there is no terminal', async () => {
    const done = await scene.debate(['setup']);
    expect(done.code).toBe(2);
    expect(done.stderr).toContain('Add --yes');
  });

  it('to guess a second harness', async () => {
    scene.addHarness('claude', '');
    const done = await scene.debate(['setup', '--yes']);
    expect(done.code).toBe(2);
    expect(done.stderr).toContain('Name one with --reviewer');
    expect(existsSync(root())).toBe(false);
  });

  it('to a woken agent, which must not change how it is woken', async () => {
    const done = await scene.debate(['setup', '--yes'], { DEBATE_WAKE: 'w1' });
    expect(done.code).toBe(1);
    expect(done.stderr).toContain('not-when-woken');
  });

  it('to overwrite a config that it cannot read', async () => {
    for (const name of ['claude', 'codex']) scene.addHarness(name, '');
    const config = join(scene.folder, 'watcher.json');
    writeFileSync(config, '{ "mirror": ["stdout"], }');
    const done = await scene.debate(['setup', '--yes', '--config', config]);
    expect(done.code).toBe(3);
    expect(done.stderr).toContain('comma');
    expect(readFileSync(config, 'utf8')).toBe('{ "mirror": ["stdout"], }');
  });
});

describe('debate setup --print agents-md', () => {
  it('prints the section for AGENTS.md and does nothing else', async () => {
    const done = await scene.debate(['setup', '--print', 'agents-md']);
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(done.stdout).toMatch(/^## Taking your turn on a review channel/);
    expect(existsSync(root())).toBe(false);
  });
});
