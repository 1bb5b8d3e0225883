import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EndpointSettings } from '../../../src/agents/models/schema.js';

/** One request as the server got it. */
interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: the body is whatever the client sent.
  readonly body: any;
}

export type Behaviour = (response: ServerResponse, received: Received) => void;

/** Answers like a well-behaved server of the OpenAI chat protocol. */
export const says =
  (content: string, more: { finish?: string; usage?: object | null; message?: object } = {}): Behaviour =>
  (response, received) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({
        id: 'c1',
        object: 'chat.completion',
        created: 1,
        model: received.body?.model ?? 'm',
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content, ...more.message },
            finish_reason: more.finish ?? 'stop',
          },
        ],
        ...(more.usage === null
          ? {}
          : { usage: more.usage ?? { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 } }),
      }),
    );
  };

export const fails =
  (status: number, headers: Record<string, string> = {}, message = `status ${status}`): Behaviour =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ error: { message } }));
  };

/** Takes the request and never answers. */
export const hangs: Behaviour = () => {};

/** Promises a body and drops the connection in the middle of it. */
export const cutsBody: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' });
  response.write('{"id":"c1","choices":[{"message":{"role":"assistant","content":"half of an ans');
  setTimeout(() => response.destroy(), 20);
};

/** A real server that does what the list says, one behaviour a request, the last one for ever after. */
export async function chatServer(...behaviours: Behaviour[]) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const got: Received = {
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
    received.push(got);
    const behave = behaviours[received.length - 1] ?? behaviours[behaviours.length - 1];
    behave?.(response, got);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const settings = (more: Partial<EndpointSettings> = {}): EndpointSettings => ({
    kind: 'endpoint',
    base_url: url,
    model: 'tiny',
    timeout_seconds: 20,
    retries: 4,
    max_wait_seconds: 60,
    ...more,
  });
  return {
    url,
    received,
    settings,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
