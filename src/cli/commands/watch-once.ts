import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import type { Channel } from '../../protocol/channel.js';
import { channelName, openChannel } from '../../protocol/channel.js';
import { type ExitCode, Refusal } from '../../protocol/core/refusal.js';
import { visible } from '../../protocol/core/visible.js';
import { findChannel } from '../../protocol/find-root.js';
import { readEnvironment } from '../../protocol/identity.js';
import { refuseWrongCopy } from '../../protocol/wrong-copy.js';
import { loadWatcherConfig } from '../../watcher/config/load.js';
import type { WatcherConfig } from '../../watcher/config/watcher-config.js';
import { tick } from '../../watcher/tick/tick.js';
import { type ChannelOptions, readingWorld } from '../context.js';
import { json, out, say } from '../print.js';
import { realWorld } from '../real-world.js';

/** Options of `debate watch-once`. */
export interface WatchOnceOptions extends ChannelOptions {
  readonly config: string;
  readonly verbose?: boolean;
}

/** `debate watch-once`: one tick. Quiet when there is nothing to say. */
export async function watchOnceCommand(options: WatchOnceOptions): Promise<ExitCode> {
  const { channel, config } = openWatched(options, options.config);
  const result = await tick(channel, config, {
    world: realWorld(),
    environment: process.env,
    writeOut: (text) => {
      if (options.json) process.stderr.write(text);
      else process.stdout.write(text);
    },
    tell: (event) => {
      if (options.verbose !== true) return;
      const what = event.kind === 'started' ? `started, log ${event.log}` : `${event.outcome}: ${event.detail}`;
      say(visible(`${event.party} for MSG-${event.seq}: ${what}`));
    },
  });
  for (const failure of result.failures) say(visible(failure));
  if (options.json) {
    const { exit, reason, dueMs, ran, failures } = result;
    json({ exit, reason, due_at: dueMs === undefined ? null : new Date(dueMs).toISOString(), ran, failures });
  } else if (options.verbose === true) out(visible(result.reason));
  return result.exit;
}

/** The channel and the watcher config of a command that has both. Refuses `bad-config`, `no-channel` and the like. */
export function openWatched(
  options: ChannelOptions,
  file: string,
): { readonly channel: Channel; readonly config: WatcherConfig } {
  const { disk } = readingWorld;
  const environment = readEnvironment(process.env);
  let channel: Channel | undefined;
  const loaded = loadWatcherConfig(file, {
    environment: process.env,
    home: homedir(),
    locate: (configured) => {
      const found = findChannel(disk, {
        root: options.root ?? configured,
        id: options.channel,
        envRoot: environment.root,
        envId: environment.channel,
        folder: process.cwd(),
      });
      channel = openChannel(disk, realpathSync(found.root), found.id);
      refuseWrongCopy(disk, channel, undefined);
      return { root: channel.paths.root, name: channelName(channel) };
    },
  });
  if (!loaded.ok || !channel) {
    const problems = loaded.ok ? [] : loaded.problems;
    throw new Refusal({
      code: 'bad-config',
      message: problems.join('\n  '),
      hint: 'Mend the file; docs/watcher.md lists its keys.',
    });
  }
  return { channel, config: loaded.config };
}
