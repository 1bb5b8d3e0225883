import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Channel } from '../../protocol/channel.js';
import { EXIT, type ExitCode, Refusal } from '../../protocol/core/refusal.js';
import { readText } from '../../protocol/file.js';
import { channelIds } from '../../protocol/find-root.js';
import { askGit, repositoryAround } from '../../protocol/git.js';
import { initChannel } from '../../protocol/init.js';
import { channelArgv, channelPaths } from '../../protocol/layout.js';
import { protocolText } from '../../protocol/protocol-text.js';
import { readingWorld } from '../context.js';
import { json, out, say, shellLine } from '../print.js';
import { trackedRootNotice } from '../tracked-root.js';

/** Options of `debate init`. */
export interface InitOptions {
  readonly root: string;
  readonly parties: readonly string[];
  readonly supervisor: string;
  readonly threadCap?: number;
  readonly format: '1' | '2';
  readonly label?: string;
  readonly project?: string;
  readonly json?: boolean;
}

/** `debate init`: makes a channel and says how to go on. */
export function initCommand(options: InitOptions): ExitCode {
  const { disk, machine } = readingWorld;
  const root = resolve(options.root);
  const contract = readText(disk, channelPaths(root, '').protocol);
  const channel = initChannel(disk, machine, {
    root,
    parties: options.parties,
    supervisor: options.supervisor,
    threadCap: options.threadCap,
    format: options.format === '1' ? 1 : 2,
    label: options.label,
    project: options.project === undefined ? undefined : projectKey(root, resolve(options.project)),
  });
  const { config, paths } = channel;
  const { parties, supervisor } = config;
  if (options.json) {
    json({ root, channel: paths.id, format: config.format, parties, supervisor });
  } else {
    const name = paths.id === '' ? '' : ` ${paths.id}`;
    out(`made channel${name} in ${root} (format ${config.format}): ${parties.join(' and ')}, supervisor ${supervisor}`);
    const isAlone = channelIds(disk, root).length === 1;
    const place = [
      ...channelArgv({ root: options.root, id: paths.id }),
      ...(paths.id === '' && !isAlone ? ['--channel', ''] : []),
    ];
    const next = ['debate', 'post', ...place, '--as', parties[0], '--type', 'review-request'];
    out(`next: ${shellLine(next)} --thread SLUG --body TEXT`);
  }
  for (const notice of noticesOf(channel, contract)) say(notice);
  return EXIT.done;
}

/**
 * Written only when it is not the enclosing repository: an absolute path would break clones. Refuses `could-not-check` for what is
 * no repository, where every citation would be refused later.
 */
function projectKey(root: string, project: string): string | undefined {
  if (!existsSync(project) || !isRepository(project))
    throw new Refusal({
      code: 'could-not-check',
      message: `${project} is no git repository that can be read, so no citation could be looked up there; nothing was made.`,
      hint: 'Name the repository that is reviewed with --project, or leave it out.',
    });
  return repositoryAround(root) === repositoryAround(project) ? undefined : project;
}

function isRepository(folder: string): boolean {
  try {
    return askGit(folder, ['rev-parse', '--git-dir']).code === 0;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** What a person should know of the place of a new channel. `contract` is the PROTOCOL.md that was there before it. */
function noticesOf({ paths, config }: Channel, contract: string | undefined): readonly string[] {
  const { parties, supervisor, threadCap, format } = config;
  const notices: string[] = [];
  if (contract !== undefined && contract !== protocolText({ parties, supervisor, threadCap, format }))
    notices.push(
      `notice: ${paths.protocol} was there already and is kept: see that it suits ${parties.join(' and ')}, supervisor ${supervisor}, who read it too`,
    );
  const ids = channelIds(readingWorld.disk, paths.root);
  if (ids.length > 1)
    notices.push(
      `notice: this folder holds ${ids.length} channels now, and a command that does not name one is refused: add --channel ${ids.map((id) => id || "'' for the plain one").join(' or ')}`,
    );
  const tracked = trackedRootNotice(paths.root);
  return tracked === undefined ? notices : [...notices, `notice: ${tracked.text}; ${tracked.remedy}`];
}
