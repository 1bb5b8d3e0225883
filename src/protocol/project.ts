import { resolve } from 'node:path';
import type { Channel } from './channel.js';
import { citationsIn } from './core/citation.js';
import { Refusal } from './core/refusal.js';
import type { Disk } from './disk.js';
import { hasCommit, repositoryAround } from './git.js';

/**
 * The repository that a channel's citations are looked up in: the one that is named, else the config's, else the one
 * around the root. Undefined when the channel has no project. Refuses `could-not-check` when the recorded one is not on
 * this machine (decisions.md 24).
 */
export function projectOf(disk: Disk, channel: Channel, named: string | undefined): string | undefined {
  if (named !== undefined) return existing(disk, resolve(named));
  const { project } = channel.config;
  if (project !== undefined) return existing(disk, resolve(channel.paths.root, project));
  return repositoryAround(channel.paths.root);
}

function existing(disk: Disk, path: string): string {
  if (disk.info(path)?.kind === 'folder') return path;
  throw new Refusal({
    code: 'could-not-check',
    message: `The channel's project ${path} is not on this machine, so citations cannot be checked.`,
    hint: 'Name the repository with --verify-refs REPO.',
  });
}

/** The citations in `refs` that are no commit in the channel's project; none when it has no project. */
export function unknownCommits(
  disk: Disk,
  channel: Channel,
  refs: string,
  named: string | undefined,
): readonly string[] {
  const cited = citationsIn(refs);
  if (cited.length === 0) return [];
  const project = projectOf(disk, channel, named);
  if (project === undefined) return [];
  return cited.filter(({ commit }) => !hasCommit(project, commit)).map(({ name, commit }) => `${name}@${commit}`);
}
