import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HARNESS_NAMES, HARNESSES } from '../../src/harness/harnesses.js';
import { SEAT_MODES } from '../../src/setup/answers.js';
import type { Place } from '../../src/setup/place.js';
import { putFile } from '../../src/setup/put-file.js';
import { loadWatcherConfig } from '../../src/watcher/config/load.js';
import { judgePrompts } from '../../src/watcher/doctor/prompts.js';
import { answersFor, planOf, somewhere } from './place.js';

let folder = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'debate-plan-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a plan as setup does, and loads its config as the watcher does. */
function loaded(
  harness: (typeof HARNESS_NAMES)[number],
  mode: (typeof SEAT_MODES)[number],
  change: Partial<Place> = {},
) {
  const root = join(folder, 'channel');
  mkdirSync(root);
  const place = { ...somewhere, root, config: join(folder, 'config', 'watcher.json'), exclude: undefined, ...change };
  const model = HARNESSES[harness].needsModel ? 'provider/model' : undefined;
  for (const file of planOf(answersFor(harness, harness, mode, model), place).files) putFile(file);
  const surroundings = { environment: {}, home: folder, locate: () => ({ root, name: place.channelName }) };
  const result = loadWatcherConfig(place.config, surroundings);
  if (!result.ok) throw new Error(result.problems.join('\n'));
  return result.config;
}

describe('the watcher.json that setup writes is one that the watcher loads', () => {
  it.each(HARNESS_NAMES)('%s, in every mode', (harness) => {
    for (const mode of SEAT_MODES) {
      const config = loaded(harness, mode);
      expect(Object.keys(config.parties)).toEqual(mode === 'live' ? [] : ['builder', 'reviewer']);
      for (const settings of Object.values(config.parties)) {
        expect(settings.command?.[0]).toBe(harness);
        expect(settings.stdin).toBe('prompt');
        expect(settings.debounceSeconds).toBe(mode === 'fallback' ? 600 : 0);
        expect(settings.command?.join(' ')).not.toContain('{prompt}');
      }
      expect(judgePrompts(config).map(({ level }) => level)).toEqual(mode === 'live' ? [] : ['ok', 'ok']);
      rmSync(join(folder, 'channel'), { recursive: true });
      rmSync(join(folder, 'config'), { recursive: true });
    }
  });

  it('without a repository: no worktree, and the folder around the channel to work in', () => {
    const config = loaded('claude', 'headless', { project: undefined, workFolder: folder });
    expect(config.parties.reviewer).toMatchObject({ worktree: undefined, cwd: folder, checksBefore: [] });
    expect(config.parties.builder).toMatchObject({ worktree: undefined, cwd: folder });
  });

  it('without a repository, Codex gets no roots of a worktree that it does not have', () => {
    const config = loaded('codex', 'headless', { project: undefined, workFolder: folder });
    expect(config.parties.builder?.command?.join(' ')).not.toContain('writable_roots');
  });

  it('a channel whose name git would refuse in a branch leaves it out', () => {
    const config = loaded('claude', 'headless', { channelName: 'My project: v2' });
    expect(config.parties.builder?.worktree).toMatchObject({ kind: 'branch', branch: 'debate/{thread}' });
  });

  it('in a folder of several channels, server and hooks name theirs, and Codex hands the name on', () => {
    const config = loaded('codex', 'headless', { channelId: 'demo-12345' });
    const command = config.parties.builder?.command?.join(' ') ?? '';
    expect(command).toContain('"--channel", "demo-12345"');
    expect(command).toContain('"DEBATE_CHANNEL"');
  });
});

describe('a reviewer can read, run checks and post, and cannot edit (issue 5, item 4)', () => {
  const texts = (harness: (typeof HARNESS_NAMES)[number]) => {
    const plan = planOf(answersFor('other', harness, 'headless', 'provider/model'));
    return plan.files
      .filter(({ path }) => !path.includes('/prompts/'))
      .map(({ text }) => text)
      .join('\n');
  };

  it.each([
    ['claude', /"dontAsk"/, /"(?:Edit|Write)|acceptEdits|Bash\(/],
    ['codex', /"read-only"/, /workspace-write|writable_roots/],
    ['gemini', /"plan"[\s\S]*commandRegex = .*--output.*\ndecision = "deny"/, /auto_edit|git (?:add|commit)/],
    ['opencode', /"edit": "deny"/, /"edit": "allow"|git (?:add|commit)/],
    ['copilot', /--deny-tool=write"[\s\S]*--deny-tool=shell"/, /--allow-tool=(?:write|shell)/],
    ['qwen', /"default"[\s\S]*"--exclude-tools=run_shell_command"/, /auto-edit|--allowed-tools/],
  ] as const)('%s', (harness, has, hasNot) => {
    const answers = answersFor('other', harness, 'headless', 'provider/model');
    const live = { ...answers, seats: [{ ...answers.seats[0], mode: 'live' as const }, answers.seats[1]] as const };
    const text = planOf(live)
      .files.filter(({ path }) => !path.includes('/prompts/'))
      .map((file) => file.text)
      .join('\n');
    expect(text).toMatch(has);
    expect(text).not.toMatch(hasNot);
    expect(texts(harness)).toContain('"checks_before"');
  });
});
