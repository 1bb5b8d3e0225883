import type { CommandPlace, FoundCommand } from '../../process/find-command.js';
import { childEnvironment } from '../config/child-environment.js';
import { fill, PLACEHOLDERS, type PlaceholderValues, variablesIn } from '../config/placeholders.js';
import type { WatcherConfig } from '../config/watcher-config.js';
import { type Finding, ok, problem } from './finding.js';

/** The environment in which ticks run, and where that is known from. */
export interface TickEnvironment {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** For a sentence: "the scheduler", or "this terminal" where nothing is installed. */
  readonly of: string;
}

/** Finds a command, as `findCommand` does: so a tick looks for it too. */
type FindCommand = (name: string, place: CommandPlace) => FoundCommand;

/** Values of a run that never is: what an agent's start needs is judged by names alone, so any text does. */
export const ANY_RUN: PlaceholderValues = Object.fromEntries(PLACEHOLDERS.map((name) => [name, 'x']));

/**
 * Every program that the config names must be found on the PATH of the ticks, which is the scheduler's and not that of
 * the shell in which someone asks, and so must the interpreter of a script (field case W7): one finding for each.
 */
export function judgePrograms(
  config: WatcherConfig,
  ticks: TickEnvironment,
  shellPath: string,
  find: FindCommand,
): readonly Finding[] {
  const findings = Object.values(config.parties).flatMap((settings) => {
    const about = `command of ${settings.party}`;
    const [program] = settings.command ?? [];
    if (program === undefined) return [ok(about, `${settings.party} is never woken: it has no command`)];
    const child = childEnvironment(config, settings, ticks.variables, ANY_RUN);
    // Where the worktree will be is known only for a run; until then the folder of the config stands for it.
    const cwd = settings.worktree ? config.folder : fill(settings.cwd, ANY_RUN);
    const place = { path: child.ok ? child.environment.PATH : ticks.variables.PATH, cwd };
    const setup = settings.worktree?.kind === 'branch' ? settings.worktree.setup?.[0] : undefined;
    return [program, ...(setup === undefined ? [] : [setup])].map((each) =>
      judgeProgram(about, each, place, ticks.of, shellPath, find),
    );
  });
  const ofMirrors = { path: config.envFile.PATH ?? ticks.variables.PATH, cwd: config.folder };
  const mirrors = config.mirror.flatMap((target) =>
    target.kind === 'command'
      ? [judgeProgram('command of a mirror', target.command[0] ?? '', ofMirrors, ticks.of, shellPath, find)]
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

function judgeProgram(
  about: string,
  program: string,
  place: CommandPlace,
  where: string,
  shellPath: string,
  find: FindCommand,
): Finding {
  // Where it lies is known only for a run, once the placeholder is filled.
  if (/[{$]/.test(program)) return ok(about, `${program} is found when it runs`);
  const found = find(program, place);
  if (found.kind === 'found') return ok(about, `${found.file} is found by ${where}`);
  const here = find(program, { ...place, path: shellPath });
  if (found.kind === 'no-interpreter') {
    const remedy = 'install that, or correct the first line of the script';
    return problem(
      about,
      `${where} cannot start it: ${found.message.replace(/\.$/, '')}`,
      here.kind === 'found' ? 'it starts in this terminal: run "debate schedule install" here' : remedy,
    );
  }
  if (program.includes('/')) {
    return problem(about, `${program} is not there, or not executable`, 'correct the command in the config');
  }
  const text = `${program} is not found by ${where}, whose PATH is ${place.path || 'empty'}`;
  return here.kind === 'found'
    ? problem(about, text, `it is ${here.file} in this terminal: run "debate schedule install" here, or name that path`)
    : problem(about, text, `install ${program}`);
}
