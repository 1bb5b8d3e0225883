import { basename } from 'node:path';
import { channelName } from '../../protocol/channel.js';
import { isName } from '../../protocol/core/grammar.js';
import { EXIT, type ExitCode, Refusal } from '../../protocol/core/refusal.js';
import { migrateFormat, migrateNamed } from '../../protocol/migrate.js';
import { type ChannelOptions, openContext, wokenOf } from '../context.js';
import { json, out } from '../print.js';
import { realWorld } from '../real-world.js';

/** Options of `debate migrate`. */
export interface MigrateOptions extends ChannelOptions {
  readonly named?: boolean;
  readonly label?: string;
  readonly format?: '2';
}

/** `debate migrate`: the layout, the format, or both, layout first. Refused in a woken process: its watcher knows the channel by its name. */
export function migrateCommand(options: MigrateOptions): ExitCode {
  if (options.named !== true && options.format === undefined)
    throw new Refusal({
      code: 'usage',
      message: 'It is not said what to migrate; nothing was changed.',
      hint: 'Add --named, --format 2, or both.',
    });
  const context = openContext(options);
  let { channel } = context;
  if (wokenOf(context) !== undefined)
    throw new Refusal({
      code: 'not-when-woken',
      message: 'An agent that was woken for a turn migrates no channel; nothing was changed.',
      hint: 'Leave it to the supervisor, or ask with `debate post --ask`.',
    });
  const world = realWorld();
  const done: string[] = [];
  if (options.named === true) {
    const own = channelName(channel);
    const label =
      options.label ??
      (isName(own)
        ? own
        : basename(channel.paths.root)
            .toLowerCase()
            .replace(/[^a-z0-9]+/g, '-'));
    const named = migrateNamed(world, channel, label);
    done.push(...named.done);
    channel = named.channel;
  }
  if (options.format === '2') {
    const migrated = migrateFormat(world, channel);
    done.push(...migrated.done);
    channel = migrated.channel;
  }
  if (options.json) json({ root: channel.paths.root, channel: channel.paths.id, format: channel.config.format, done });
  else for (const line of done) out(line);
  return EXIT.done;
}
