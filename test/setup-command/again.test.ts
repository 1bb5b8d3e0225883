import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeScene, type Ran, type Scene } from './scene.js';

const LIVE = ['setup', '--yes', '--builder-mode', 'live', '--reviewer-mode', 'fallback'];
const SECRET = 'CODEX_API_KEY=secret-value\n';

let scene: Scene;
let config: string;
let first: Ran;
let second: Ran;
let third: Ran;
/** What the first two runs left of the places where a harness keeps its MCP servers. */
let untouched: readonly [called: boolean, toml: string];

/** A person who runs setup, runs it again, and then edits the config and runs it with other answers and --register. */
beforeAll(async () => {
  scene = makeScene();
  scene.addHarness(
    'claude',
    "writeFileSync(process.env.HOME + '/claude.json', JSON.stringify({ args, cwd: process.cwd() }));",
  );
  scene.addHarness('codex', '');
  mkdirSync(dirname(toml()));
  writeFileSync(toml(), 'model = "x"\n');
  first = await scene.debate(LIVE);
  config = /--config (\S+) --verbose/.exec(first.stdout)?.[1] ?? '';
  second = await scene.debate(LIVE);
  untouched = [existsSync(join(scene.home, 'claude.json')), readFileSync(toml(), 'utf8')];

  const edited = { ...read(config), budget: { max_invocations_per_hour: 3 } };
  writeFileSync(config, JSON.stringify(edited, null, 2));
  writeFileSync(join(dirname(config), 'agents.env'), SECRET);
  third = await scene.debate([...LIVE, '--reviewer-model', 'gpt-5', '--register']);
}, 180_000);
afterAll(() => scene.remove());

const root = () => join(scene.project, '.debate');
const toml = () => join(scene.home, '.codex', 'config.toml');
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

describe('debate setup, once and again (issue 5, item 4)', () => {
  it('keeps the channel out of git, the secrets to their owner, and everything of this machine out of the channel', () => {
    expect(first, first.stderr).toMatchObject({ code: 0 });
    expect(scene.git('status', '--porcelain')).toBe('');
    expect(config.startsWith(join(scene.home, '.config', 'debate'))).toBe(true);
    expect(statSync(join(dirname(config), 'agents.env')).mode & 0o777).toBe(0o600);
    expect(existsSync(join(root(), 'watcher.json'))).toBe(false);
    expect(read(join(root(), 'debate.json')).checks).toEqual({ tests: { command: ['npm', 'test'] } });
  });

  it('gives the watcher a command for a live seat with a fallback, with its debounce, and none for a live one', () => {
    const { parties } = read(config);
    expect(Object.keys(parties)).toEqual(['codex']);
    expect(parties.codex.debounce_seconds).toBe(600);
  });

  it('changes nothing the second time', () => {
    expect(second, second.stderr).toMatchObject({ code: 0 });
    expect(first.stdout).toMatch(/^new /m);
    expect(second.stdout).not.toMatch(/^(new|changed) /m);
  });

  it('shows the difference before it overwrites, and keeps what is not its own', () => {
    expect(third, third.stderr).toMatchObject({ code: 0 });
    expect(third.stdout).toMatch(/changed \S+watcher\.json/);
    expect(third.stdout).toMatch(/^ {2}\+ .*"gpt-5"/m);
    expect(third.stdout).not.toContain('secret-value');
    expect(readFileSync(join(dirname(config), 'agents.env'), 'utf8')).toBe(SECRET);
    expect(read(config).budget).toEqual({ max_invocations_per_hour: 3 });
  });

  it('registers only when asked: by the command of the harness, or by lines in its file', () => {
    expect(first.stdout).toContain('claude mcp add --scope local debate -- ');
    expect(untouched).toEqual([false, 'model = "x"\n']);
    const called = read(join(scene.home, 'claude.json'));
    expect(called.cwd).toBe(scene.project);
    expect(called.args.slice(-5)).toEqual(['mcp', '--root', root(), '--as', 'claude']);
    expect(readFileSync(toml(), 'utf8')).toContain('default_tools_approval_mode = "approve"');
    expect(readFileSync(toml(), 'utf8')).toMatch(
      /^env_vars = \["DEBATE_ROOT", "DEBATE_PARTY", "DEBATE_THREAD", "DEBATE_SEQ", "DEBATE_WAKE"/m,
    );
  });
});
