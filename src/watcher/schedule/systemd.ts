import { rmSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { readDefinition, writeDefinition } from './definition-file.js';
import { programProblem, runProgram } from './run-program.js';
import type { ScheduleOutcome, Scheduler, SchedulerWorld } from './scheduler.js';
import { pathOfService, systemdService, systemdTimer, systemdUnitName } from './systemd-units.js';

const LINGER =
  'systemd ends a user\'s timers when the last session closes: run "loginctl enable-linger" to keep them going';

/** A timer and a service of the user's own systemd. */
export const systemd: Scheduler = {
  render: (entry) => ({ text: textOf(entry.key, systemdService(entry), systemdTimer(entry)) }),
  install: (entry, world) =>
    saying(async () => {
      const { service, timer, timerName } = unitsOf(entry.key, world);
      const serviceChanged = writeDefinition(service, systemdService(entry));
      const timerChanged = writeDefinition(timer, systemdTimer(entry));
      const problem = await inTurn(world, [
        ['systemctl', '--user', 'daemon-reload'],
        ['systemctl', '--user', 'enable', timerName],
        // A timer that is running goes on with its old schedule until it is started again.
        ['systemctl', '--user', 'restart', timerName],
      ]);
      if (problem !== undefined) return { ok: false, problem };
      return { ok: true, changed: serviceChanged || timerChanged, notices: [LINGER] };
    }),
  remove: (key, world) =>
    saying(async () => {
      const { service, timer, timerName } = unitsOf(key, world);
      if (readDefinition(timer) === undefined && readDefinition(service) === undefined) {
        return { ok: true, changed: false, notices: [] };
      }
      const disabled = await inTurn(world, [['systemctl', '--user', 'disable', '--now', timerName]]);
      if (disabled !== undefined) return { ok: false, problem: disabled };
      rmSync(timer, { force: true });
      rmSync(service, { force: true });
      const problem = await inTurn(world, [['systemctl', '--user', 'daemon-reload']]);
      return problem === undefined ? { ok: true, changed: true, notices: [] } : { ok: false, problem };
    }),
  status: async (key, world) => {
    const { service, timer, timerName } = unitsOf(key, world);
    try {
      const [serviceText, timerText] = [readDefinition(service), readDefinition(timer)];
      if (serviceText === undefined || timerText === undefined) return { ok: true, installed: undefined };
      const command = ['systemctl', '--user', 'is-active', timerName];
      const result = await runProgram(command, world.environment);
      if (!result.started) return { ok: false, problem: programProblem(command, result) };
      if (result.stdout.trim() !== 'active') return { ok: true, installed: undefined };
      return { ok: true, installed: { text: textOf(key, serviceText, timerText), path: pathOfService(serviceText) } };
    } catch (error) {
      return { ok: false, problem: (error as Error).message };
    }
  },
};

function textOf(key: string, service: string, timer: string): string {
  const name = systemdUnitName(key);
  return [`# ${name}.service`, service, `# ${name}.timer`, timer].join('\n');
}

function unitsOf(key: string, world: SchedulerWorld) {
  const configured = world.environment.XDG_CONFIG_HOME;
  const configHome = configured !== undefined && isAbsolute(configured) ? configured : join(world.home, '.config');
  const folder = join(configHome, 'systemd', 'user');
  const name = systemdUnitName(key);
  return { service: join(folder, `${name}.service`), timer: join(folder, `${name}.timer`), timerName: `${name}.timer` };
}

async function inTurn(world: SchedulerWorld, commands: readonly (readonly string[])[]): Promise<string | undefined> {
  for (const command of commands) {
    const result = await runProgram(command, world.environment);
    if (result.exitCode !== 0) return programProblem(command, result);
  }
  return undefined;
}

async function saying(work: () => Promise<ScheduleOutcome>): Promise<ScheduleOutcome> {
  try {
    return await work();
  } catch (error) {
    return { ok: false, problem: (error as Error).message };
  }
}
