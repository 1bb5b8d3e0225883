import { stripVTControlCharacters } from 'node:util';
import type { TokenUsage } from '../model.js';
import { unknownUsage } from './finished-reply.js';

/** What a harness printed, read. `error` is its own account of a failure, whatever it exited with. */
interface HarnessAnswer {
  readonly text: string;
  readonly error: string | undefined;
  readonly usage: TokenUsage;
  readonly costUsd: number | undefined;
  readonly session: string | undefined;
  /** The model that the harness says it used. */
  readonly model: string | undefined;
}

/** Reads the standard output of a harness; undefined when it is not what this harness prints. */
export type OutputReader = (stdout: string) => HarnessAnswer | undefined;

type Fields = Readonly<Record<string, unknown>>;

const fields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const number = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/** The sum of what was reported; undefined when nothing was. */
function sum(...values: readonly unknown[]): number | undefined {
  const known = values.map(number).filter((value) => value !== undefined);
  return known.length === 0 ? undefined : known.reduce((total, value) => total + value, 0);
}

function parsed(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}

/** The JSON objects among the lines; harnesses print notices between them. */
function jsonLines(stdout: string): Fields[] {
  return stdout.split('\n').flatMap((line) => {
    const value = line.trimStart().startsWith('{') ? parsed(line) : undefined;
    return value === undefined ? [] : [fields(value)];
  });
}

/** The JSON document in a text that may have notices before it. */
function jsonDocument(stdout: string): unknown {
  const whole = parsed(stdout);
  if (whole !== undefined) return whole;
  for (const start of stdout.matchAll(/^[[{]/gm)) {
    const value = parsed(stdout.slice(start.index));
    if (value !== undefined) return value;
  }
  return undefined;
}

/**
 * Claude Code and Qwen Code: the last message of type `result`, alone or in an array. `is_error` decides: `subtype`
 * says `success` for a failed login too (harnesses.md 0.11).
 */
export const readResultMessage: OutputReader = (stdout) => {
  const document = jsonDocument(stdout);
  const messages = (Array.isArray(document) ? document : [document]).map(fields);
  const result = messages.filter((message) => message.type === 'result').at(-1);
  if (result === undefined) return undefined;
  const usage = fields(result.usage);
  const answer = text(result.result) ?? '';
  const failed = result.is_error === true || (text(result.subtype) ?? 'success') !== 'success';
  const reason = answer || text(fields(result.error).message) || text(result.subtype) || 'no reason given';
  return {
    text: answer,
    error: failed ? reason : undefined,
    usage: {
      inputTokens: sum(usage.input_tokens, usage.cache_creation_input_tokens, usage.cache_read_input_tokens),
      outputTokens: number(usage.output_tokens),
    },
    costUsd: number(result.total_cost_usd),
    session: text(result.session_id),
    model: Object.keys(fields(result.modelUsage))[0] ?? text(messages.find((m) => m.type === 'system')?.model),
  };
};

/** Codex: one event a line. The last message is the answer; an `error` event alone is a notice that it tries again. */
export const readCodexEvents: OutputReader = (stdout) => {
  const events = jsonLines(stdout);
  const messages = events
    .filter((event) => event.type === 'item.completed')
    .map((event) => fields(event.item))
    .filter((item) => item.type === 'agent_message');
  const completed = events.filter((event) => event.type === 'turn.completed').at(-1);
  const failure = events.filter((event) => event.type === 'turn.failed').at(-1);
  if (completed === undefined && failure === undefined) return undefined;
  const usage = fields(completed?.usage);
  return {
    text: text(messages.at(-1)?.text) ?? '',
    error: failure === undefined ? undefined : (text(fields(failure.error).message) ?? 'the turn failed'),
    usage: { inputTokens: number(usage.input_tokens), outputTokens: number(usage.output_tokens) },
    costUsd: undefined,
    session: text(events.find((event) => event.type === 'thread.started')?.thread_id),
    model: undefined,
  };
};

/** Gemini CLI: one document with `response` or `error`, and tokens by model. */
export const readGeminiDocument: OutputReader = (stdout) => {
  const document = fields(jsonDocument(stdout));
  const error = document.error === undefined ? undefined : fields(document.error);
  if (text(document.response) === undefined && error === undefined) return undefined;
  const models = fields(fields(document.stats).models);
  const tokens = Object.values(models).map((model) => fields(fields(model).tokens));
  return {
    text: text(document.response) ?? '',
    error: error === undefined ? undefined : (text(error.message) ?? 'no reason given'),
    usage: {
      inputTokens: sum(...tokens.map((count) => count.prompt)),
      outputTokens: sum(...tokens.map((count) => count.candidates)),
    },
    costUsd: undefined,
    session: text(document.session_id),
    model: Object.keys(models)[0],
  };
};

/**
 * OpenCode: one event a line. The answer is the text of the last message; tokens and cost are summed over the steps.
 */
export const readOpencodeEvents: OutputReader = (stdout) => {
  const events = jsonLines(stdout).filter((event) => text(event.type) !== undefined);
  if (events.length === 0) return undefined;
  const texts = events.filter((event) => event.type === 'text').map((event) => fields(event.part));
  const last = texts.at(-1)?.messageID;
  const steps = events.filter((event) => event.type === 'step_finish').map((event) => fields(event.part));
  const counts = steps.map((step) => fields(step.tokens));
  const failure = events.find((event) => event.type === 'error');
  const error = fields(failure?.error);
  return {
    text: texts
      .filter((part) => part.messageID === last)
      .map((part) => text(part.text) ?? '')
      .join('\n'),
    error:
      failure === undefined
        ? undefined
        : (text(fields(error.data).message) ?? text(error.message) ?? text(error.name) ?? 'no reason given'),
    usage: {
      inputTokens: sum(...counts.flatMap((c) => [c.input, fields(c.cache).read, fields(c.cache).write])),
      outputTokens: sum(...counts.flatMap((c) => [c.output, c.reasoning])),
    },
    costUsd: sum(...steps.map((step) => step.cost)),
    session: text(events[0]?.sessionID),
    model: undefined,
  };
};

/**
 * Programs that print the answer and nothing else. Colours are removed; so is the thinking that Ollama prints before
 * an answer.
 */
export const readPlainText: OutputReader = (stdout) => ({
  text: stripVTControlCharacters(stdout)
    .replace(/^\s*Thinking\.\.\.\n[\s\S]*?\n\.\.\.done thinking\.\n+/, '')
    .trim(),
  error: undefined,
  usage: unknownUsage,
  costUsd: undefined,
  session: undefined,
  model: undefined,
});
