import { basename } from 'node:path';
import type { Channel } from '../../protocol/channel.js';
import { doorbellOf, sameDoorbell } from '../../protocol/core/doorbell.js';
import { Refusal } from '../../protocol/core/refusal.js';
import type { Disk } from '../../protocol/disk.js';
import { readStanding } from '../../protocol/standing.js';
import { channelCommand } from '../channel-command.js';
import type { WatcherConfig } from '../config/watcher-config.js';
import { type Finding, ok, problem, warning } from './finding.js';

/** A writer holds the lock for milliseconds: one that is older was left behind. */
const LOCK_SECONDS = 60;

/** Whether the record can be read and judged, and the doorbell says what it says. */
export function judgeRecord(disk: Disk, channel: Channel): readonly Finding[] {
  const look = `run "${channelCommand('verify', channel.paths)}"`;
  try {
    const { state, tail, bell } = readStanding(disk, channel);
    const [stop] = tail.stops;
    const record = stop
      ? problem('record', `${stop.message} Nobody is woken until the supervisor has looked`, look)
      : ok('record', `it ends at MSG-${state.seq}${state.thread === '' ? '' : `, thread ${state.thread} is open`}`);
    const isSame = sameDoorbell(bell.doorbell, doorbellOf(state));
    const doorbell = isSame
      ? ok('doorbell', 'it says what the record says')
      : warning(
          'doorbell',
          'it differs from the record, or is missing',
          'nothing must be done: the next tick or post mends it',
        );
    return [record, doorbell];
  } catch (error) {
    if (error instanceof Refusal) return [problem('record', error.message, error.hint)];
    throw error;
  }
}

/** A lock that a dead writer left keeps others waiting. `now` is the time to measure its age by. */
export function judgeLock(disk: Disk, { paths }: Channel, now: Date): Finding {
  const found = disk.info(paths.lock);
  if (found === undefined) return ok('lock', 'nobody holds it');
  const remedy = `run "${channelCommand('repair', paths)}"`;
  if (found.kind !== 'folder') return problem('lock', `${paths.lock} is a file that another tool left behind`, remedy);
  const seconds = Math.round((now.getTime() - found.modifiedMs) / 1000);
  return seconds < LOCK_SECONDS
    ? ok('lock', 'somebody is writing at this moment')
    : warning('lock', `${paths.lock} was left behind ${seconds} s ago`, remedy);
}

/** Checks that are asked for must be pinned, or whoever needs them is refused in the middle of the night. */
export function judgeChecks({ config, paths }: Channel, watcher: WatcherConfig): readonly Finding[] {
  const pinned = Object.keys(config.checks);
  const required = Object.entries(config.requireEvidence).flatMap(([type, names]) =>
    names.map((name) => ({ name, by: `"require_evidence" of ${type}` })),
  );
  const before = Object.values(watcher.parties).flatMap(({ party, checksBefore }) =>
    checksBefore.map((name) => ({ name, by: `"checks_before" of ${party}` })),
  );
  const missing = [...required, ...before].filter(({ name }) => !pinned.includes(name));
  const problems = missing.map(({ name, by }) =>
    problem('checks', `${by} asks for ${name}, which is not pinned`, `add it to "checks" in ${paths.config}`),
  );
  if (problems.length > 0) return problems;
  return [ok('checks', pinned.length === 0 ? 'none are pinned' : `pinned: ${pinned.join(', ')}`)];
}

/** Two seats of one model review themselves: what one overlooks, the other does too. */
export function judgeSeats(config: WatcherConfig): Finding {
  const about = 'two vendors';
  const [first, second] = Object.values(config.parties).map((settings) => seatOf(config, settings.party));
  if (first === undefined || second === undefined || first !== second)
    return ok(about, 'the parties are not seen to be one and the same model');
  return warning(
    about,
    `both parties are ${first}: what one overlooks, the other does too`,
    'seat another vendor, or at least another model, as one of them',
  );
}

/** What holds a party's seat, as far as the config tells: its bundled agent with its model, or its program. */
function seatOf(config: WatcherConfig, party: string): string | undefined {
  const seat = Object.hasOwn(config.seats, party) ? config.seats[party] : undefined;
  if (seat !== undefined) return JSON.stringify(seat);
  const [program, ...args] = config.parties[party]?.command ?? [];
  if (program === undefined) return undefined;
  const name = basename(program);
  const at = args.findIndex((arg) => arg === '--model' || arg === '-m');
  const model = at === -1 ? undefined : args[at + 1];
  // A shell or an interpreter says nothing of who sits behind it.
  if (/^(?:sh|bash|dash|zsh|node|npx|python3?|env|debate)$/.test(name)) return undefined;
  return model === undefined ? name : `${name} with model ${model}`;
}
