import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { findCommand } from '../../process/find-command.js';
import { commandEnvironment } from './command-model.js';
import { endpointAccess } from './endpoint-model.js';
import { ModelError } from './model-error.js';
import { openModel } from './open-model.js';
import { invocationOf } from './presets.js';
import type { CommandSettings, EndpointSettings, ModelSettings } from './schema.js';
import { readScript } from './script-model.js';
import { hideSecrets } from './secrets.js';
import type { ModelWorld } from './world.js';

/** What is known of a model without having called it. */
export interface ModelCheck {
  readonly name: string;
  readonly kind: ModelSettings['kind'];
  /** Whether there is something to call: the program, the file, the settings and their variables. */
  readonly found: boolean;
  /** Whether a server answers and lets us in; undefined where only a call can tell. */
  readonly reachable: boolean | undefined;
  /** What one call would draw on. */
  readonly wouldCost: string;
  /** One sentence: what was seen, and what to do when it is not well. */
  readonly detail: string;
}

/** What became of a trial call. */
export interface ModelTrial {
  readonly ok: boolean;
  readonly detail: string;
}

/** The token bound of a trial call: room for a model that thinks before its one word. */
const TRIAL_TOKENS = 256;
/** A server that does not list its models within so many seconds counts as not reachable. */
const REACH_SECONDS = 5;

const isLocal = (host: string) => /^(?:localhost|127\.|\[::1\]|0\.0\.0\.0|host\.docker\.internal)/.test(host);

function wouldCost(settings: ModelSettings): string {
  switch (settings.kind) {
    case 'command':
      return invocationOf(settings, '').spends;
    case 'endpoint': {
      const { host } = new URL(settings.base_url);
      return isLocal(host) ? 'time of this machine only' : `tokens at ${host}`;
    }
    default:
      return 'nothing';
  }
}

/** What a trial call will spend, in words, to be said before it is made. */
export function trialSpends(name: string, settings: ModelSettings): string {
  const bound = settings.kind === 'endpoint' ? `, with at most ${TRIAL_TOKENS} tokens in reply` : '';
  return `One short call of ${name}${bound}: ${wouldCost(settings)}.`;
}

/**
 * Looks whether a model can be called, without calling it: a program is looked for on the PATH that it would get, a
 * server is asked for its list of models, which costs nothing. What is wrong with a model is the result, never an
 * exception.
 */
export async function checkModel(name: string, settings: ModelSettings, world: ModelWorld): Promise<ModelCheck> {
  const base = { name, kind: settings.kind, wouldCost: wouldCost(settings) };
  try {
    switch (settings.kind) {
      case 'command':
        return { ...base, ...checkCommand(name, settings, world) };
      case 'endpoint':
        return { ...base, ...(await checkEndpoint(name, settings, world)) };
      case 'script': {
        const script = await readScript(name, resolve(world.folder, settings.file));
        const detail = `${script.replies.length} replies in ${settings.file}.`;
        return { ...base, found: true, reachable: true, detail };
      }
      case 'stub':
        return { ...base, found: true, reachable: true, detail: 'A stub: it echoes the start of the prompt.' };
    }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { ...base, found: false, reachable: undefined, detail: error.message };
  }
}

type Seen = Pick<ModelCheck, 'found' | 'reachable' | 'detail'>;

function checkCommand(name: string, settings: CommandSettings, world: ModelWorld): Seen {
  const invocation = invocationOf(settings, '');
  const { environment } = commandEnvironment(name, settings, invocation.environment, world.environment);
  const cwd = settings.cwd === undefined ? world.cwd : resolve(world.folder, settings.cwd);
  const missing = (detail: string): Seen => ({ found: false, reachable: undefined, detail });
  if (!existsSync(cwd)) return missing(`Its folder ${cwd} does not exist; create it or change "cwd".`);
  const found = findCommand(invocation.argv[0] ?? '', { path: environment.PATH, cwd });
  if (found.kind !== 'found') return missing(found.message);
  const detail = `${found.file}; whether it is logged in shows at the first call.`;
  return { found: true, reachable: undefined, detail };
}

async function checkEndpoint(name: string, settings: EndpointSettings, world: ModelWorld): Promise<Seen> {
  const access = endpointAccess(name, settings, world.environment);
  const { host } = new URL(settings.base_url);
  const unreachable = (detail: string): Seen => ({ found: true, reachable: false, detail });
  let response: Response;
  try {
    response = await fetch(`${settings.base_url.replace(/\/+$/, '')}/models`, {
      headers: access.headers,
      signal: AbortSignal.timeout(REACH_SECONDS * 1000),
    });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    return unreachable(`${host} does not answer (${hideSecrets(cause, access.secrets)}); is the server running?`);
  }
  if (response.status === 401 || response.status === 403)
    return unreachable(`${host} refuses the key (${response.status}); check "api_key_env".`);
  const listed = response.ok ? await listedModels(response) : undefined;
  if (listed === undefined)
    return { found: true, reachable: true, detail: `${host} answers and does not list its models.` };
  if (listed.includes(settings.model))
    return { found: true, reachable: true, detail: `${host} answers and has ${settings.model}.` };
  const others = listed.slice(0, 8).join(', ') || 'none';
  return {
    found: false,
    reachable: true,
    detail: `${host} answers and has no model ${settings.model}; change "model" to one that it has (${others}).`,
  };
}

async function listedModels(response: Response): Promise<readonly string[] | undefined> {
  try {
    const body = (await response.json()) as { data?: readonly { id?: unknown }[] };
    return body.data?.flatMap((model) => (typeof model?.id === 'string' ? [model.id] : []));
  } catch {
    return undefined;
  }
}

/**
 * Makes the one short call that `trialSpends` announced. What goes wrong with the model is the result, never an
 * exception.
 */
export async function tryModel(
  name: string,
  settings: ModelSettings,
  world: ModelWorld,
  signal?: AbortSignal,
): Promise<ModelTrial> {
  try {
    const model = await openModel(name, settings, world);
    const request = { prompt: 'Reply with the single word: ready', maxTokens: TRIAL_TOKENS };
    const reply = await model.complete(request, signal === undefined ? {} : { signal });
    const { inputTokens, outputTokens } = reply.usage;
    const tokens = outputTokens === undefined ? '' : `, ${inputTokens ?? '?'} tokens in, ${outputTokens} out`;
    const text = reply.text.replace(/\s+/g, ' ').slice(0, 60);
    if (text === '') return { ok: false, detail: `${reply.model} answered with nothing (finish ${reply.finish}).` };
    return { ok: true, detail: `${reply.model} answered "${text}" in ${reply.durationSeconds.toFixed(1)} s${tokens}.` };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { ok: false, detail: error.message };
  }
}
