import { dirname, join, relative, resolve } from 'node:path';
import type { Channel } from './channel.js';
import { parseConfig } from './config.js';
import { Refusal } from './core/refusal.js';
import type { Disk } from './disk.js';
import { readText } from './file.js';
import { channelPaths } from './layout.js';

/**
 * Refuses `wrong-copy` for a root that is a stale copy of a live channel (DESIGN.md 4.4, decisions.md 23): inside a
 * linked worktree whose main worktree holds the same channel at the same place, or, in a woken process, a channel with
 * the id of the one that it was woken for. Reads git's own files; runs nothing.
 */
export function refuseWrongCopy(disk: Disk, channel: Channel, wokenRoot: string | undefined): void {
  const { root, id } = channel.paths;
  const main = mainWorktreeOf(disk, root);
  if (main !== undefined && isSameChannel(disk, channel, join(main.folder, main.inside), id))
    throw wrongCopy(root, join(main.folder, main.inside));
  if (wokenRoot !== undefined && resolve(wokenRoot) !== resolve(root) && isSameChannel(disk, channel, wokenRoot, id))
    throw wrongCopy(root, wokenRoot);
}

/** The main worktree around a folder in a linked one, and the folder's place inside it. */
function mainWorktreeOf(disk: Disk, root: string): { readonly folder: string; readonly inside: string } | undefined {
  for (let folder = resolve(root); ; folder = dirname(folder)) {
    const git = join(folder, '.git');
    const kind = disk.info(git)?.kind;
    if (kind === 'file') {
      const gitDir = /^gitdir: (.+)$/m.exec(readText(disk, git) ?? '')?.[1];
      const common =
        gitDir === undefined ? undefined : readText(disk, join(resolve(folder, gitDir), 'commondir'))?.trim();
      if (gitDir === undefined || common === undefined) return undefined;
      const gitFolder = resolve(resolve(folder, gitDir), common);
      const isDotGit = /[\\/]\.git$/.test(gitFolder);
      return isDotGit ? { folder: dirname(gitFolder), inside: relative(folder, resolve(root)) } : undefined;
    }
    if (kind !== undefined || dirname(folder) === folder) return undefined;
  }
}

/** The same channel: the same random id; in format 1, which has none, the same name; neither: it cannot be told. */
function isSameChannel(disk: Disk, channel: Channel, otherRoot: string, id: string): boolean {
  const paths = channelPaths(otherRoot, id);
  const text = readText(disk, paths.config);
  if (text === undefined) return false;
  try {
    const other = parseConfig(text, paths.config);
    if (channel.config.id !== undefined) return other.id === channel.config.id;
    return channel.config.name !== undefined && other.name === channel.config.name;
  } catch {
    return false;
  }
}

function wrongCopy(copy: string, live: string): Refusal {
  return new Refusal({
    code: 'wrong-copy',
    message: `${copy} is a copy of the channel that lives at ${live}.`,
    hint: `Use the live one: --root ${live}`,
  });
}
