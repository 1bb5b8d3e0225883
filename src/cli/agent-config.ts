import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type AgentSettings, readAgentSettings } from '../agents/seats/read-settings.js';
import { Refusal } from '../protocol/core/refusal.js';
import { findChannel } from '../protocol/find-root.js';
import { readEnvironment } from '../protocol/identity.js';
import { loadModelsAndSeats } from '../watcher/config/load.js';
import { type ChannelOptions, readingWorld } from './context.js';

/** The models and seats of a config file, and what their settings may name. */
export interface AgentConfig {
  readonly settings: AgentSettings;
  /** The folder of the file, against which paths in it resolve. */
  readonly folder: string;
  /** What harnesses inherit and `${NAME}` stands for: this process's variables, over them those of `env_file`. */
  readonly environment: NodeJS.ProcessEnv;
}

/** The models and seats of the config that a command means. Refuses `bad-config` with every problem. */
export function openAgentConfig(options: ChannelOptions & { readonly config?: string }): AgentConfig {
  const loaded = loadModelsAndSeats(options.config ?? configBesideChannel(options), homedir());
  if (!loaded.ok)
    throw new Refusal({
      code: 'bad-config',
      message: loaded.problems.join('\n  '),
      hint: 'Mend the file; docs/watcher.md and docs/agents.md list its keys.',
    });
  const { path, models, seats, envFile } = loaded.found;
  return {
    settings: readAgentSettings(path, { models, seats }),
    folder: dirname(path),
    environment: { ...process.env, ...envFile },
  };
}

/** `watcher.json` in the root of the channel, where there is one, else in the current folder. */
export function configBesideChannel(options: ChannelOptions): string {
  const here = resolve('watcher.json');
  const environment = readEnvironment(process.env);
  try {
    const { root } = findChannel(readingWorld.disk, {
      root: options.root,
      id: options.channel,
      envRoot: environment.root,
      envId: environment.channel,
      folder: process.cwd(),
    });
    const beside = join(root, 'watcher.json');
    if (existsSync(beside)) return beside;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
  if (existsSync(here)) return here;
  throw new Refusal({
    code: 'bad-config',
    message:
      'It is not said which config holds the models and seats, and there is no watcher.json by the channel or here.',
    hint: 'Name one with --config FILE; a file with only "models" and "seats" will do.',
  });
}
