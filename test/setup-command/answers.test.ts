import { describe, expect, it } from 'vitest';
import { vendorOf } from '../../src/harness/vendor.js';
import type { Answers, Found, Given } from '../../src/setup/answers.js';
import { completeAnswers } from '../../src/setup/complete-answers.js';
import { concernsOf } from '../../src/setup/concerns.js';
import { detectTests } from '../../src/setup/detect-tests.js';
import { answersFor, nothingFound } from './place.js';

const nothingGiven: Given = { builder: {}, reviewer: {} };
const found = (...harnesses: Found['harnesses'][number][]): Found => ({ ...nothingFound, harnesses });

function complete(given: Given, here: Found): Answers {
  const completed = completeAnswers(given, here);
  if (!completed.ok) throw new Error(completed.problems.join('\n'));
  return completed.answers;
}

function problemsOf(given: Given, here: Found): readonly string[] {
  const completed = completeAnswers(given, here);
  return completed.ok ? [] : completed.problems;
}

describe('answers that were not given come from what was found (issue 5, item 4)', () => {
  it('seats the first two harnesses on the PATH, headless, under their own names', () => {
    expect(complete(nothingGiven, found('claude', 'codex', 'gemini'))).toEqual({
      supervisor: 'supervisor',
      seats: [
        { role: 'builder', party: 'claude', harness: 'claude', mode: 'headless', model: undefined },
        { role: 'reviewer', party: 'codex', harness: 'codex', mode: 'headless', model: undefined },
      ],
      tests: undefined,
    });
  });

  it('takes another harness than the one that was given for the other seat', () => {
    const given = { builder: {}, reviewer: { harness: 'claude' } } as const;
    expect(complete(given, found('claude', 'gemini')).seats.map(({ harness }) => harness)).toEqual([
      'gemini',
      'claude',
    ]);
  });

  it('names the seats by their roles where both have one harness', () => {
    const given = { builder: { harness: 'claude' }, reviewer: { harness: 'claude', model: 'opus' } } as const;
    expect(complete(given, found('claude')).seats.map(({ party }) => party)).toEqual(['builder', 'reviewer']);
  });

  it('says which seat has no harness, and what was found', () => {
    expect(problemsOf(nothingGiven, found('claude'))).toEqual([
      'The reviewer has no harness: only Claude Code was found on the PATH for a default. Name one with --reviewer.',
    ]);
    expect(problemsOf(nothingGiven, found())).toHaveLength(2);
  });

  it('never seats OpenCode by default, and wants its model: without one it picks a hosted model by itself', () => {
    expect(problemsOf(nothingGiven, found('claude', 'opencode'))).toHaveLength(1);
    const given = { builder: {}, reviewer: { harness: 'opencode' } } as const;
    expect(problemsOf(given, found('claude'))).toEqual([
      'OpenCode picks a hosted model by itself: pin one with --reviewer-model PROVIDER/MODEL.',
    ]);
    expect(problemsOf({ ...given, reviewer: { harness: 'opencode', model: 'local/tiny' } }, found('claude'))).toEqual(
      [],
    );
  });

  it('takes parties and supervisor from a channel that is there, and refuses other names for it', () => {
    const here: Found = { ...found('claude', 'codex'), channel: { parties: ['alpha', 'beta'], supervisor: 'owner' } };
    const answers = complete(nothingGiven, here);
    expect([answers.supervisor, ...answers.seats.map(({ party }) => party)]).toEqual(['owner', 'alpha', 'beta']);
    expect(complete({ ...nothingGiven, parties: ['beta', 'alpha'] }, here).seats[0].party).toBe('beta');
    expect(problemsOf({ ...nothingGiven, parties: ['claude', 'codex'] }, here)).toEqual([
      "The channel's parties are alpha and beta: name these with --parties, the builder first.",
    ]);
    expect(problemsOf({ ...nothingGiven, supervisor: 'boss' }, here)).toHaveLength(1);
  });

  it.each([
    [['a', 'a'], 'owner'],
    [['a', 'owner'], 'owner'],
    [['A b', 'c'], 'owner'],
  ])('refuses names that cannot be: %j and %s', (parties, supervisor) => {
    expect(problemsOf({ ...nothingGiven, parties, supervisor }, found('claude', 'codex'))).toHaveLength(1);
  });

  it('splits the tests at blanks, and refuses what only a shell could run', () => {
    const tests = (line: string | false) => complete({ ...nothingGiven, tests: line }, found('claude', 'codex')).tests;
    expect(tests('npm  run test:unit')).toEqual(['npm', 'run', 'test:unit']);
    expect(tests(false)).toBeUndefined();
    expect(tests(' ')).toBeUndefined();
    for (const line of ['npm test && rm -r x', 'echo $(x)', "sh -c 'a b'", 'a | b', 'a > b'])
      expect(problemsOf({ ...nothingGiven, tests: line }, found('claude', 'codex'))[0]).toContain('need a shell');
  });

  it('has no command for a harness that it does not know', () => {
    const given = { builder: { harness: 'other' }, reviewer: {} } as const;
    expect(complete(given, found('codex')).seats[0].mode).toBe('live');
    expect(problemsOf({ ...given, builder: { harness: 'other', mode: 'headless' } }, found('codex'))).toHaveLength(1);
  });
});

