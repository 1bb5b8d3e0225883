import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openModel, settingsOf } from '../../../src/agents/models/open-model.js';
import { testWorld } from './test-world.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'script-model-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function script(content: unknown, world = testWorld({ folder })) {
  await writeFile(join(folder, 'replies.json'), typeof content === 'string' ? content : JSON.stringify(content));
  const model = await openModel('demo', { kind: 'script', file: 'replies.json' }, world);
  return (prompt: string, signal?: AbortSignal) => model.complete({ prompt }, signal === undefined ? {} : { signal });
}

describe('a script model', () => {
  it('replies in order, and running out is an error that names the call', async () => {
    const ask = await script({ replies: ['one', { text: 'two', finish: 'length' }] });
    expect((await ask('a')).text).toBe('one');
    expect(await ask('b')).toMatchObject({ text: 'two', finish: 'length' });
    await expect(ask('Is the  harbour\ndeep?')).rejects.toMatchObject({
      code: 'exhausted',
      message: expect.stringMatching(/no reply left for call 3.*"Is the harbour deep\?"/),
    });
  });

  it('a reply with a pattern answers every prompt in which it is found; the others keep their order', async () => {
    const ask = await script({ replies: ['one', { when: 'your verdict', text: 'ACCEPT' }, 'two'] });
    expect((await ask('Give YOUR VERDICT.')).text).toBe('ACCEPT');
    expect((await ask('x')).text).toBe('one');
    expect((await ask('Give your verdict.')).text).toBe('ACCEPT');
    expect((await ask('x')).text).toBe('two');
  });

  it('X1: strips thinking; says tokens only where the script does', async () => {
    const ask = await script({ replies: ['<think>x</think>A', { text: 'B', input_tokens: 5, output_tokens: 1 }] });
    expect(await ask('q')).toMatchObject({ text: 'A', usage: { inputTokens: undefined, outputTokens: undefined } });
    expect((await ask('q')).usage).toEqual({ inputTokens: 5, outputTokens: 1 });
  });

  it('can fail and take its time, as real models do', async () => {
    const world = testWorld({ folder });
    const ask = await script({ replies: [{ text: 'late', delay_seconds: 3 }, { error: 'quota used up' }] }, world);
    expect(await ask('q')).toMatchObject({ text: 'late', durationSeconds: 3 });
    expect(world.waits).toEqual([3]);
    await expect(ask('q')).rejects.toThrow('quota used up');
  });

  it.each([
    ['not JSON', '{', /cannot be read/],
    ['no replies', { replies: 'x' }, /at replies/],
    ['an unknown key', { replies: [{ text: 'x', wen: 'y' }] }, /at replies\.0/],
    ['a pattern that is none', { replies: [{ when: '(', text: 'x' }] }, /replies\.0/],
  ])('a file with %s is an error that says where', async (_, content, message) => {
    await expect(script(content)).rejects.toThrow(message);
  });

  it('X7: does not answer after the signal', async () => {
    const ask = await script({ replies: ['one'] });
    await expect(ask('q', AbortSignal.abort())).rejects.toMatchObject({ code: 'aborted' });
  });
});

describe('a stub', () => {
  it('R15: echoes the first 100 characters of the prompt', async () => {
    const model = await openModel('stub', { kind: 'stub' }, testWorld());
    expect((await model.complete({ system: 'S', prompt: 'x'.repeat(300) }, {})).text).toBe('x'.repeat(100));
  });
});

describe('a model by name', () => {
  it('an unknown one is an error that lists the known ones', () => {
    expect(() => settingsOf('b', { a: { kind: 'stub' } })).toThrow(/no model b.*known: a/);
    expect(() => settingsOf('constructor', {})).toThrow(/known: none yet/);
  });
});
