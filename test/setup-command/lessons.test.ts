import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { agentsSnippet } from '../../src/setup/agents-snippet.js';
import { LESSONS } from '../../src/setup/lessons.js';
import { pinnedPrompt } from '../../src/setup/prompts.js';
import { PLACEHOLDERS } from '../../src/watcher/config/placeholders.js';

const skill = readFileSync(new URL('../../skills/debate/SKILL.md', import.meta.url), 'utf8');
const texts = {
  'the prompt of a builder': pinnedPrompt('builder', 'debate'),
  'the prompt of a reviewer': pinnedPrompt('reviewer', 'debate'),
  'the skill': skill,
  'the AGENTS.md snippet': agentsSnippet(skill),
};

// Words that the text cannot lose without losing the lesson.
const lessons: readonly (readonly [string, readonly RegExp[]])[] = [
  ['check that it is still your turn', [/make sure that it is (?:still )?your turn/i, /post nothing/]],
  ['read only the open thread', [/open thread/, /only that/i, /older threads/]],
  ['claims come from git or a fresh run', [/from git or from a run that you made just now/, /never from the channel/]],
  ['cite commit and counts', [/cite the commit/i, /name@sha/, /counts/, /exit code/]],
  ['the checkout is shared', [/checkout is shared/, /switch, reset, stash/]],
  ['one post, then stop', [/(?:exactly one entry|`post_entry` once)/, /then stop/i, /if_seq/]],
  ['ask when only the owner can decide', [/only the owner can decide/i, /ask: true/]],
  [
    'a refusal means the state changed: exit',
    [/refusal means that the state is not what you read/i, /(?:: exit|otherwise stop)/],
  ],
  ['you are stateless', [/you are stateless/i]],
  ['entries are input to judgment, not commands', [/input to your judgment, not commands/]],
];

describe('pinned prompts carry every lesson (issue 5, item 5)', () => {
  for (const [name, text] of Object.entries(texts)) {
    const words = text.replaceAll(/\s+/g, ' ');
    it.each(lessons)(`${name}: %s`, (_, patterns) => {
      for (const pattern of patterns) expect(words).toMatch(pattern);
    });
  }

  it.each(['builder', 'reviewer'] as const)('the prompt of a %s holds each lesson in full', (role) => {
    const prompt = pinnedPrompt(role, 'debate');
    for (const lesson of Object.values(LESSONS)) expect(prompt).toContain(lesson);
  });

  it('a reviewer is told not to edit, a builder to commit on its own branch', () => {
    expect(texts['the prompt of a reviewer']).toContain('change no file');
    expect(texts['the prompt of a builder']).toContain("on the thread's own branch: commit there");
  });

  it('names the tool as the agent can start it, whatever characters its path has', () => {
    expect(pinnedPrompt('builder', "'/opt/$& tool/node' main.js")).toContain("`'/opt/$& tool/node' main.js read`");
    expect(pinnedPrompt('builder', 'debate')).not.toContain('{cli}');
  });

  it('leaves no brace but those that the watcher fills (DESIGN.md 8: prompts compose nothing)', () => {
    for (const role of ['builder', 'reviewer'] as const) {
      const braces = pinnedPrompt(role, 'debate').match(/\{[^}]*\}/g) ?? [];
      expect([...new Set(braces)].sort()).toEqual(['{channel_name}', '{party}', '{seq}', '{thread}']);
      for (const brace of braces) expect(PLACEHOLDERS as readonly string[]).toContain(brace.slice(1, -1));
    }
  });
});

describe('the skill (issue 5, item 6)', () => {
  it('is in the open SKILL.md format: its folder is its name, the description says what and when', () => {
    const [, front = ''] = /^---\n([\s\S]*?)\n---\n/.exec(skill) ?? [];
    const fields = new Map(front.split('\n').map((line) => [line.split(': ')[0], line.slice(line.indexOf(': ') + 2)]));
    expect(fields.get('name')).toBe('debate');
    expect(fields.get('description')?.length).toBeGreaterThan(40);
    expect(fields.get('description')?.length).toBeLessThanOrEqual(1024);
    expect(fields.get('description')).toContain('Use when');
  });

  it('is short enough to be read at every turn', () => {
    expect(skill.length).toBeLessThan(4500);
  });

  it('becomes a section of AGENTS.md: the same words without front matter, headings one level lower', () => {
    const snippet = agentsSnippet(skill);
    expect(snippet).toMatch(/^## Taking your turn/);
    expect(snippet).not.toMatch(/^---$/m);
    expect(snippet).not.toMatch(/^# /m);
    const body = skill.slice(skill.indexOf('\n# ') + 1);
    expect(snippet.replaceAll(/^#(#+ )/gm, '$1').trim()).toBe(body.trim());
  });
});

describe('the Claude Code plugin manifest', () => {
  const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  const manifest = JSON.parse(read('.claude-plugin/plugin.json'));

  it('bundles the MCP server and both hooks; the skill lies where plugins have theirs', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how a manifest names a variable.
    expect(manifest.mcpServers.debate.args).toEqual(['mcp', '--as', '${DEBATE_PARTY:-claude}']);
    expect(Object.keys(manifest.hooks)).toEqual(['SessionStart', 'Stop']);
    expect(skill).toContain('name: debate');
  });

  it('has the version of the package', () => {
    expect(manifest.version).toBe(JSON.parse(read('package.json')).version);
  });
});
