import { dirname, isAbsolute } from 'node:path';
import { parseCronExpression } from './cron-expression.js';

/** What is installed for one channel: the tick, when it runs, and what it needs to run the same as in a terminal. */
export interface ScheduleEntry {
  /** The channel's name on this machine (`channelKey`), by which the entry is found again. */
  readonly key: string;
  /** The root of the channel, for people. */
  readonly root: string;
  /** A cron expression of five fields. */
  readonly schedule: string;
  /** The absolute path of node. */
  readonly program: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** What a person wants to schedule, and from where. */
export interface ScheduleRequest {
  readonly key: string;
  readonly root: string;
  /** The absolute path of the config. */
  readonly config: string;
  /** The channel's id; empty in the plain layout. A scheduler has no variable that could name it. */
  readonly channelId: string;
  readonly schedule: string;
  /** The absolute paths of node and of the tool's main file. */
  readonly node: string;
  readonly tool: string;
  /** The environment of the person who installs it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const TEMPORARY_INSTALL = /(?:^|\/)(?:_npx|pnpm\/dlx|dlx-[^/]*|bunx-[^/]*)(?:\/|$)/;
// What no crontab, unit file or plist can carry: control characters, lone surrogates, what XML forbids.
const UNWRITABLE = /[\p{Cc}\p{Cs}\ufffe\uffff]/u;

/**
 * The entry for a request, or one sentence that says why there can be none: a tool that lies in the cache of npx and
 * the like can vanish any day, and a path with a line break fits in no table. The PATH is that of the person who
 * installs it, without what means nothing elsewhere, and with node's own folder, which harnesses written in JavaScript
 * look for.
 */
export function scheduleEntry(request: ScheduleRequest): ScheduleEntry | { readonly problem: string } {
  if (TEMPORARY_INSTALL.test(request.tool)) {
    return {
      problem: `${request.tool} lies in a cache that can vanish: install the tool (npm install -g) and schedule from there`,
    };
  }
  const parsed = parseCronExpression(request.schedule);
  if ('problem' in parsed) return { problem: `the schedule "${request.schedule}" cannot be used: ${parsed.problem}` };
  const args = [request.tool, 'watch-once', '--root', request.root, '--config', request.config];
  if (request.channelId !== '') args.push('--channel', request.channelId);
  const environment: Record<string, string> = { PATH: schedulerPath(request.environment.PATH ?? '', request.node) };
  // A scheduler does not know it, and without it the tick would look for its memory somewhere else.
  const stateHome = request.environment.XDG_STATE_HOME;
  if (stateHome !== undefined && isAbsolute(stateHome)) environment.XDG_STATE_HOME = stateHome;

  for (const path of [request.node, request.tool, request.root, request.config]) {
    if (!isAbsolute(path)) return { problem: `${path} is no absolute path, and a scheduler starts elsewhere` };
  }
  for (const text of [request.node, ...args, ...Object.values(environment)]) {
    if (UNWRITABLE.test(text)) {
      return {
        problem: `${JSON.stringify(text)} holds a line break or control character, which no schedule can carry`,
      };
    }
  }
  return {
    key: request.key,
    root: request.root,
    schedule: request.schedule
      .trim()
      .split(/[ \t]+/)
      .join(' '),
    program: request.node,
    args,
    environment,
  };
}

function schedulerPath(path: string, node: string): string {
  const folders = path.split(':').filter((folder) => isAbsolute(folder) && !TEMPORARY_INSTALL.test(folder));
  return [...new Set([...folders, dirname(node)])].join(':');
}
