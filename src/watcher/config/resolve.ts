import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { type ChannelPlace, channelKey, defaultStatePath } from '../../protocol/state-path.js';
import { absolutePath, absoluteProgram, fillablePath } from './absolute-path.js';
import { keyAt } from './problems.js';
import { FLAT_BY_PARTY, resolveParty } from './resolve-party.js';
import type { WrittenConfig, WrittenMirror } from './schema.js';
import { DEFAULTS, type MirrorTarget, type PartySettings, type WatcherConfig } from './watcher-config.js';

/** What the config file does not say itself. */
export interface ConfigPlace {
  /** The absolute path of the config file. */
  readonly path: string;
  /** The home of the person, for `~`. */
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly channel: ChannelPlace;
  /** The text of each `prompt_file`, by the path as it was written. */
  readonly promptFiles: Readonly<Record<string, string>>;
  /** What `env_file` sets. */
  readonly envFile: Readonly<Record<string, string>>;
}

/** A resolved config, or everything that a person must put right in it, a sentence each. */
export type ResolvedConfig =
  | { readonly ok: true; readonly config: WatcherConfig }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Makes one config of what was written: relative paths against the folder of the config file, `~`, defaults, the flat
 * keys and the fuller form. What the schema cannot see is refused here (issue 3: a party named in both forms, a prompt
 * that nobody gets, a placeholder without a worktree).
 */
export function resolveConfig(written: WrittenConfig, place: ConfigPlace): ResolvedConfig {
  const folder = dirname(place.path);
  const statePath =
    written.state_path === undefined
      ? defaultStatePath(place.channel, place.home, place.environment)
      : absolutePath(written.state_path, folder, place.home);
  const problems: string[] = [];
  const parties: Record<string, PartySettings> = Object.create(null);
  for (const party of partiesOf(written)) {
    const resolved = resolveParty(written, party, folder, place);
    if ('settings' in resolved) parties[party] = resolved.settings;
    else problems.push(...resolved.problems);
  }
  const mirror = (written.mirror ?? ['stdout' as const]).map((target) => mirrorTarget(target, folder, place.home));
  for (const [index, target] of mirror.entries()) {
    if (mirror.findIndex(({ key }) => key === target.key) !== index) {
      problems.push(`${keyAt(['mirror', index])} stands there twice: remove one of them`);
    }
  }
  if (problems.length > 0) return { ok: false, problems };
  return {
    ok: true,
    config: {
      path: place.path,
      folder,
      root: place.channel.root,
      channelName: place.channel.name,
      channelKey: channelKey(place.channel),
      statePath,
      stateFolder: dirname(statePath),
      envFile: place.envFile,
      parties,
      mirror,
      mirrorBody: written.mirror_body ?? 'summary',
      budget: {
        maxInvocationsPerHour: written.budget?.max_invocations_per_hour ?? DEFAULTS.maxInvocationsPerHour,
        maxInvocationsPerThread: written.budget?.max_invocations_per_thread,
      },
      staleSeconds: written.stale_seconds ?? DEFAULTS.staleSeconds,
      schedule: written.schedule ?? DEFAULTS.schedule,
      maxConcurrentAgents: written.max_concurrent_agents ?? DEFAULTS.maxConcurrentAgents,
      models: written.models ?? {},
      seats: written.seats ?? {},
    },
  };
}

function partiesOf(written: WrittenConfig): readonly string[] {
  const named = new Set(Object.keys(written.parties ?? {}));
  for (const key of FLAT_BY_PARTY) {
    const value = written[key];
    if (typeof value === 'object') for (const party of Object.keys(value)) named.add(party);
  }
  return [...named];
}

function mirrorTarget(written: WrittenMirror, folder: string, home: string): MirrorTarget {
  if (written === 'stdout') return { kind: 'stdout', key: 'stdout' };
  if ('file' in written) {
    const path = fillablePath(written.file, folder, home);
    return { kind: 'file', key: `file:${path}`, path };
  }
  if ('command' in written) {
    const command = written.command.map((part, index) => (index === 0 ? absoluteProgram(part, folder, home) : part));
    return { kind: 'command', key: `command:${digest(JSON.stringify(command))}`, command };
  }
  return { kind: 'webhook', key: `webhook:${digest(written.webhook)}`, url: written.webhook };
}

// An address can hold a secret, and the key goes into the watcher's memory and its messages.
function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
