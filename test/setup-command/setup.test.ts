import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeScene, type Scene } from './scene.js';

// A dozen processes one after the other take their time on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

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
      'claude',
      `writeFileSync('b.txt', 'work');
       for (const words of [['add', 'b.txt'], ['-c', 'user.name=t', '-c', 'user.email=t@example.invalid', 'commit', '-qm', 'work']]) spawnSync('git', words);
       const sha = spawnSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).stdout.trim();
       writeFileSync(process.env.HOME + '/claude.json', JSON.stringify({ args, prompt, cwd: process.cwd(), sha }));
       process.exitCode = debate('post', '--type', 'review-request', '--refs', 'work@' + sha, '--body', 'Please look.');`,
    );
    scene.addHarness(
      'codex',
      `const sha = spawnSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).stdout.trim();
       writeFileSync(process.env.HOME + '/codex.json', JSON.stringify({ args, prompt, cwd: process.cwd(), sha }));
       process.exitCode = debate('post', '--type', 'verdict', '--decision', 'approve', '--refs', 'work@' + sha, '--body', 'It holds.');`,
    );
    const done = await scene.debate(['setup', '--yes', '--no-tests']);
    expect(done, done.stderr).toMatchObject({ code: 0 });
    const task = /debate post (.*) --body/.exec(done.stdout)?.[1]?.split(' ') ?? [];
    expect((await scene.debate(['post', ...task, '--body', 'Add b.txt.'])).stdout).toContain('turn -> claude');

    const once = ['watch-once', '--config', configOf(done.stdout)];
    expect(await scene.debate(once)).toMatchObject({ code: 0 });
    expect(await scene.debate(once)).toMatchObject({ code: 0 });

    const log = (await scene.debate(['log'])).stdout;
    expect(log).toMatch(/MSG-2 .* claude {2}review-request[\s\S]*MSG-3 .* codex {2}verdict/);
    const builder = JSON.parse(readFileSync(join(scene.home, 'claude.json'), 'utf8'));
    const reviewer = JSON.parse(readFileSync(join(scene.home, 'codex.json'), 'utf8'));
    expect(reviewer.sha).toBe(builder.sha);
    expect(scene.git('rev-parse', 'debate/project/first-task')).toBe(builder.sha);
    expect(scene.git('status', '--porcelain')).toBe('');
    expect(builder.prompt).toMatch(
      /^You are claude, the builder on the review channel project\..*MSG-1 of thread first-task/,
    );
    expect(reviewer.prompt).toMatch(/^You are codex, the reviewer/);
    expect([...builder.args, ...reviewer.args].join(' ')).not.toContain('You are');
    expect(reviewer.args.at(-1)).toBe('-');
    expect(readFileSync(join(root(), 'PROTOCOL.md'), 'utf8')).toContain('claude and codex');
  });

  it('fills the roots in that a sandboxed builder must be able to write to, and no others', async () => {
    scene.addHarness('codex', `writeFileSync(process.env.HOME + '/codex.json', JSON.stringify({ args }));${READY}`);
    const done = await scene.debate([
      'setup',
      '--yes',
      '--builder',
      'codex',
      '--reviewer',
      'other',
      '--parties',
      'codex,other',
    ]);
    expect(done, done.stderr).toMatchObject({ code: 0 });
    await scene.debate([
      'post',
      '--as',
      'supervisor',
      '--type',
      'question',
      '--turn',
      'codex',
      '--thread',
      't',
      '--body',
      'x',
    ]);
    await scene.debate(['watch-once', '--config', configOf(done.stdout)]);
    const { args } = JSON.parse(readFileSync(join(scene.home, 'codex.json'), 'utf8')) as { args: string[] };
    const written = args.find((each) => each.startsWith('sandbox_workspace_write.writable_roots='));
    const roots = JSON.parse(written?.slice(written.indexOf('=') + 1) ?? '[]') as string[];
    const git = join(scene.project, '.git');
    expect(roots.slice(1)).toEqual(['objects', 'refs', 'logs'].map((name) => join(git, name)));
    expect(roots[0]).toContain(join(git, 'worktrees'));
    expect(args.join(' ')).not.toContain(`--add-dir`);
  });

  it('keeps the channel out of git, the secrets to their owner, and everything of this machine out of the channel', async () => {
    for (const name of ['claude', 'codex']) scene.addHarness(name, '');
    const done = await scene.debate(['setup', '--yes']);
    const config = configOf(done.stdout);
    expect(scene.git('status', '--porcelain')).toBe('');
    expect(config.startsWith(join(scene.home, '.config', 'debate'))).toBe(true);
    expect(statSync(join(dirname(config), 'agents.env')).mode & 0o777).toBe(0o600);
    expect(existsSync(join(root(), 'watcher.json'))).toBe(false);
    const { checks } = JSON.parse(readFileSync(join(root(), 'debate.json'), 'utf8'));
    expect(checks).toEqual({ tests: { command: ['npm', 'test'] } });
  });

  it('changes nothing the second time, and shows the difference before it overwrites', async () => {
    for (const name of ['claude', 'codex']) scene.addHarness(name, '');
    const first = await scene.debate(['setup', '--yes']);
    const config = configOf(first.stdout);
    const second = await scene.debate(['setup', '--yes']);
    expect(second.stdout).not.toMatch(/^(new|changed) /m);
    const edited = JSON.parse(readFileSync(config, 'utf8'));
    writeFileSync(config, JSON.stringify({ ...edited, budget: { max_invocations_per_hour: 3 } }, null, 2));
    const secret = join(dirname(config), 'agents.env');
    writeFileSync(secret, 'ANTHROPIC_API_KEY=secret-value\n');

    const third = await scene.debate(['setup', '--yes', '--reviewer-model', 'gpt-5']);
    expect(third, third.stderr).toMatchObject({ code: 0 });
    expect(third.stdout).toMatch(/changed \S+watcher\.json/);
    expect(third.stdout).toMatch(/^ {2}\+ .*"gpt-5"/m);
    expect(third.stdout).not.toContain('secret-value');
    expect(readFileSync(secret, 'utf8')).toBe('ANTHROPIC_API_KEY=secret-value\n');
    expect(JSON.parse(readFileSync(config, 'utf8')).budget).toEqual({ max_invocations_per_hour: 3 });
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

  it('registers only when asked: by the command of the harness, or by lines in its file', async () => {
    scene.addHarness(
      'claude',
      `writeFileSync(process.env.HOME + '/claude.json', JSON.stringify({ args, cwd: process.cwd() }));`,
    );
    scene.addHarness('codex', '');
    const toml = join(scene.home, '.codex', 'config.toml');
    mkdirSync(dirname(toml));
    writeFileSync(toml, 'model = "x"\n');
    const live = ['setup', '--yes', '--builder-mode', 'live', '--reviewer-mode', 'fallback'];
    const shown = await scene.debate(live);
    expect(shown.stdout).toContain('claude mcp add --scope local debate -- ');
    expect(existsSync(join(scene.home, 'claude.json'))).toBe(false);
    expect(readFileSync(toml, 'utf8')).toBe('model = "x"\n');

    const done = await scene.debate([...live, '--register']);
    expect(done, done.stderr).toMatchObject({ code: 0 });
    const called = JSON.parse(readFileSync(join(scene.home, 'claude.json'), 'utf8'));
    expect(called.cwd).toBe(scene.project);
    expect(called.args.slice(-5)).toEqual(['mcp', '--root', root(), '--as', 'claude']);
    expect(readFileSync(toml, 'utf8')).toContain('default_tools_approval_mode = "approve"');
    expect(readFileSync(toml, 'utf8')).toMatch(
      /^env_vars = \["DEBATE_ROOT", "DEBATE_PARTY", "DEBATE_THREAD", "DEBATE_SEQ", "DEBATE_WAKE"/m,
    );
    const { parties } = JSON.parse(readFileSync(configOf(done.stdout), 'utf8'));
    expect(Object.keys(parties)).toEqual(['codex']);
    expect(parties.codex.debounce_seconds).toBe(600);
  });

  it('--smoke wakes each seat once on a scratch channel, says first what it costs, and never touches the real one', async () => {
    scene.addHarness('claude', READY);
    scene.addHarness('codex', "console.log('You are not logged in.');");
    await scene.debate(['setup', '--yes']);
    await scene.debate([
      'post',
      '--as',
      'supervisor',
      '--type',
      'question',
      '--turn',
      'claude',
      '--thread',
      't',
      '--body',
      'x',
    ]);
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
    await scene.debate(['init', '--root', 'collab', '--parties', 'alpha,beta', '--supervisor', 'owner']);
    const done = await scene.debate(['setup', '--yes', '--parties', 'beta,alpha']);
    expect(done, done.stderr).toMatchObject({ code: 0 });
    expect(done.stdout).toContain('builder: beta (claude, headless)');
    expect(done.stdout).toContain(`--root ${join(scene.project, 'collab')} --as owner`);
    expect(existsSync(root())).toBe(false);
  });

  it('names the project of a channel that lies outside it', async () => {
    for (const name of ['claude', 'codex']) scene.addHarness(name, READY);
    const outside = join(scene.folder, 'plain');
    mkdirSync(outside);
    const done = await scene.debate(['setup', '--yes', '--root', join(outside, 'collab'), '--project', scene.project]);
    expect(done, done.stderr).toMatchObject({ code: 0 });
    expect(JSON.parse(readFileSync(join(outside, 'collab', 'debate.json'), 'utf8')).project).toBe(scene.project);
  });
});

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
