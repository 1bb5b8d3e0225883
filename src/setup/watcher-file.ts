import { FLAT_BY_PARTY } from '../watcher/config/resolve-party.js';

/** The settings of one party as `watcher.json` has them. */
export type WrittenSeat = Readonly<Record<string, unknown>>;

/** What setup decides in a `watcher.json`. */
export interface WatcherSettings {
  readonly root: string;
  readonly envFile: string;
  /** By party; undefined for one that the watcher never wakes. */
  readonly seats: Readonly<Record<string, WrittenSeat | undefined>>;
}

/**
 * The text of a `watcher.json` with these settings. Of the config that was there everything else stays: mirrors, budgets,
 * other parties; what it said of these parties in the flat keys goes, since the loader refuses a party that is named in both
 * forms.
 */
export function watcherText(old: Readonly<Record<string, unknown>>, settings: WatcherSettings): string {
  const names = Object.keys(settings.seats);
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(old)) {
    const isByParty = (FLAT_BY_PARTY as readonly string[]).includes(key) && isObject(value);
    const left = isByParty ? without(value, names) : value;
    if (!isByParty || Object.keys(left as object).length > 0) kept[key] = left;
  }
  const others = isObject(old.parties) ? without(old.parties, names) : {};
  const seated = Object.entries(settings.seats).filter(([, seat]) => seat !== undefined);
  const written = {
    root: settings.root,
    env_file: settings.envFile,
    ...kept,
    parties: { ...others, ...Object.fromEntries(seated) },
  };
  return `${JSON.stringify({ ...written, root: settings.root }, null, 2)}\n`;
}

function without(value: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
