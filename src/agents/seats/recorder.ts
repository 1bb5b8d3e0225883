import type { Model, ModelReply, ModelRequest } from '../model.js';

/** One call of a model, as it was asked and answered. */
interface RecordedCall {
  readonly model: string;
  readonly request: ModelRequest;
  reply: ModelReply | undefined;
  error: string | undefined;
}

/** Keeps every call of the models that it wraps, in the order in which they began: the transcript of a seat. */
export interface Recorder {
  wrap(model: Model): Model;
  calls(): number;
  /** The transcript as Markdown: prompts and replies verbatim, each in a fence that it cannot close. */
  transcript(title: string): string;
}

/** A recorder without calls. */
export function startRecorder(): Recorder {
  const calls: RecordedCall[] = [];
  return {
    wrap: (model) => ({
      name: model.name,
      complete: async (request, options) => {
        const call: RecordedCall = { model: model.name, request, reply: undefined, error: undefined };
        calls.push(call);
        try {
          call.reply = await model.complete(request, options);
          return call.reply;
        } catch (error) {
          call.error = error instanceof Error ? error.message : String(error);
          throw error;
        }
      },
    }),
    calls: () => calls.length,
    transcript: (title) => `# ${title}\n${calls.map(renderCall).join('')}`,
  };
}

function renderCall(call: RecordedCall, index: number): string {
  const { model, request, reply, error } = call;
  const settings = [
    ...(request.temperature === undefined ? [] : [`temperature ${request.temperature}`]),
    ...(request.maxTokens === undefined ? [] : [`at most ${request.maxTokens} tokens`]),
  ];
  const head = `\n## Call ${index + 1}: ${[model, ...settings].join(', ')}\n`;
  const system = request.system === undefined ? '' : `\nInstructions:\n\n${fenced(request.system)}\n`;
  const said =
    reply === undefined
      ? `\nFailed:\n\n${fenced(error ?? 'it was stopped')}\n`
      : `\nReply (finish ${reply.finish}, ${reply.durationSeconds.toFixed(1)} s):\n\n${fenced(reply.text)}\n`;
  return `${head}${system}\nPrompt:\n\n${fenced(request.prompt)}\n${said}`;
}

/** A code fence longer than any run of backticks inside. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}
