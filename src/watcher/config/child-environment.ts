import { expand, type PlaceholderValues } from './placeholders.js';
import type { PartySettings, WatcherConfig } from './watcher-config.js';

/** The environment of a run, or the variables that the config names and nobody has set. */
export type ChildEnvironment =
  | { readonly ok: true; readonly environment: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly missing: readonly string[] };

// What any login gives: a command that may inherit nothing else still finds its programs and its home.
const ALWAYS = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TMPDIR',
  'TERM',
  'XDG_RUNTIME_DIR',
  // Else it would not find the evidence of the checks that were run for it.
  'XDG_STATE_HOME',
];

/**
 * The environment of a party's command, without the `DEBATE_` variables, which the watcher adds for the run: what it
 * inherits (all, or PATH, HOME and their like and the names in `env_passthrough`), over that what `env_file` sets, over
 * that the party's `env`. An inherited `DEBATE_` variable is never passed on: the watcher may itself run in an agent.
 */
export function childEnvironment(
  config: WatcherConfig,
  settings: PartySettings,
  inherited: Readonly<Record<string, string | undefined>>,
  values: PlaceholderValues,
): ChildEnvironment {
  const environment: Record<string, string> = {};
  const passes = settings.envPassthrough;
  for (const [name, value] of Object.entries(inherited)) {
    if (value === undefined || name.startsWith('DEBATE_')) continue;
    if (passes === undefined || passes.includes(name) || ALWAYS.includes(name) || name.startsWith('LC_')) {
      environment[name] = value;
    }
  }
  Object.assign(environment, config.envFile);
  const missing: string[] = [];
  for (const [name, template] of Object.entries(settings.env)) {
    const expanded = expand(template, { ...inherited, ...config.envFile }, values);
    if (expanded.ok) environment[name] = expanded.text;
    else missing.push(...expanded.missing);
  }
  return missing.length === 0 ? { ok: true, environment } : { ok: false, missing: [...new Set(missing)] };
}
