import { resolve } from 'node:path';
import { EXIT, type ExitCode } from '../../protocol/core/refusal.js';
import { repositoryAround } from '../../protocol/git.js';
import { initChannel } from '../../protocol/init.js';
import { readingWorld } from '../context.js';
import { json, out, say, shellLine } from '../print.js';
import { channelArgv } from '../reply-argv.js';
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
  const notice = trackedRootNotice(root);
  if (options.json) {
    json({ root, channel: paths.id, format: config.format, parties: config.parties, supervisor: config.supervisor });
  } else {
    const name = paths.id === '' ? '' : ` ${paths.id}`;
    out(
      `made channel${name} in ${root} (format ${config.format}): ${config.parties.join(' and ')}, supervisor ${config.supervisor}`,
    );
    const place = channelArgv({ root: options.root, id: paths.id });
    const next = ['debate', 'post', ...place, '--as', config.parties[0], '--type', 'review-request'];
    out(`next: ${shellLine(next)} --thread SLUG --body TEXT`);
  }
  if (notice !== undefined) say(`notice: ${notice.text}; ${notice.remedy}`);
  return EXIT.done;
}

/** Written only when it is not the enclosing repository: an absolute path would break clones. */
function projectKey(root: string, project: string): string | undefined {
  return repositoryAround(root) === repositoryAround(project) ? undefined : project;
}
