import { describe, expect, it } from 'vitest';
import { geminiPolicy } from '../../src/harness/gemini-policy.js';
import { opencodePermissions } from '../../src/harness/opencode-permissions.js';

const COMMANDS = [
  ['git', 'log'],
  ['git', 'diff'],
];

/** Whether Gemini CLI's rule that goes first denies a command: it is matched as JSON, from the command's beginning on. */
function geminiDenies(command: string): boolean {
  const written = /^commandRegex = (".*")$/m.exec(geminiPolicy('reviewer', COMMANDS))?.[1] ?? '""';
  const whole = JSON.stringify({ command, description: 'to see "this" > that; --output' });
  return new RegExp(`^\\{"command":"${JSON.parse(written)}`).test(whole);
}

/** Whether the last of OpenCode's patterns that matches denies a command. */
function opencodeDenies(command: string): boolean {
  const { bash } = opencodePermissions('reviewer', COMMANDS) as { bash: Record<string, string> };
  const matches = (pattern: string) =>
    new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`, 's').test(command);
  return (
    Object.entries(bash)
      .filter(([pattern]) => matches(pattern))
      .at(-1)?.[1] === 'deny'
  );
}

// `npm run test:harness` tries the like of these with the real programs.
describe('a reviewer whose shell may only look runs plain commands (issue 5, item 4: it cannot edit)', () => {
  it.each([
    'git diff HEAD~1 --output=/x',
    'git diff HEAD~1 --outp"ut"=/x',
    "git diff HEAD~1 --outp''ut=/x",
    'git diff HEAD~1 --outp\\ut=/x',
    'git diff HEAD~1 --outp{ut=/x,ut=/y}',
    'git log > /x',
    'git log | tee /x',
    'git log && touch /x',
    'git log & touch /x',
    'git log; touch /x',
    'git log $(touch /x)',
    'git log `touch /x`',
    'git log <(touch /x)',
  ])('not %s', (command) => {
    expect([geminiDenies(command), opencodeDenies(command)]).toEqual([true, true]);
  });

  it('nor a second line, which OpenCode judges as a command of its own', () => {
    expect(geminiDenies('git log\ntouch /x')).toBe(true);
  });

  it.each([
    'git log',
    'git log -3 --format=%H',
    'git diff --no-ext-diff HEAD~1 -- src/output.ts',
    'git diff main...HEAD',
  ])('but %s', (command) => {
    expect([geminiDenies(command), opencodeDenies(command)]).toEqual([false, false]);
  });
});
