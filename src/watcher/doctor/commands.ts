import { childEnvironment } from '../config/child-environment.js';
import { PLACEHOLDERS, type PlaceholderValues, variablesIn } from '../config/placeholders.js';
import type { WatcherConfig } from '../config/watcher-config.js';
import { type Finding, ok, problem } from './finding.js';

/** The environment in which ticks run, and where that is known from. */
export interface TickEnvironment {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** For a sentence: "the scheduler", or "this terminal" where nothing is installed. */
  readonly of: string;
}

/** Finds a program on a PATH, as `findProgram` does. */
export type FindProgram = (program: string, path: string) => string | undefined;

/** Values of a run that never is: what an agent's start needs is judged by names alone, so any text does. */
export const ANY_RUN: PlaceholderValues = Object.fromEntries(PLACEHOLDERS.map((name) => [name, 'x']));

/**
 * Every program that the config names must be found on the PATH of the ticks, which is the scheduler's and not that of
 * the shell in which someone asks (field case W7): one finding for each.
 */
export function judgePrograms(
  config: WatcherConfig,
  ticks: TickEnvironment,
  shellPath: string,
  find: FindProgram,
): readonly Finding[] {
  const findings = Object.values(config.parties).flatMap((settings) => {
    const about = `command of ${settings.party}`;
    const [program] = settings.command ?? [];
    if (program === undefined) return [ok(about, `${settings.party} is never woken: it has no command`)];
    const child = childEnvironment(config, settings, ticks.variables, ANY_RUN);
    const path = (child.ok ? child.environment.PATH : ticks.variables.PATH) ?? '';
    const setup = settings.worktree?.kind === 'branch' ? settings.worktree.setup?.[0] : undefined;
    return [program, ...(setup === undefined ? [] : [setup])].map((each) =>
      judgeProgram(about, each, path, ticks.of, shellPath, find),
    );
  });
  const mirrors = config.mirror.flatMap((target) =>
    target.kind === 'command'
      ? [
          judgeProgram(
            'command of a mirror',
            target.command[0] ?? '',
            pathOfMirrors(config, ticks),
            ticks.of,
            shellPath,
            find,
          ),
        ]
      : [],
  );
  return [...findings, ...mirrors];
}

/**
 * Every variable that the config names must be set where ticks run: what a terminal has from its profile, a scheduler
 * does not have.
 */
export function judgeVariables(config: WatcherConfig, ticks: TickEnvironment): readonly Finding[] {
  const known = { ...ticks.variables, ...config.envFile };
  const texts = [
    ...Object.values(config.parties).flatMap(({ env }) => Object.values(env)),
    ...config.mirror.flatMap((target) => {
      if (target.kind === 'file') return [target.path];
      if (target.kind === 'command') return target.command;
      return target.kind === 'webhook' ? [target.url] : [];
    }),
    JSON.stringify(config.models),
  ];
  const named = [...new Set(texts.flatMap((text) => [...variablesIn(text)]))].sort();
  return named.map((name) =>
    !Object.hasOwn(known, name) || known[name] === undefined
      ? problem(`variable ${name}`, `${name} is named in the config and not set for ${ticks.of}`, 'set it in env_file')
      : ok(`variable ${name}`, `${name} is set for ${ticks.of}`),
  );
}

function pathOfMirrors(config: WatcherConfig, ticks: TickEnvironment): string {
  return config.envFile.PATH ?? ticks.variables.PATH ?? '';
}

function judgeProgram(
  about: string,
  program: string,
  path: string,
  where: string,
  shellPath: string,
  find: FindProgram,
): Finding {
  // Where it lies is known only for a run, once the placeholder is filled.
  if (/[{$]/.test(program)) return ok(about, `${program} is found when it runs`);
  const found = find(program, path);
  if (found !== undefined) return ok(about, `${found} is found by ${where}`);
  if (program.includes('/')) {
    return problem(about, `${program} is not there, or not executable`, 'correct the command in the config');
  }
  const here = find(program, shellPath);
  const text = `${program} is not found by ${where}, whose PATH is ${path === '' ? 'empty' : path}`;
  return here === undefined
    ? problem(about, text, `install ${program}`)
    : problem(about, text, `it is ${here} in this terminal: run "debate schedule install" here, or name that path`);
}
