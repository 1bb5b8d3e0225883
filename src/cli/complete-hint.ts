import type { ChannelOptions } from './context.js';
import { shellLine } from './print.js';

/** The commands that find their channel by `--root` and `--channel`, and that a hint may name. */
const ON_CHANNEL = /`(debate (?:check|claim|compact|migrate|post|read|repair|status|threads|verify|wait)\b[^`]*)`/g;

/**
 * A text whose commands can be pasted: each one in backquotes gets the `--root` and `--channel` that this command was given, where
 * it names none itself. What the environment or the folder says holds for the next command too.
 */
export function completeHint(text: string, { root, channel }: Pick<ChannelOptions, 'root' | 'channel'>): string {
  const given = [
    ...(root === undefined ? [] : ['--root', root]),
    ...(channel === undefined ? [] : ['--channel', channel]),
  ];
  if (given.length === 0) return text;
  return text.replace(ON_CHANNEL, (quoted, command: string) =>
    / --(root|help)\b/.test(command) ? quoted : `\`${command} ${shellLine(given)}\``,
  );
}
