import { readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type ChannelPlace, isInside } from '../../protocol/state-path.js';
import { absolutePath } from './absolute-path.js';
import { parseEnvFile } from './env-file.js';
import { parseJsonText } from './json-text.js';
import { keyAt, problemsOf } from './problems.js';
import { type ResolvedConfig, resolveConfig } from './resolve.js';
import { knownKeysAt, type WrittenConfig, watcherConfigSchema } from './schema.js';
import { strangersIn } from './strangers.js';

/** What loading needs besides the file. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The home of the person, for `~`. */
  readonly home: string;
  /**
   * Finds the channel: given is the absolute `root` of the config, or undefined if it names none. A root that the
   * person gave on the command line may win here. With its `parties`, the config may name no others.
   */
  readonly locate: (
    configuredRoot: string | undefined,
  ) => (ChannelPlace & { readonly parties?: readonly string[] }) | { readonly problem: string };
}

/** What a config says of models and seats, for commands that need no channel. */
export interface ModelsAndSeats {
  /** The absolute path of the config file. */
  readonly path: string;
  /** As written; their own schemas read them. */
  readonly models: Readonly<Record<string, unknown>>;
  readonly seats: Readonly<Record<string, unknown>>;
  /** What `env_file` sets; empty without one. */
  readonly envFile: Readonly<Record<string, string>>;
}

/** A part that was read, or the sentences that say why not. */
type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Reads and resolves a `watcher.json`. Every problem is one sentence that begins with the path of the file it is in; all
 * problems of a step are told at once. Whoever calls it ends with exit 3, "misconfigured" (DESIGN.md 7). Reads, never
 * writes.
 */
export function loadWatcherConfig(path: string, surroundings: Surroundings): ResolvedConfig {
  const absolute = resolve(path);
  const inFile = (problems: readonly string[]): ResolvedConfig => ({
    ok: false,
    problems: problems.map((problem) => `${absolute}: ${problem}`),
  });
  const written = readWritten(absolute);
  if (!written.ok) return inFile(written.problems);
  const folder = dirname(absolute);
  const resolvePath = (given: string) => absolutePath(given, folder, surroundings.home);

  const { root, env_file: envFile } = written.value;
  const channel = surroundings.locate(root === undefined ? undefined : resolvePath(root));
  if ('problem' in channel) return inFile([channel.problem]);
  const strangers = channel.parties ? strangersIn(written.value, channel.parties) : [];
  if (strangers.length > 0) return inFile(strangers);
  const promptFiles = readPromptFiles(written.value, resolvePath);
  const values: Read<Readonly<Record<string, string>>> =
    envFile === undefined ? { ok: true, value: {} } : readEnvFile(resolvePath(envFile));
  if (!promptFiles.ok) return inFile(promptFiles.problems);
  if (!values.ok) return inFile(values.problems);

  const resolved = resolveConfig(written.value, {
    path: absolute,
    home: surroundings.home,
    environment: surroundings.environment,
    channel: { name: channel.name, root: realPath(channel.root) },
    promptFiles: promptFiles.value,
    envFile: values.value,
  });
  if (!resolved.ok) return inFile(resolved.problems);
  const { statePath } = resolved.config;
  if (isInside(realPath(statePath), resolved.config.root)) {
    return inFile([
      `"state_path" is ${JSON.stringify(statePath)}, inside the channel ${resolved.config.root}: ` +
        "the watcher's memory must lie outside it, so remove the key or name another folder",
    ]);
  }
  return resolved;
}

/**
 * Reads `models` and `seats` of a config, and its `env_file`, without looking for a channel: a file with only these keys
 * is one too (issue 4, section 1). Problems are told as `loadWatcherConfig` tells them.
 */
export function loadModelsAndSeats(
  path: string,
  home: string,
):
  | { readonly ok: true; readonly found: ModelsAndSeats }
  | { readonly ok: false; readonly problems: readonly string[] } {
  const absolute = resolve(path);
  const inFile = (problems: readonly string[]) => ({
    ok: false as const,
    problems: problems.map((problem) => `${absolute}: ${problem}`),
  });
  const written = readWritten(absolute);
  if (!written.ok) return inFile(written.problems);
  const { env_file: envFile, models = {}, seats = {} } = written.value;
  if (envFile === undefined) return { ok: true, found: { path: absolute, models, seats, envFile: {} } };
  const values = readEnvFile(absolutePath(envFile, dirname(absolute), home));
  return values.ok
    ? { ok: true, found: { path: absolute, models, seats, envFile: values.value } }
    : inFile(values.problems);
}

function readWritten(path: string): Read<WrittenConfig> {
  const text = readText(path);
  if (!text.ok) return text;
  const json = parseJsonText(text.value);
  if (!json.ok) return { ok: false, problems: [json.problem] };
  const checked = watcherConfigSchema.safeParse(json.value);
  if (checked.success) return { ok: true, value: checked.data };
  return { ok: false, problems: problemsOf(checked.error.issues, json.value, knownKeysAt) };
}

function readPromptFiles(
  written: WrittenConfig,
  resolvePath: (given: string) => string,
): Read<Readonly<Record<string, string>>> {
  const texts: Record<string, string> = Object.create(null);
  const problems: string[] = [];
  for (const [party, { prompt_file: given }] of Object.entries(written.parties ?? {})) {
    if (given === undefined) continue;
    const key = keyAt(['parties', party, 'prompt_file']);
    const text = readText(resolvePath(given));
    if (!text.ok) problems.push(...text.problems.map((problem) => `${key} is ${JSON.stringify(given)}: ${problem}`));
    else if (text.value.trim() === '') problems.push(`${key} is ${JSON.stringify(given)}: the file is empty`);
    else texts[given] = text.value;
  }
  return problems.length === 0 ? { ok: true, value: texts } : { ok: false, problems };
}

function readEnvFile(path: string): Read<Readonly<Record<string, string>>> {
  const at = `"env_file" is ${JSON.stringify(path)}`;
  const text = readText(path);
  if (!text.ok) return { ok: false, problems: text.problems.map((problem) => `${at}: ${problem}`) };
  const mode = statSync(path).mode & 0o777;
  if ((mode & 0o077) !== 0) {
    const told = mode.toString(8).padStart(4, '0');
    return {
      ok: false,
      problems: [`${at}: others may read or change it (mode ${told}): chmod 600 it, since it holds secrets`],
    };
  }
  const parsed = parseEnvFile(text.value);
  return parsed.ok ? { ok: true, value: parsed.values } : { ok: false, problems: [`${at}: ${parsed.problem}`] };
}

function readText(path: string): Read<string> {
  try {
    return { ok: true, value: new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path)) };
  } catch (error) {
    return { ok: false, problems: [`cannot be read: ${reasonOf(error)}`] };
  }
}

function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EISDIR') return 'it is a folder';
  if (code === 'EACCES') return 'permission denied';
  return code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'it is not UTF-8 text' : String(code ?? error);
}

// The file, and folders above it, may not exist yet: what does exist decides where the rest will lie.
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path));
  }
}
