import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Found, Given } from '../../src/setup/answers.js';
import { completeAnswers } from '../../src/setup/complete-answers.js';
import { confirmed, interview } from '../../src/setup/interview.js';

// What it draws depends on the terminal's name; these tests look for its diamond.
process.env.TERM = 'xterm';

const ENTER = '\r';
const DOWN = '\u001b[B';
const CTRL_C = '\u0003';
const nothingGiven: Given = { builder: {}, reviewer: {} };
const found: Found = { harnesses: ['claude', 'codex'], channel: undefined, tests: ['npm', 'test'] };

/** A terminal on which the given keys are pressed, each once its question has been drawn. */
function typing(...answers: readonly string[]) {
  const input = new PassThrough();
  const output = new PassThrough();
  let shown = '';
  let pressed = 0;
  output.on('data', (drawn: Buffer) => {
    shown += drawn.toString();
    const questions = shown.split('◆').length - 1;
    if (questions <= pressed || pressed >= answers.length) return;
    const keys = answers[pressed] ?? '';
    pressed += 1;
    setTimeout(() => {
      for (const key of keys.match(/\u001b\[.|[\s\S]/g) ?? []) input.write(key);
    }, 20);
  });
  return { terminal: { input, output }, shown: () => shown };
}

describe('the interview of debate setup (issue 5, item 4)', () => {
  it('has a default ready for every question: return all the way is what --yes does', async () => {
    const { terminal } = typing(...Array.from({ length: 8 }, () => ENTER));
    const given = await interview(nothingGiven, found, terminal);
    const asked = given === undefined ? undefined : completeAnswers(given, found);
    expect(asked).toEqual(completeAnswers(nothingGiven, found));
  });

  it('asks per seat who and how, then for names and tests', async () => {
    const { terminal, shown } = typing(ENTER, DOWN + ENTER, ENTER, DOWN + DOWN + ENTER, ENTER, ENTER, ENTER);
    const given = await interview(nothingGiven, found, terminal);
    expect(given).toMatchObject({
      builder: { harness: 'claude', mode: 'live' },
      reviewer: { harness: 'codex', mode: 'fallback' },
      parties: ['claude', 'codex'],
      supervisor: 'supervisor',
      tests: 'npm test',
    });
    expect(shown()).toContain('Who builds');
  });

  it('asks nothing that was said on the command line', async () => {
    const { terminal, shown } = typing();
    const given: Given = {
      builder: { harness: 'claude', mode: 'live' },
      reviewer: { harness: 'codex', mode: 'headless' },
      parties: ['a', 'b'],
      supervisor: 'owner',
      tests: false,
    };
    expect(await interview(given, found, terminal)).toEqual(given);
    expect(shown()).toBe('');
  });

  it('is broken off with Ctrl-C at any question, and then says so', async () => {
    expect(await interview(nothingGiven, found, typing(CTRL_C).terminal)).toBeUndefined();
    expect(await interview(nothingGiven, found, typing(ENTER, CTRL_C).terminal)).toBeUndefined();
    expect(await confirmed('Write this?', true, typing(CTRL_C).terminal)).toBeUndefined();
    expect(await confirmed('Write this?', true, typing(ENTER).terminal)).toBe(true);
  });
});