describe('what a person is warned of', () => {
  it('both seats share a model', () => {
    expect(concernsOf(answersFor('claude', 'claude'), found('claude'))).toEqual([
      "Both seats share one model (whatever Claude Code runs by default): a reviewer with the author's blind spots approves them.",
    ]);
  });

  it('both seats share a vendor, also across harnesses', () => {
    const answers = answersFor('claude', 'opencode');
    const [builder, reviewer] = answers.seats;
    const shared = { ...answers, seats: [builder, { ...reviewer, model: 'anthropic/claude-opus' }] } as const;
    expect(concernsOf(shared, found('claude', 'opencode'))).toEqual([
      'Both seats share one vendor (Anthropic): models of one family tend to make the same mistakes.',
    ]);
  });

  it('says nothing where the vendors differ, or where nobody can tell', () => {
    expect(concernsOf(answersFor('claude', 'codex'), found('claude', 'codex'))).toEqual([]);
    expect(concernsOf(answersFor('claude', 'copilot'), found('claude', 'copilot'))).toEqual([]);
  });

  it('a harness that is not on the PATH, and two live seats that nobody wakes', () => {
    expect(concernsOf(answersFor('claude', 'codex'), found('claude'))[0]).toContain('Codex (codex) is not on the PATH');
    expect(concernsOf(answersFor('claude', 'codex', 'live'), found())).toEqual([
      'Both seats are live: the watcher mirrors entries and wakes nobody.',
    ]);
  });

  it.each([
    ['claude', undefined, 'Anthropic'],
    ['opencode', 'openai/gpt-5', 'OpenAI'],
    ['opencode', 'openrouter/z-ai/glm-5', 'Zhipu'],
    ['copilot', 'claude-sonnet-4.5', 'Anthropic'],
    ['copilot', undefined, undefined],
    ['claude', 'glm-4.7', 'Zhipu'],
    ['qwen', 'qwen3-coder', 'Alibaba'],
    ['opencode', 'openai/o3', 'OpenAI'],
  ] as const)('%s with %s is of %s', (harness, model, vendor) => {
    expect(vendorOf(harness, model)).toBe(vendor);
  });
});

describe('how a project runs its tests', () => {
  const names = (...all: string[]) => new Set(all);

  it.each([
    [names('package.json', 'package-lock.json'), '{"scripts":{"test":"vitest"}}', ['npm', 'test'], ['npm', 'ci']],
    [names('package.json'), '{"scripts":{"test":"vitest"}}', ['npm', 'test'], undefined],
    [names('Cargo.toml'), undefined, ['cargo', 'test'], undefined],
    [names('go.mod'), undefined, ['go', 'test', './...'], undefined],
    [names('pyproject.toml'), undefined, ['pytest'], undefined],
  ])('%j', (files, packageJson, command, setup) => {
    expect(detectTests(files, packageJson)).toEqual({ command, setup });
  });

  it.each(['{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}', '{}', 'null', 'not json'])(
    'guesses nothing from %s',
    (text) => {
      expect(detectTests(names('package.json'), text)).toBeUndefined();
    },
  );
});
