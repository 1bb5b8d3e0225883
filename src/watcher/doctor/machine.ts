import { type Finding, ok, problem, warning } from './finding.js';

const OLDEST_NODE = 20;
const OLDEST_YEAR = 2025;
const MEGABYTE = 1 << 20;
const SKEW_SECONDS = 2;

/** Node must be one that the tool supports. `version` is `process.versions.node`. */
export function judgeNode(version: string): Finding {
  const text = `Node ${version}`;
  return Number.parseInt(version, 10) >= OLDEST_NODE
    ? ok('node', text)
    : problem('node', `${text} is too old`, `install Node ${OLDEST_NODE} or newer`);
}

/** git is needed for citations, checks and worktrees; without those a channel does without it. */
export function judgeGit(version: string | undefined, needsWorktrees: boolean): Finding {
  if (version !== undefined) return ok('git', version);
  const remedy = 'install git, or put its folder on the PATH';
  return needsWorktrees
    ? problem('git', 'git cannot be run, and a party of the config works in a git worktree', remedy)
    : warning('git', 'git cannot be run, so citations cannot be checked', remedy);
}

/** A folder that must be writable; `reason` is why it is not. */
export function judgeWritable(about: string, path: string, reason: string | undefined): Finding {
  return reason === undefined
    ? ok(about, `${path} can be written to`)
    : problem(about, `${path} cannot be written to: ${reason}`, 'give this user the right to, or name another folder');
}

/**
 * The clock must be in a year that can be, and the disk must agree with it: debounce, retry and locks compare the two.
 * `writtenAt` is the time that the disk gave a file written at `now`.
 */
export function judgeClock(now: Date, writtenAt: Date | undefined): Finding {
  if (now.getUTCFullYear() < OLDEST_YEAR) {
    return problem('clock', `the clock says ${now.toISOString()}`, 'set it, and keep it set with NTP');
  }
  const skew = writtenAt === undefined ? 0 : (writtenAt.getTime() - now.getTime()) / 1000;
  if (Math.abs(skew) > SKEW_SECONDS) {
    const text = `the clock of the channel's disk is ${Math.abs(skew).toFixed(1)} s ${skew > 0 ? 'ahead' : 'behind'}`;
    return warning('clock', text, 'keep both machines set with NTP, or move the channel to a disk of this machine');
  }
  return ok('clock', now.toISOString());
}

/** Without file events the daemon finds a new entry only with its schedule. */
export function judgeFileEvents(folder: string, arrived: boolean): Finding {
  return arrived
    ? ok('file events', `changes in ${folder} are noticed at once`)
    : warning(
        'file events',
        `changes in ${folder} are not noticed, as on network file systems and some containers`,
        'nothing must be done: the schedule finds them, a period later',
      );
}

/** Free space, in bytes, where something is written; undefined where it could not be found out. */
export function judgeDiskSpace(folder: string, free: number | undefined): Finding {
  if (free === undefined) return warning('disk space', `the free space of ${folder} is unknown`, 'look at it with df');
  const text = `${Math.floor(free / MEGABYTE)} MB free at ${folder}`;
  if (free < 50 * MEGABYTE) return problem('disk space', text, 'free some: an entry that does not fit is refused');
  if (free < 500 * MEGABYTE) return warning('disk space', text, 'free some before the logs of runs fill it');
  return ok('disk space', text);
}
