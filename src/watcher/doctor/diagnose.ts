import { resolve } from 'node:path';
import { commandOnPath, findCommand } from '../../process/find-command.js';
import { expand } from '../config/placeholders.js';
import type { WatcherConfig } from '../config/watcher-config.js';
import { chooseScheduler, schedulers } from '../schedule/choose-scheduler.js';
import { scheduleEntry } from '../schedule/entry.js';
import type { SchedulerName, SchedulerWorld } from '../schedule/scheduler.js';
import { judgePrograms, judgeVariables, type TickEnvironment } from './commands.js';
import type { Finding } from './finding.js';
import { judgeLogins } from './logins.js';
import { judgeClock, judgeDiskSpace, judgeFileEvents, judgeGit, judgeNode, judgeWritable } from './machine.js';
import { probeAppend, probeDiskSpace, probeFileEvents, probeGit, probeWrite } from './probe.js';
import { judgePrompts } from './prompts.js';
import { judgeSchedule } from './schedule.js';

/** Where `debate doctor` runs. */
export interface DoctorWorld extends SchedulerWorld {
  readonly now: Date;
  readonly platform: NodeJS.Platform;
  /** `process.versions.node`. */
  readonly nodeVersion: string;
  /** The absolute paths of node and of the tool's main file. */
  readonly node: string;
  readonly tool: string;
  /** The channel's id; empty in the plain layout. */
  readonly channelId: string;
  /** When the watcher's memory says that a tick last ran. */
  readonly lastTickAt: Date | undefined;
  /** The daemon that drives the channel, in words. */
  readonly daemon: string | undefined;
}

const EVENT_SECONDS = 2;

/**
 * Everything that can be said before the night without reading the record: this machine, the config, the scheduler.
 * Writes nothing that stays.
 */
export async function diagnoseMachine(config: WatcherConfig, world: DoctorWorld): Promise<readonly Finding[]> {
  const has = (program: string) => commandOnPath(program, world.environment.PATH) !== undefined;
  const scheduler = chooseScheduler(world.platform, has);
  const state = scheduler === undefined ? undefined : await schedulers[scheduler].status(config.channelKey, world);
  const installed = state?.ok === true ? state.installed : undefined;
  const ticks = tickEnvironment(scheduler, installed?.path, world);
  const root = probeWrite(config.root);
  const needsWorktrees = Object.values(config.parties).some(({ worktree }) => worktree !== undefined);
  const folders = [...new Set([config.root, config.stateFolder])];
  return [
    judgeNode(world.nodeVersion),
    judgeGit(await probeGit(world.environment), needsWorktrees),
    judgeWritable('channel folder', config.root, root.reason),
    judgeWritable('state folder', config.stateFolder, probeWrite(config.stateFolder).reason),
    ...mirrorFiles(config, ticks).map((file) => judgeWritable('mirror file', file, probeAppend(file))),
    judgeClock(world.now, root.writtenAt),
    judgeFileEvents(config.root, await probeFileEvents(config.root, EVENT_SECONDS)),
    ...folders.map((folder) => judgeDiskSpace(folder, probeDiskSpace(folder))),
    ...judgePrograms(config, ticks, world.environment.PATH ?? '', findCommand),
    ...judgeVariables(config, ticks),
    ...(await judgeLogins(config, ticks)),
    ...judgePrompts(config),
    ...judgeSchedule({
      scheduler,
      state,
      daemon: world.daemon,
      expected: scheduler === undefined ? undefined : expectedText(scheduler, config, world),
      schedule: config.schedule,
      lastTickAt: world.lastTickAt,
      now: world.now,
    }),
  ];
}

/** The files of mirrors as a tick finds them; of one that names a variable which is not set, `judgeVariables` tells. */
function mirrorFiles(config: WatcherConfig, ticks: TickEnvironment): readonly string[] {
  return config.mirror.flatMap((target) => {
    const variables = { ...ticks.variables, ...config.envFile };
    const path = target.kind === 'file' ? expand(target.path, variables) : undefined;
    return path?.ok ? [resolve(config.folder, path.text)] : [];
  });
}

// What a scheduler gives a job besides its PATH is little; a variable of the terminal is not among it.
function tickEnvironment(
  scheduler: SchedulerName | undefined,
  path: string | undefined,
  world: DoctorWorld,
): TickEnvironment {
  if (scheduler === undefined || path === undefined) return { variables: world.environment, of: 'this terminal' };
  return { variables: { PATH: path, HOME: world.home }, of: scheduler };
}

function expectedText(scheduler: SchedulerName, config: WatcherConfig, world: DoctorWorld): string | undefined {
  const entry = scheduleEntry({
    key: config.channelKey,
    root: config.root,
    config: config.path,
    channelId: world.channelId,
    schedule: config.schedule,
    node: world.node,
    tool: world.tool,
    environment: world.environment,
  });
  const rendered = 'problem' in entry ? entry : schedulers[scheduler].render(entry);
  return 'problem' in rendered ? undefined : rendered.text;
}
