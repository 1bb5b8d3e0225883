import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Body, type Move, WIRES, type Wire, type WireName } from './wires.js';

/** What the model was sent: the newest message (what its last tool returned), and the whole request, as text. */
export interface Seen {
  readonly newest: string;
  readonly all: string;
}

/** One step of a script: a move, or what to do after what was just seen. */
export type Step = Move | ((seen: Seen) => Move);

/** A model on this machine's loopback that does what its script says, whatever it is asked. */
export interface ScriptedModel {
  /** Where it listens, `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** The newest message of every turn so far: number `n` holds what step `n - 1` brought. */
  readonly saw: readonly string[];
  close(): Promise<void>;
}

/**
 * Starts one that speaks a protocol and takes the steps one a request; after the last it repeats the last. It shows how a
 * harness carries out what a model wants, not what a model would want.
 */
export async function startModel(wireName: WireName, steps: readonly Step[]): Promise<ScriptedModel> {
  const wire = WIRES[wireName];
  const saw: string[] = [];
  const server = createServer(async (request, response) => {
    const text = await textOf(request);
    const url = request.url ?? '';
    if (!wire.path.test(url)) return answerAside(request, response);
    const body = JSON.parse(text) as Body;
    if (!wire.offersTools(body)) return answer(wire, response, { body, url, move: ASIDE, number: 0 });
    const newest = JSON.stringify(wire.newest(body) ?? '');
    const number = saw.push(newest);
    const step = steps[Math.min(number, steps.length) - 1] ?? { say: 'Nothing to do.' };
    const move = typeof step === 'function' ? step({ newest, all: text }) : step;
    answer(wire, response, { body, url, move, number });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    saw,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

// A title for the session, or a choice of model: Gemini CLI wants these keys, the others take any text.
const ASIDE: Move = {
  say: '{"complexity_score":10,"complexity_reasoning":"x","next_speaker":"user","reasoning":"x","model_choice":"flash"}',
};

interface Answer {
  readonly body: Body;
  readonly url: string;
  readonly move: Move;
  readonly number: number;
}

function answer(wire: Wire, response: ServerResponse, { body, url, move, number }: Answer): void {
  if (!wire.streams(body, url)) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(wire.whole(move, number)));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of wire.events(move, number)) {
    const type = (event as { readonly type?: string }).type;
    const data = typeof event === 'string' ? event : JSON.stringify(event);
    response.write(`${type === undefined ? '' : `event: ${type}\n`}data: ${data}\n\n`);
  }
  response.end();
}

// Lists of models and counts of tokens.
function answerAside(request: IncomingMessage, response: ServerResponse): void {
  const isKnown = request.method === 'GET' || /countTokens/.test(request.url ?? '');
  const body = isKnown ? { data: [{ id: 'tiny' }], models: [], totalTokens: 10 } : {};
  response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}
