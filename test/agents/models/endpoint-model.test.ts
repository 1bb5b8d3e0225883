import { afterEach, describe, expect, it } from 'vitest';
import { endpointModel } from '../../../src/agents/models/endpoint-model.js';
import { type Behaviour, chatServer, cutsBody, fails, hangs, says } from './chat-server.js';
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
const ask = { prompt: 'How deep is the harbour?' };

describe('an endpoint model', () => {
  it('sends prompt, standing instructions, temperature and token bound, and reports text, usage and finish', async () => {
    const server = await serve(says('Four metres.'));
    const model = endpointModel('local', server.settings(), testWorld());
    const reply = await model.complete({ ...ask, system: 'Be brief.', temperature: 0.3, maxTokens: 120 }, {});
    expect(reply).toMatchObject({
      text: 'Four metres.',
      model: 'tiny',
      finish: 'stop',
      usage: { inputTokens: 11, outputTokens: 7 },
    });
    expect(server.received[0]?.url).toBe('/v1/chat/completions');
    expect(server.received[0]?.body).toMatchObject({
      model: 'tiny',
      temperature: 0.3,
      max_tokens: 120,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'How deep is the harbour?' },
      ],
    });
  });

  it('reports usage as unknown when the server does not say, never as an estimate', async () => {
    const server = await serve(says('Yes.', { usage: null }));
    const reply = await endpointModel('local', server.settings(), testWorld()).complete(ask, {});
    expect(reply.usage).toEqual({ inputTokens: undefined, outputTokens: undefined });
  });

  it('X1: strips thinking blocks, inline or in a field of their own', async () => {
    const server = await serve(
      says('<think>approved: yes?</think>\n\nFour metres.'),
      says('Four metres.', { message: { reasoning_content: 'hmm' } }),
    );
    const model = endpointModel('local', server.settings(), testWorld());
    expect((await model.complete(ask, {})).text).toBe('Four metres.');
    expect((await model.complete(ask, {})).text).toBe('Four metres.');
  });

  it('case 15: an empty answer cut by the token bound is an answer with finish `length`, not an error', async () => {
    const server = await serve(says('', { finish: 'length' }));
    const reply = await endpointModel('local', server.settings(), testWorld()).complete(ask, {});
    expect(reply).toMatchObject({ text: '', finish: 'length' });
  });

  it('X3: after 429 with Retry-After it waits that long, jitter on top, and the caller sees one call', async () => {
    const server = await serve(fails(429, { 'retry-after': '8' }), says('Four metres.'));
    const world = testWorld();
    const reply = await endpointModel('local', server.settings(), world).complete(ask, {});
    expect(reply.text).toBe('Four metres.');
    expect(world.waits).toEqual([9]);
    expect(server.received).toHaveLength(2);
  });

  it('X3: a Retry-After date is read against the clock', async () => {
    const server = await serve(fails(503, { 'retry-after': 'Mon, 06 Jul 2026 12:00:04 GMT' }), says('ok'));
    const world = testWorld({ random: () => 0 });
    await endpointModel('local', server.settings(), world).complete(ask, {});
    expect(world.waits).toEqual([4]);
  });

  it('X3: without Retry-After the waits double with jitter and end after the configured retries', async () => {
    const server = await serve(fails(429));
    const world = testWorld();
    await expect(
      endpointModel('local', server.settings({ retries: 3 }), world).complete(ask, {}),
    ).rejects.toMatchObject({
      code: 'overloaded',
      message: expect.stringContaining('429'),
    });
    expect(world.waits).toEqual([0.75, 1.5, 3]);
    expect(server.received).toHaveLength(4);
  });

  it('X3: a server that asks for more patience than allowed is not waited for', async () => {
    const server = await serve(fails(429, { 'retry-after': '3600' }));
    const world = testWorld();
    await expect(endpointModel('local', server.settings(), world).complete(ask, {})).rejects.toMatchObject({
      code: 'overloaded',
    });
    expect(world.waits).toEqual([]);
    expect(server.received).toHaveLength(1);
  });

  it('X3: 500 is tried again, 400 and 401 are not', async () => {
    const server = await serve(fails(500), says('ok'), fails(400), fails(401, {}, 'no such key'));
    const model = endpointModel('local', server.settings(), testWorld());
    expect((await model.complete(ask, {})).text).toBe('ok');
    await expect(model.complete(ask, {})).rejects.toMatchObject({ code: 'refused' });
    await expect(model.complete(ask, {})).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('no such key'),
    });
    expect(server.received).toHaveLength(4);
  });

  it('X2: a server that hangs is a timeout error, after one attempt', async () => {
    const server = await serve(hangs);
    await expect(
      endpointModel('local', server.settings({ timeout_seconds: 0.2 }), testWorld()).complete(ask, {}),
    ).rejects.toMatchObject({ code: 'timeout', message: expect.stringContaining('0.2 s') });
    expect(server.received).toHaveLength(1);
  });

  it('a body that is cut off is an error, never half an answer', async () => {
    const server = await serve(cutsBody);
    await expect(endpointModel('local', server.settings(), testWorld()).complete(ask, {})).rejects.toMatchObject({
      code: 'bad-answer',
    });
    expect(server.received).toHaveLength(1);
  });

  it('an answer that is no JSON, or has no choices, is an error', async () => {
    const server = await serve(
      (response) => response.writeHead(200).end('<html>welcome</html>'),
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"choices":[]}'),
    );
    const model = endpointModel('local', server.settings(), testWorld());
    await expect(model.complete(ask, {})).rejects.toMatchObject({ code: 'bad-answer' });
    await expect(model.complete(ask, {})).rejects.toMatchObject({ code: 'bad-answer' });
  });

  it('a server that is not there is named with the reason', async () => {
    const server = await chatServer(says('never'));
    await server.close();
    await expect(endpointModel('local', server.settings(), testWorld()).complete(ask, {})).rejects.toMatchObject({
      code: 'cannot-start',
      message: expect.stringMatching(/ECONNREFUSED.*running\?/),
    });
  });

  it('X7: the signal ends a call that is under way, and prevents one that is not', async () => {
    const server = await serve(hangs);
    const model = endpointModel('local', server.settings(), testWorld());
    const controller = new AbortController();
    const call = model.complete(ask, { signal: controller.signal });
    while (server.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: 'aborted' });
    await expect(model.complete(ask, { signal: controller.signal })).rejects.toMatchObject({ code: 'aborted' });
    expect(server.received).toHaveLength(1);
  });

  it('secrets come from the environment, reach the server, and never an error message', async () => {
    const server = await serve(fails(401, {}, 'bad key sk-very-secret for org-private'));
    const world = testWorld({ environment: { KEY: 'sk-very-secret', ORG: 'org-private' } });
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how settings name a secret.
    const settings = server.settings({ api_key_env: 'KEY', headers: { 'X-Org': '${ORG}' } });
    const failed = endpointModel('hosted', settings, world).complete(ask, {});
    await expect(failed).rejects.toMatchObject({ message: expect.stringContaining('bad key *** for ***') });
    expect(server.received[0]?.headers).toMatchObject({
      authorization: 'Bearer sk-very-secret',
      'x-org': 'org-private',
    });
    expect(JSON.stringify(settings)).not.toContain('sk-very-secret');
  });

  it('a key that is not in the environment is named before anything is sent', async () => {
    const server = await serve(says('never'));
    await expect(
      endpointModel('hosted', server.settings({ api_key_env: 'NO_SUCH_KEY' }), testWorld()).complete(ask, {}),
    ).rejects.toMatchObject({ code: 'settings', message: expect.stringContaining('NO_SUCH_KEY') });
    expect(server.received).toHaveLength(0);
  });
});
