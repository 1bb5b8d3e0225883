import { join } from 'node:path';

/** Where a channel's files are. The one place that knows their names (DESIGN.md 4.4). */
export interface ChannelPaths {
  readonly root: string;
  /** The channel's id in the named layout; empty in the plain one. */
  readonly id: string;
  readonly config: string;
  readonly mailbox: string;
  readonly doorbell: string;
  readonly lock: string;
  /** Beside the lock: who holds it (decisions.md 14). */
  readonly lockOwner: string;
  readonly runs: string;
  readonly protocol: string;
  readonly archive: string;
  readonly index: string;
  /** Name of the index as the mailbox's first line gives it. */
  readonly indexName: string;
  /** Prefix of month files in `archive`: `<prefix>-2026-11.md`. */
  readonly monthPrefix: string;
  /** Prefix of what compaction has taken away, in `archive`. */
  readonly takenPrefix: string;
}

/** Maps a root, and an id in the named layout, to paths. */
export function channelPaths(root: string, id: string): ChannelPaths {
  const at = (plain: string, named: string) => join(root, id === '' ? plain : `${id}.${named}`);
  const indexFile = id === '' ? 'INDEX.md' : `${id}-INDEX.md`;
  const archive = join(root, 'archive');
  return {
    root,
    id,
    config: at('debate.json', 'debate.json'),
    mailbox: at('CHANNEL.md', 'channel.md'),
    doorbell: at('signal.json', 'signal.json'),
    lock: at('.lock', 'lock'),
    lockOwner: at('.lock.owner', 'lock.owner'),
    runs: at('.runs', 'runs'),
    protocol: join(root, 'PROTOCOL.md'),
    archive,
    index: join(archive, indexFile),
    indexName: `archive/${indexFile}`,
    monthPrefix: id === '' ? 'CHANNEL' : id,
    takenPrefix: id === '' ? '.taken-' : `.taken-${id}-`,
  };
}

/** The options by which a command finds this channel from anywhere; `root` is absolute, `id` is empty in the plain layout. */
export function channelArgv({ root, id }: Pick<ChannelPaths, 'root' | 'id'>): readonly string[] {
  return ['--root', root, ...(id === '' ? [] : ['--channel', id])];
}

/** The id of a channel whose config has this file name: empty for the plain layout, undefined for no config. */
export function channelIdOf(fileName: string): string | undefined {
  if (fileName === 'debate.json') return '';
  const found = /^(.+)\.debate\.json$/.exec(fileName);
  return found?.[1];
}

/** The id of a channel whose mailbox has this file name: empty for the plain layout, undefined for no mailbox. */
export function mailboxIdOf(fileName: string): string | undefined {
  if (fileName === 'CHANNEL.md') return '';
  const found = /^(.+)\.channel\.md$/.exec(fileName);
  return found?.[1];
}

/** Patterns for a root's `.gitignore` (decisions.md 19). */
export const IGNORED = ['*signal.json', '.lock*', '*.lock*', '.runs/', '*.runs/', '*.tmp', 'archive/.taken-*'];
