import { homedir } from 'node:os';
import type { Place } from '../../setup/place.js';
import type { WatcherConfig } from '../../watcher/config/watcher-config.js';
import { diagnoseMachine } from '../../watcher/doctor/diagnose.js';
import { findProgram } from '../../watcher/find-program.js';
import { chooseScheduler, schedulers } from '../../watcher/schedule/choose-scheduler.js';
import { scheduleEntry } from '../../watcher/schedule/entry.js';
import { styled } from '../print.js';
import type { Tell } from './show-plan.js';

/** Installs the watcher's tick in this machine's scheduler; false, and a sentence, where that cannot be. */
export async function installSchedule(tell: Tell, config: WatcherConfig, place: Place): Promise<boolean> {
  const world = schedulerWorld();
  const name = chooseScheduler(
    process.platform,
    (program) => findProgram(program, process.env.PATH ?? '') !== undefined,
  );
  if (name === undefined) {
    tell('no schedule: this machine has no cron, systemd or launchd; keep "debate watch" running instead');
    return false;
  }
  const entry = scheduleEntry({
    key: config.channelKey,
    root: config.root,
    config: config.path,
    channel: place.channelId === '' ? undefined : place.channelId,
    schedule: config.schedule,
    node: place.node,
    tool: place.tool,
    environment: process.env,
  });
  const outcome =
    'problem' in entry ? { ok: false as const, problem: entry.problem } : await schedulers[name].install(entry, world);
  if (!outcome.ok) {
    tell(`no schedule: ${outcome.problem}`);
    return false;
  }
  tell(`schedule: ${outcome.changed ? 'installed' : 'was installed already'} in ${name} (${config.schedule})`);
  for (const notice of outcome.notices) tell(notice);
  return true;
}

/** Looks at this machine as `debate doctor` does and tells what is not well; true if nothing is a problem. */
export async function examine(tell: Tell, config: WatcherConfig, place: Place): Promise<boolean> {
  const findings = await diagnoseMachine(config, {
    ...schedulerWorld(),
    now: new Date(),
    platform: process.platform,
    nodeVersion: process.versions.node,
    node: place.node,
    tool: place.tool,
    channel: place.channelId === '' ? undefined : place.channelId,
    lastTickAt: undefined,
    daemon: undefined,
  });
  const fine = findings.filter(({ level }) => level === 'ok').length;
  tell(`doctor: ${fine} of ${findings.length} well`);
  for (const finding of findings) {
    if (finding.level === 'ok') continue;
    tell(styled(finding.level === 'problem' ? 'red' : 'yellow', `  ${finding.level}: ${finding.text}`));
    tell(`    ${finding.remedy}`);
  }
  return findings.every(({ level }) => level !== 'problem');
}

function schedulerWorld() {
  return { environment: process.env, home: homedir(), uid: process.getuid?.() ?? 0 };
}
