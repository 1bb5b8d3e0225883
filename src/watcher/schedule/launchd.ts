import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readDefinition, writeDefinition } from './definition-file.js';
import { launchdLabel, launchdPlist, pathOfPlist } from './launchd-plist.js';
import { programProblem, runProgram } from './run-program.js';
import type { Scheduler, SchedulerWorld } from './scheduler.js';

/** A job of the user's launchd. */
export const launchd: Scheduler = {
  render: launchdPlist,
  install: async (entry, world) => {
    const rendered = launchdPlist(entry);
    if ('problem' in rendered) return { ok: false, problem: rendered.problem };
    try {
      const path = plistOf(entry.key, world);
      const changed = writeDefinition(path, rendered.text);
      const { domain, job } = domainOf(entry.key, world);
      // A loaded job keeps its old definition; that none is loaded is no failure.
      await runProgram(['launchctl', 'bootout', job], world.environment);
      const command = ['launchctl', 'bootstrap', domain, path];
      const result = await runProgram(command, world.environment);
      return result.exitCode === 0
        ? { ok: true, changed, notices: [] }
        : { ok: false, problem: programProblem(command, result) };
    } catch (error) {
      return { ok: false, problem: (error as Error).message };
    }
  },
  remove: async (key, world) => {
    try {
      const path = plistOf(key, world);
      if (readDefinition(path) === undefined) return { ok: true, changed: false, notices: [] };
      const command = ['launchctl', 'bootout', domainOf(key, world).job];
      const result = await runProgram(command, world.environment);
      if (!result.started) return { ok: false, problem: programProblem(command, result) };
      rmSync(path, { force: true });
      return { ok: true, changed: true, notices: [] };
    } catch (error) {
      return { ok: false, problem: (error as Error).message };
    }
  },
  status: async (key, world) => {
    try {
      const text = readDefinition(plistOf(key, world));
      if (text === undefined) return { ok: true, installed: undefined };
      const command = ['launchctl', 'print', domainOf(key, world).job];
      const result = await runProgram(command, world.environment);
      if (!result.started) return { ok: false, problem: programProblem(command, result) };
      return { ok: true, installed: result.exitCode === 0 ? { text, path: pathOfPlist(text) } : undefined };
    } catch (error) {
      return { ok: false, problem: (error as Error).message };
    }
  },
};

function plistOf(key: string, world: SchedulerWorld): string {
  return join(world.home, 'Library', 'LaunchAgents', `${launchdLabel(key)}.plist`);
}

function domainOf(key: string, world: SchedulerWorld) {
  const domain = `gui/${world.uid}`;
  return { domain, job: `${domain}/${launchdLabel(key)}` };
}
