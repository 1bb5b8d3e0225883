import { describe, expect, it } from 'vitest';
import { invocationOf } from '../../../src/agents/models/presets.js';
import { decideRetry, readRetryAfter } from '../../../src/agents/models/retry.js';
import { isScripted, modelsSchema } from '../../../src/agents/models/schema.js';
import { fillSecrets, hideSecrets } from '../../../src/agents/models/secrets.js';

const problem = (settings: object) => {
  const result = modelsSchema.safeParse({ a: settings });
  return result.success ? undefined : JSON.stringify(result.error.issues);
};
// biome-ignore lint/suspicious/noTemplateCurlyInString: this is how settings name a secret.
const reference = '${KEY}';

describe('the settings of models', () => {
  it('has four kinds, with defaults for what may be left out', () => {
    expect(
      modelsSchema.parse({
        a: { kind: 'command', preset: 'claude' },
        b: { kind: 'endpoint', base_url: 'http://localhost:11434/v1', model: 'tiny' },
        c: { kind: 'script', file: 'replies.json' },
        d: { kind: 'stub' },
      }),
    ).toMatchObject({
      a: { timeout_seconds: 600, max_output_bytes: 4194304 },
      b: { timeout_seconds: 120, retries: 4, max_wait_seconds: 60 },
    });
  });

  it.each([
    ['an unknown key', { kind: 'stub', echo: true }, 'echo'],
    ['an unknown kind', { kind: 'oracle' }, 'kind'],
    ['neither preset nor command', { kind: 'command' }, 'either'],
    ['both preset and command', { kind: 'command', preset: 'codex', command: ['x'] }, 'either'],
    ['a preset option on a command', { kind: 'command', command: ['x'], access: 'write' }, 'belong to a preset'],
    ['opencode without a model', { kind: 'command', preset: 'opencode' }, 'needs'],
    ['an address that is none', { kind: 'endpoint', base_url: 'localhost:1', model: 'm' }, 'http'],
    [
      'a key where the name of a variable belongs',
      { kind: 'endpoint', base_url: 'http://h', model: 'm', api_key_env: 'sk-1' },
      'name of a variable',
    ],
    ['a secret outside env and headers', { kind: 'endpoint', base_url: 'http://h', model: reference }, 'secret'],
    [
      'a timeout of nothing',
      { kind: 'endpoint', base_url: 'http://h', model: 'm', timeout_seconds: 0 },
      'timeout_seconds',
    ],
  ])('refuses %s', (_, settings, word) => {
    expect(problem(settings)).toContain(word);
  });

  it('knows which models only say what was written beforehand', () => {
    const models = modelsSchema.parse({
      a: { kind: 'stub' },
      b: { kind: 'script', file: 'f' },
      c: { kind: 'command', preset: 'codex' },
    });
    expect(Object.values(models).map(isScripted)).toEqual([true, true, false]);
  });

  it('no preset puts the prompt into its arguments', () => {
    for (const preset of ['claude', 'codex', 'gemini', 'opencode', 'copilot', 'qwen', 'ollama'] as const) {
      const settings = { kind: 'command', preset, model: 'm', timeout_seconds: 1, max_output_bytes: 1024 } as const;
      const invocation = invocationOf(settings, 'THE PROMPT');
      expect(invocation.promptOnStdin, preset).toBe(true);
      expect(invocation.argv.join(' '), preset).not.toContain('THE PROMPT');
    }
  });
});

describe('secrets', () => {
  it('are filled in one pass: what a secret contains stays data (X5)', () => {
    expect(fillSecrets(`Bearer ${reference}`, { KEY: reference }, 'x').text).toBe(`Bearer ${reference}`);
  });
  it('an unset or empty variable is named', () => {
    expect(() => fillSecrets(reference, { KEY: '' }, '"headers.X"')).toThrow(/"headers\.X" names the variable KEY/);
  });
  it('are hidden, the longer one first', () => {
    expect(hideSecrets('abcd abcdef', ['abcd', 'abcdef'])).toBe('*** ***');
  });
});

describe('X3: whether to call again', () => {
  const limits = { retries: 3, maxWaitSeconds: 60 };
  it.each([
    [429, undefined, 0, 0, 0.5],
    [429, undefined, 2, 1, 4],
    [503, undefined, 1, 0.5, 1.5],
    [429, 10, 0, 0, 10],
    [429, 10, 0, 1, 12.5],
    [429, 60, 0, 1, 60],
    [500, 0, 0, 1, 0],
  ])('%i with Retry-After %s at attempt %i: waits', (status, after, attempt, random, waitSeconds) => {
    expect(decideRetry(status, after, attempt, limits, random)).toEqual({ retry: true, waitSeconds });
  });
  it.each([
    [429, 61, 0],
    [429, undefined, 3],
    [400, undefined, 0],
    [401, 1, 0],
    [0, undefined, 0],
    [200, undefined, 0],
  ])('%i with Retry-After %s at attempt %i: never', (status, after, attempt) => {
    expect(decideRetry(status, after, attempt, limits, 0.5)).toEqual({ retry: false });
  });
  it('reads seconds and dates, and nothing from nonsense', () => {
    const now = Date.UTC(2026, 0, 1);
    expect(readRetryAfter(' 7 ', now)).toBe(7);
    expect(readRetryAfter('Thu, 01 Jan 2026 00:01:00 GMT', now)).toBe(60);
    expect(readRetryAfter('Wed, 31 Dec 2025 00:00:00 GMT', now)).toBe(0);
    expect(readRetryAfter('soon', now)).toBeUndefined();
    expect(readRetryAfter(undefined, now)).toBeUndefined();
  });
});
