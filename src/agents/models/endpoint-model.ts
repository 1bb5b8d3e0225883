import type { Model, ModelReply, ModelRequest } from '../model.js';
import { finishedReply } from './finished-reply.js';
import { ModelError, refuseIfAborted } from './model-error.js';
import { decideRetry, readRetryAfter } from './retry.js';
import type { EndpointSettings } from './schema.js';
import { fillSecrets, hideSecrets } from './secrets.js';
import type { Environment, ModelWorld } from './world.js';

/** More than any answer; a server that sends without end is cut off here, in bytes. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

interface Access {
  readonly headers: Record<string, string>;
  readonly secrets: readonly string[];
}

/** The headers of one call, secrets filled in; made anew for each call and kept nowhere. */
export function endpointAccess(name: string, settings: EndpointSettings, environment: Environment): Access {
  const secrets: string[] = [];
  const headers: Record<string, string> = {};
  const fill = (header: string, text: string, setting: string) => {
    const filled = fillSecrets(text, environment, setting);
    headers[header] = filled.text;
    secrets.push(...filled.secrets);
  };
  if (settings.api_key_env !== undefined)
    fill('Authorization', `Bearer \${${settings.api_key_env}}`, `"api_key_env" of model ${name}`);
  for (const [header, text] of Object.entries(settings.headers ?? {}))
    fill(header, text, `Header ${header} of model ${name}`);
  return { headers, secrets };
}

/** Passes a body on and fails once it is longer than any answer. */
function bounded(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  let bytes = 0;
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        bytes += chunk.byteLength;
        if (bytes > MAX_BODY_BYTES) controller.error(new Error(`the answer is longer than ${MAX_BODY_BYTES} bytes`));
        else controller.enqueue(chunk);
      },
    }),
  );
}

/** A fetch that says when the server has begun to answer, and lets no body grow without end. */
const watchedFetch =
  (answered: () => void): typeof fetch =>
  async (input, init) => {
    const response = await fetch(input, init);
    answered();
    return response.body === null ? response : new Response(bounded(response.body), response);
  };

/** The innermost reason that an error names: fetch hides "connection refused" behind "fetch failed". */
function innermost(error: unknown): string {
  let at = error;
  let text = error instanceof Error ? error.message : String(error);
  for (let depth = 0; depth < 5 && at instanceof Error; depth += 1, at = at.cause) {
    const code = (at as NodeJS.ErrnoException).code;
    text = at.message || code || text;
  }
  return text.replace(/\s+/g, ' ').slice(0, 300);
}

/** One attempt. What the SDK throws goes through unchanged: the caller tells a status from a hang. */
async function attempt(
  name: string,
  settings: EndpointSettings,
  access: Access,
  request: ModelRequest,
  signal: AbortSignal,
  answered: () => void,
): Promise<Omit<Parameters<typeof finishedReply>[0], 'durationSeconds'>> {
  const [{ generateText }, { createOpenAICompatible }] = await Promise.all([
    import('ai'),
    import('@ai-sdk/openai-compatible'),
  ]);
  // It would print what it finds odd about a model to a terminal that is not its own.
  (globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;
  const provider = createOpenAICompatible({
    name,
    baseURL: settings.base_url.replace(/\/+$/, ''),
    headers: access.headers,
    fetch: watchedFetch(answered),
  });
  const result = await generateText({
    model: provider.chatModel(settings.model),
    prompt: request.prompt,
    ...(request.system === undefined ? {} : { system: request.system }),
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(request.maxTokens === undefined ? {} : { maxOutputTokens: request.maxTokens }),
    maxRetries: 0,
    abortSignal: signal,
  });
  const finish = result.finishReason;
  return {
    text: result.text,
    model: result.response.modelId || settings.model,
    usage: { inputTokens: result.usage.inputTokens, outputTokens: result.usage.outputTokens },
    finish: finish === 'stop' || finish === 'length' ? finish : 'other',
  };
}

interface Turned {
  readonly status: number | undefined;
  readonly retryAfter: string | undefined;
  /** The server's words, where it had any. */
  readonly said: string;
}

/** Reads a failed attempt by its shape; the SDK's classes stay behind this file. */
function readFailure(error: unknown): Turned {
  const shape = error as { statusCode?: unknown; responseHeaders?: Record<string, string>; message?: unknown };
  const status = typeof shape?.statusCode === 'number' ? shape.statusCode : undefined;
  return { status, retryAfter: shape?.responseHeaders?.['retry-after'], said: innermost(error) };
}

/**
 * A server that speaks the OpenAI chat protocol: Ollama, llama.cpp, vLLM, LM Studio, or a hosted one.
 *
 * An attempt that takes longer than `timeout_seconds` is a `timeout` error (rule X2) and is not tried again. 429 and
 * 5xx are tried again within bounds (rule X3); the executor sees one call, however many attempts it took. The SDK is
 * loaded by the first call, not before.
 */
export function endpointModel(name: string, settings: EndpointSettings, world: ModelWorld): Model {
  const limits = { retries: settings.retries, maxWaitSeconds: settings.max_wait_seconds };
  const where = `Model ${name} (${settings.model} at ${new URL(settings.base_url).host})`;
  const stopped = () => new ModelError('aborted', `The call of model ${name} was stopped.`);

  const failure = ({ status, said }: Turned, answered: boolean, tries: number): ModelError => {
    if (!answered)
      return new ModelError('cannot-start', `${where} could not be reached: ${said}; is the server running?`);
    if (status === 429 || (status ?? 0) >= 500)
      return new ModelError(
        'overloaded',
        `${where} answered ${status} (${said}) at attempt ${tries}; try again later.`,
      );
    if ((status ?? 0) >= 400)
      return new ModelError('refused', `${where} refused with ${status}: ${said}; check its settings and key.`);
    return new ModelError('bad-answer', `${where} sent an answer that cannot be read: ${said}; try again.`);
  };

  const complete = async (request: ModelRequest, signal: AbortSignal | undefined): Promise<ModelReply> => {
    refuseIfAborted(name, signal);
    const access = endpointAccess(name, settings, world.environment);
    const start = world.now();
    for (let tried = 0; ; tried += 1) {
      const timeout = AbortSignal.timeout(settings.timeout_seconds * 1000);
      const either = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
      let answered = false;
      try {
        const reply = await attempt(name, settings, access, request, either, () => {
          answered = true;
        });
        return finishedReply({ ...reply, durationSeconds: world.now() - start });
      } catch (error) {
        if (signal?.aborted) throw stopped();
        if (timeout.aborted)
          throw new ModelError(
            'timeout',
            `${where} gave no answer within ${settings.timeout_seconds} s; raise "timeout_seconds" or ask for less.`,
          );
        const read = readFailure(error);
        const turned = { ...read, said: hideSecrets(read.said, access.secrets) };
        const decision = decideRetry(
          turned.status ?? 0,
          readRetryAfter(turned.retryAfter, world.wallClock()),
          tried,
          limits,
          world.random(),
        );
        if (!decision.retry) throw failure(turned, answered, tried + 1);
        try {
          await world.sleep(decision.waitSeconds, signal);
        } catch {
          throw stopped();
        }
      }
    }
  };
  return { name, complete: (request, { signal }) => complete(request, signal) };
}
