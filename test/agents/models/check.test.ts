import { afterEach, describe, expect, it } from 'vitest';
import { checkModel, trialSpends, tryModel } from '../../../src/agents/models/check.js';
import type { CommandSettings } from '../../../src/agents/models/schema.js';
import { type Behaviour, chatServer, fails, says } from './chat-server.js';
import { testWorld } from './test-world.js';

let close: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of close) await end();
  close = [];
});
const serve = async (...behaviours: Behaviour[]) => {
  const server = await chatServer(...behaviours);
  close.push(server.close);
  return server;
};
const lists =
  (...ids: string[]): Behaviour =>
  (response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ data: ids.map((id) => ({ id })) }));
const command = (argv: string[]): CommandSettings => ({
  kind: 'command',
  command: argv,
  timeout_seconds: 20,
  max_output_bytes: 4096,
});
const world = testWorld({ environment: { PATH: process.env.PATH } });

describe('models check', () => {
  it('a server is asked for its models and never for a completion', async () => {
    const server = await serve(lists('tiny', 'big'));
    expect(await checkModel('a', server.settings(), world)).toEqual({
      name: 'a',
      kind: 'endpoint',
      found: true,
      reachable: true,
      wouldCost: 'time of this machine only',
      detail: expect.stringContaining('has tiny'),
    });
    expect(server.received.map((request) => `${request.method} ${request.url}`)).toEqual(['GET /v1/models']);
  });

  it('a server without that model, without a list, that refuses the key, that is gone: each is said', async () => {
    const server = await serve(lists('big'), fails(404), fails(401));
    expect(await checkModel('a', server.settings(), world)).toMatchObject({
      found: false,
      reachable: true,
      detail: expect.stringContaining('big'),
    });
    expect(await checkModel('a', server.settings(), world)).toMatchObject({ found: true, reachable: true });
    expect(await checkModel('a', server.settings(), world)).toMatchObject({
      reachable: false,
      detail: expect.stringContaining('401'),
    });
    const gone = await chatServer(fails(500));
    await gone.close();
    expect(await checkModel('a', gone.settings(), world)).toMatchObject({
      reachable: false,
      detail: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('a command is looked for on its PATH and not started; whether it answers only a call can tell', async () => {
    expect(await checkModel('a', command([process.execPath, '-e', 'process.exit(1)']), world)).toMatchObject({
      found: true,
      reachable: undefined,
    });
    expect(await checkModel('a', command(['no-such-harness']), world)).toMatchObject({
      found: false,
      detail: expect.stringContaining('no-such-harness'),
    });
  });

  it('a variable that is not set is found out without a call', async () => {
    const server = await serve(lists('tiny'));
    const checked = await checkModel('a', server.settings({ api_key_env: 'NOT_SET' }), world);
    expect(checked).toMatchObject({ found: false, detail: expect.stringContaining('NOT_SET') });
    expect(server.received).toEqual([]);
  });

  it('says what a call would spend before it is made, and then what came', async () => {
    const server = await serve(says('ready'));
    expect(trialSpends('a', server.settings())).toBe(
      'One short call of a, with at most 256 tokens in reply: time of this machine only.',
    );
    expect(trialSpends('b', server.settings({ base_url: 'https://api.example.com/v1' }))).toContain(
      'tokens at api.example.com',
    );
    expect(await tryModel('a', server.settings(), world)).toEqual({
      ok: true,
      detail: expect.stringMatching(/^tiny answered "ready" in .* 11 tokens in, 7 out\.$/),
    });
  });

  it('a call that fails is a result', async () => {
    expect(await tryModel('a', command(['no-such-harness']), world)).toMatchObject({ ok: false });
    const server = await serve(says('', { finish: 'length' }));
    expect(await tryModel('a', server.settings(), world)).toMatchObject({
      ok: false,
      detail: expect.stringContaining('finish length'),
    });
  });
});
