import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Environment } from '../agents/models/world.js';
import { type AgentSettings, readAgentSettings } from '../agents/seats/read-settings.js';
import { channelName } from '../protocol/channel.js';
import { Refusal } from '../protocol/core/refusal.js';
import { defaultConfigPath } from '../protocol/state-path.js';
import { loadModelsAndSeats } from '../watcher/config/load.js';
import { type ChannelOptions, openContext } from './context.js';

/** The models and seats of a config file, and what their settings may name. */
export interface AgentConfig {
  readonly settings: AgentSettings;
  /** The folder of the file, against which paths in it resolve. */
  readonly folder: string;
  /** What harnesses inherit and `${NAME}` stands for: this process's variables, over them those of `env_file`. */
  readonly environment: Environment;
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

/**
 * The config that is not named: `watcher.json` in the root of the channel, where there is one, else the one that `debate
 * setup` wrote, else the one in the current folder. Refuses `bad-config` when there is none.
 */
export function configBesideChannel(options: ChannelOptions): string {
  const found = [...ofChannel(options), resolve('watcher.json')].find((file) => existsSync(file));
  if (found !== undefined) return found;
  throw new Refusal({
    code: 'bad-config',
    message:
      'It is not said which config holds the models and seats, and there is no watcher.json of the channel or here.',
    hint: 'Name one with --config FILE; a file with only "models" and "seats" will do.',
  });
}

function ofChannel(options: ChannelOptions): readonly string[] {
  try {
    const { channel } = openContext(options);
    const place = { root: realpathSync(channel.paths.root), name: channelName(channel) };
    return [join(place.root, 'watcher.json'), defaultConfigPath(place, homedir(), process.env)];
  } catch (error) {
    if (error instanceof Refusal) return [];
    throw error;
  }
}
