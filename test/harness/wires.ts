/** What a scripted model does next: it calls one tool of the harness, or says a text and thereby ends its turn. */
export type Move =
  | { readonly call: string; readonly namespace?: string; readonly args: Readonly<Record<string, unknown>> }
  | { readonly say: string };

/** How a harness talks to its model: three protocols that the vendors' servers speak. */
export type WireName = 'gemini' | 'chat' | 'responses';

/** One protocol, seen from the server. Bodies are what harnesses send; only what a script needs is read. */
export interface Wire {
  readonly path: RegExp;
  /** Whether the harness offers tools: a request without them is no turn of the loop but a title or a classification. */
  readonly offersTools: (body: Body) => boolean;
  /** The newest message as text: after a tool call it holds what the tool returned. */
  readonly newest: (body: Body) => unknown;
  /** The events of a streamed answer. `number` makes ids unique. */
  readonly events: (move: Move, number: number) => readonly unknown[];
  /** The answer where the harness did not ask for a stream. */
  readonly whole: (move: Move, number: number) => unknown;
  readonly streams: (body: Body, url: string) => boolean;
}

/** The parts of a request that the wires look at. */
export interface Body {
  readonly tools?: readonly { readonly functionDeclarations?: readonly unknown[] }[];
  readonly contents?: readonly unknown[];
  readonly messages?: readonly unknown[];
  readonly input?: readonly unknown[];
  readonly stream?: boolean;
}

const CHAT_USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

/** The protocols by name. */
export const WIRES: Readonly<Record<WireName, Wire>> = {
  gemini: {
    path: /:(streamGenerateContent|generateContent)/,
    offersTools: ({ tools = [] }) => tools.some(({ functionDeclarations = [] }) => functionDeclarations.length > 0),
    newest: ({ contents }) => contents?.at(-1),
    events: (move) => [geminiAnswer(move)],
    whole: geminiAnswer,
    streams: (_body, url) => url.includes(':streamGenerateContent'),
  },
  chat: {
    path: /\/chat\/completions/,
    offersTools: ({ tools = [] }) => tools.length > 0,
    newest: ({ messages }) => messages?.at(-1),
    events: (move, number) => {
      const chunk = { id: `c${number}`, object: 'chat.completion.chunk', created: 1, model: 'tiny' };
      return [
        { ...chunk, choices: [{ index: 0, delta: chatMessage(move, number), finish_reason: null }] },
        { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: chatEnd(move) }], usage: CHAT_USAGE },
        '[DONE]',
      ];
    },
    whole: (move, number) => ({
      ...{ id: `c${number}`, object: 'chat.completion', created: 1, model: 'tiny', usage: CHAT_USAGE },
      choices: [{ index: 0, message: chatMessage(move, number), finish_reason: chatEnd(move) }],
    }),
    streams: ({ stream }) => stream === true,
  },
  responses: {
    path: /\/responses/,
    offersTools: ({ tools = [] }) => tools.length > 0,
    newest: ({ input }) => input?.at(-1),
    events: (move, number) => {
      const response = responsesAnswer(move, number);
      const [item] = response.output;
      return [
        { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
        { type: 'response.output_item.added', output_index: 0, item },
        { type: 'response.output_item.done', output_index: 0, item },
        { type: 'response.completed', response },
      ];
    },
    whole: responsesAnswer,
    streams: () => true,
  },
};

function geminiAnswer(move: Move): unknown {
  const part = 'say' in move ? { text: move.say } : { functionCall: { name: move.call, args: move.args } };
  return {
    candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  };
}

function chatMessage(move: Move, number: number): unknown {
  if ('say' in move) return { role: 'assistant', content: move.say };
  const called = { name: move.call, arguments: JSON.stringify(move.args) };
  return { role: 'assistant', tool_calls: [{ index: 0, id: `call_${number}`, type: 'function', function: called }] };
}

function chatEnd(move: Move): string {
  return 'say' in move ? 'stop' : 'tool_calls';
}

function responsesAnswer(move: Move, number: number) {
  const item =
    'say' in move
      ? {
          ...{ type: 'message', id: `m${number}`, role: 'assistant', status: 'completed' },
          content: [{ type: 'output_text', text: move.say, annotations: [] }],
        }
      : {
          ...{ type: 'function_call', id: `f${number}`, call_id: `call_${number}`, status: 'completed' },
          ...(move.namespace === undefined ? {} : { namespace: move.namespace }),
          ...{ name: move.call, arguments: JSON.stringify(move.args) },
        };
  const details = { input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } };
  return {
    ...{ id: `r${number}`, object: 'response', status: 'completed', output: [item] },
    usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2, ...details },
  };
}
