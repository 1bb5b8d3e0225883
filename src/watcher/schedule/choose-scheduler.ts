import { cron } from './cron.js';
import { launchd } from './launchd.js';
import type { Scheduler, SchedulerName } from './scheduler.js';
import { systemd } from './systemd.js';

/** The schedulers by name. */
export const schedulers: Readonly<Record<SchedulerName, Scheduler>> = { cron, systemd, launchd };

/**
 * The scheduler that this machine offers: launchd on a Mac, else cron where there is a `crontab`, else the user's
 * systemd where there is a `systemctl`. Undefined if there is none, as in most containers.
 */
export function chooseScheduler(
  platform: NodeJS.Platform,
  has: (program: string) => boolean,
): SchedulerName | undefined {
  if (platform === 'darwin') return 'launchd';
  if (has('crontab')) return 'cron';
  return has('systemctl') ? 'systemd' : undefined;
}
