import type { ScheduleEntry } from './entry.js';

/** The schedulers that can run a channel's tick. */
export type SchedulerName = 'cron' | 'systemd' | 'launchd';

/** Where a schedule is installed. */
export interface SchedulerWorld {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The number of the user, which launchd wants to know. */
  readonly uid: number;
}

/** What came of installing or removing; `notices` are for the person who asked. */
export type ScheduleOutcome =
  | { readonly ok: true; readonly changed: boolean; readonly notices: readonly string[] }
  | { readonly ok: false; readonly problem: string };

/** What is installed and in force for a channel. */
interface InstalledSchedule {
  /** The line of the crontab, the units, the property list. */
  readonly text: string;
  /** The PATH that a tick gets; undefined where the text has none of the form that we write. */
  readonly path: string | undefined;
}

/** What is installed for a channel, or why that could not be found out. */
export type ScheduleState =
  | { readonly ok: true; readonly installed: InstalledSchedule | undefined }
  | { readonly ok: false; readonly problem: string };

/**
 * One kind of scheduler. `render` touches nothing; the others run the scheduler's own programs. An entry is found again
 * by its key alone, so that one installed from another folder, or by an older release, is replaced and removed too.
 */
export interface Scheduler {
  readonly render: (entry: ScheduleEntry) => { readonly text: string } | { readonly problem: string };
  readonly install: (entry: ScheduleEntry, world: SchedulerWorld) => Promise<ScheduleOutcome>;
  readonly remove: (key: string, world: SchedulerWorld) => Promise<ScheduleOutcome>;
  readonly status: (key: string, world: SchedulerWorld) => Promise<ScheduleState>;
}
