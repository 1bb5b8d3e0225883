import { readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { Refusal } from '../protocol/core/refusal.js';
import { unreadable } from '../protocol/read-refusals.js';
import { openWatched, type Watched } from '../watcher/open-watched.js';
import { type ChannelOptions, readingWorld } from './context.js';

/** Opens the watcher config and the channel of a command that has both. */
export function openConfigured(options: ChannelOptions, file: string, needsRoot = false): Watched {
  return openWatched(file, {
    disk: readingWorld.disk,
    environment: process.env,
    home: homedir(),
    folder: process.cwd(),
    root: options.root,
    id: options.channel,
    needsRoot,
  });
}

/** How a command names the configs that it is about. */
export interface ConfigsOptions {
  readonly config: readonly string[];
  readonly all?: string;
}

/**
 * The absolute paths of the configs that are meant: each that is named, and with `--all` every `*.json` in that folder but
 * `*.schema.json`, and every `watcher.json` in a folder of it. Refuses `bad-config` where none is named.
 */
export function configsOf({ config, all }: ConfigsOptions): readonly string[] {
  if (config.length === 0 && all === undefined)
    throw new Refusal({
      code: 'bad-config',
      message: 'It is not said which channels are meant.',
      hint: 'Name a watcher config with --config FILE, or a folder of them with --all DIR.',
    });
  const found = all === undefined ? [] : configsIn(resolve(all));
  return [...new Set([...config.map((each) => resolve(each)), ...found])];
}

function configsIn(folder: string): readonly string[] {
  let names: readonly string[];
  try {
    names = readdirSync(folder).sort();
  } catch (error) {
    throw unreadable(folder, error, 'Name a folder that holds watcher configs.');
  }
  return names.flatMap((name) => {
    const path = join(folder, name);
    // What editors complete a config from may lie beside it.
    if (name.endsWith('.schema.json')) return [];
    if (name.endsWith('.json')) return [path];
    const inside = join(path, 'watcher.json');
    return statSync(inside, { throwIfNoEntry: false })?.isFile() ? [inside] : [];
  });
}
