import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Channel, channelName } from '../protocol/channel.js';
import type { PinnedCheck } from '../protocol/config.js';
import { Refusal } from '../protocol/core/refusal.js';
import type { Disk } from '../protocol/disk.js';
import { projectOf } from '../protocol/project.js';
import { defaultStatePath } from '../protocol/state-path.js';
import { resolveCommit } from '../worktree/tree.js';

/** Where the checks of a channel run and where their records lie. */
export interface EvidencePlace {
  readonly channel: Channel;
  /** The repository of which a check gets a worktree. */
  readonly project: string;
  /** The folder of the records, beside the watcher's state and outside the channel. */
  readonly folder: string;
}

/** What a run is of: everything that makes two runs the same one. */
export interface RunKey {
  readonly name: string;
  /** The full commit. */
  readonly commit: string;
  readonly check: PinnedCheck;
  readonly definition: string;
  /** The folder of all runs of this key. */
  readonly folder: string;
}

/** The folder of the records of a channel's checks: all that run on this machine meet there. */
export function evidenceFolder(
  channel: Channel,
  home: string,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const place = { root: realpathSync(channel.paths.root), name: channelName(channel) };
  return join(dirname(defaultStatePath(place, home, environment)), 'evidence');
}

/**
 * Where the checks of a channel run. `repository` is named by whoever asks, instead of the channel's project. Refuses
 * `could-not-check` when there is none on this machine.
 */
export function evidencePlace(
  disk: Disk,
  channel: Channel,
  surroundings: {
    readonly home: string;
    readonly environment: Readonly<Record<string, string | undefined>>;
    readonly repository?: string | undefined;
  },
): EvidencePlace {
  const project = projectOf(disk, channel, surroundings.repository);
  if (project === undefined)
    throw new Refusal({
      code: 'could-not-check',
      message: `The channel at ${channel.paths.root} has no project, so there is no commit to run a check at.`,
      hint: `Say where the repository is: "project" in ${channel.paths.config}.`,
    });
  return { channel, project, folder: evidenceFolder(channel, surroundings.home, surroundings.environment) };
}

/** The check of that name as the supervisor pinned it. Refuses `unknown-check`. */
export function pinnedCheck(channel: Channel, name: string): PinnedCheck {
  const { checks } = channel.config;
  const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
  if (check !== undefined) return check;
  const names = Object.keys(checks);
  throw new Refusal({
    code: 'unknown-check',
    message: `"${name}" is no check of this channel.`,
    hint:
      names.length > 0
        ? `Name one of ${names.join(', ')}; the supervisor pins others in ${channel.paths.config}.`
        : `None is pinned: the supervisor adds one to "checks" in ${channel.paths.config}.`,
  });
}

/** The hash that names a check as it is pinned: another command, setup or timeout is another check. */
export function definitionOf(check: PinnedCheck): string {
  const told = JSON.stringify([check.setup ?? null, check.command, check.timeoutSeconds]);
  return createHash('sha256').update(told).digest('hex');
}

/**
 * The key of a check at a commit, given by 7 to 40 hex; without one, at the project's HEAD. Refuses `unknown-check`,
 * `no-such-commit`, `could-not-check`.
 */
export async function runKeyOf(place: EvidencePlace, name: string, ref: string | undefined): Promise<RunKey> {
  const check = pinnedCheck(place.channel, name);
  const found = await resolveCommit(place.project, ref);
  if (found.kind === 'commit') return runKeyAt(place.folder, name, check, found.sha);
  throw new Refusal({
    code: found.kind === 'no-such-commit' ? 'no-such-commit' : 'could-not-check',
    message: found.message,
    hint: 'Give a commit as `git rev-parse --short HEAD` prints it: --ref COMMIT.',
  });
}

/** The key of a check at a full commit. */
export function runKeyAt(folder: string, name: string, check: PinnedCheck, commit: string): RunKey {
  const definition = definitionOf(check);
  return { name, commit, check, definition, folder: join(folder, name, keyFolder(commit, definition)) };
}

/** The name of the folder of all runs at a commit under a definition. */
export function keyFolder(commit: string, definition: string): string {
  return `${commit}-${definition.slice(0, 16)}`;
}
