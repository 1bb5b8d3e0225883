import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { HARNESS_NAMES } from '../harness/harnesses.js';
import { commandOnPath } from '../process/find-command.js';
import { type Channel, channelName, nameOfPlace, openChannel } from '../protocol/channel.js';
import { Refusal } from '../protocol/core/refusal.js';
import type { Disk } from '../protocol/disk.js';
import { type Found as FoundChannel, findChannel } from '../protocol/find-root.js';
import { askGit, repositoryAround } from '../protocol/git.js';
import { projectOf } from '../protocol/project.js';
import { defaultConfigPath, isInside } from '../protocol/state-path.js';
import { refuseWrongCopy } from '../protocol/wrong-copy.js';
import type { Found } from './answers.js';
import { detectTests, setupOf } from './detect-tests.js';
import type { Place } from './place.js';

/** What says where the channel, its project and its config are; all as written, relative to `folder`. */
export interface Whereabouts {
  readonly root: string | undefined;
  readonly channel: string | undefined;
  readonly project: string | undefined;
  readonly config: string | undefined;
  readonly folder: string;
}

/** The process that sets up. */
export interface Person {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The absolute paths of node and of the tool's main file. */
  readonly node: string;
  readonly tool: string;
}

/** What was found; `channel` is undefined where none is made yet. */
export interface Around {
  readonly place: Place;
  readonly found: Found;
  readonly channel: Channel | undefined;
  /** The project that a new channel must name, since it is not the one around it. */
  readonly namedProject: string | undefined;
}

/**
 * Looks at the channel, the project and the harnesses of this machine; writes nothing. Refuses as `findChannel` does,
 * except that no channel is no fault: then one is planned in `.debate` of the project.
 */
export function lookAround(disk: Disk, where: Whereabouts, person: Person): Around {
  const located = locate(disk, where, person);
  const root = realPath(located?.root ?? newRoot(where));
  const channel = located === undefined ? undefined : openChannel(disk, root, located.id);
  if (channel !== undefined) refuseWrongCopy(disk, channel, undefined);
  const around = repositoryOf(root);
  const project = channel === undefined ? projectOfNew(where, around) : projectOf(disk, channel, where.project);
  const workFolder = project ?? (/^(\.debate|collab)$/.test(basename(root)) ? dirname(root) : root);
  const id = located?.id ?? '';
  const name = channel === undefined ? nameOfPlace(root, id) : channelName(channel);
  const names = new Set(existsSync(workFolder) ? readdirSync(workFolder) : []);
  const tests = detectTests(names, textAt(join(workFolder, 'package.json')));
  const { environment, home, node, tool } = person;
  const config = where.config === undefined ? undefined : resolve(where.folder, where.config);
  return {
    channel,
    namedProject: channel === undefined && project !== around ? project : undefined,
    found: {
      harnesses: HARNESS_NAMES.filter((each) => commandOnPath(each, environment.PATH) !== undefined),
      channel:
        channel === undefined ? undefined : { parties: channel.config.parties, supervisor: channel.config.supervisor },
      tests: tests?.command,
    },
    place: {
      root,
      channelId: id,
      channelName: name,
      exists: channel !== undefined,
      hasTestsCheck: channel?.config.checks.tests !== undefined,
      project,
      workFolder,
      setup: setupOf(names),
      config: config ?? defaultConfigPath({ root, name }, home, environment),
      node,
      tool,
      cli: cliWords(node, tool, environment.PATH ?? ''),
      codexHome: environment.CODEX_HOME || join(home, '.codex'),
      copilotHome: environment.COPILOT_HOME || join(home, '.copilot'),
      exclude: excludeLine(root, around),
      textOf: textAt,
    },
  };
}

/** The text of a file, or undefined where there is none; any other failure throws the disk's error. */
function textAt(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

function locate(disk: Disk, where: Whereabouts, { environment }: Person): FoundChannel | undefined {
  try {
    return findChannel(disk, {
      root: where.root,
      id: where.channel,
      envRoot: environment.DEBATE_ROOT || undefined,
      envId: environment.DEBATE_CHANNEL || undefined,
      folder: where.folder,
    });
  } catch (error) {
    // With an id the person means a channel that is there.
    if (error instanceof Refusal && error.code === 'no-channel' && where.channel === undefined) return undefined;
    throw error;
  }
}

function newRoot(where: Whereabouts): string {
  if (where.root !== undefined) return resolve(where.folder, where.root);
  const project = where.project === undefined ? repositoryOf(where.folder) : resolve(where.folder, where.project);
  return join(project ?? where.folder, '.debate');
}

function projectOfNew(where: Whereabouts, around: string | undefined): string | undefined {
  if (where.project === undefined) return around ?? repositoryOf(where.folder);
  const named = resolve(where.folder, where.project);
  const top = repositoryOf(named);
  if (top !== undefined) return top;
  throw new Refusal({
    code: 'could-not-check',
    message: `${named} is no git repository.`,
    hint: 'Name the repository that the parties work on with --project, or leave it out.',
  });
}

// Without git a channel does without citations and worktrees; what git refuses to answer is no reason to stop here.
function repositoryOf(folder: string): string | undefined {
  try {
    return repositoryAround(folder);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

// A record inside a checkout goes back with its branch: the default folder is one that git leaves alone (DESIGN.md 4.3).
function excludeLine(root: string, project: string | undefined): Place['exclude'] {
  if (project === undefined || basename(root) !== '.debate' || !isInside(root, project) || root === project)
    return undefined;
  if (askGit(project, ['check-ignore', '-q', root]).code === 0) return undefined;
  const file = askGit(project, ['rev-parse', '--git-path', 'info/exclude']);
  if (file.code !== 0) return undefined;
  return { file: resolve(project, file.out), line: `/${relative(project, root).split(sep).join('/')}/` };
}

function cliWords(node: string, tool: string, path: string): readonly string[] {
  const found = commandOnPath('debate', path);
  return found !== undefined && realPath(found) === realPath(tool) ? ['debate'] : [node, tool];
}

function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}

function realPath(path: string): string {
  const there = nearestFolder(path);
  return join(realpathSync(there), relative(there, path));
}
