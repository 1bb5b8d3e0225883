import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { commandOnPath } from '../../process/find-command.js';
import { childEnvironment } from '../config/child-environment.js';
import type { PartySettings, WatcherConfig } from '../config/watcher-config.js';
import { runProgram } from '../schedule/run-program.js';
import { codexLogin } from './codex-login.js';
import { ANY_RUN, type TickEnvironment } from './commands.js';
import { type Finding, ok, problem } from './finding.js';

/** Harnesses that can say offline whether somebody is logged in, and how they are asked. None of these calls a model. */
const OFFLINE_CHECKS: Readonly<Record<string, readonly string[]>> = {
  claude: ['auth', 'status'],
  codex: ['login', 'status'],
};

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Whether the agents are logged in, in the environment in which ticks run them, and only by a harness's own offline check:
 * a harness that has none, or is not installed, is left out. Codex is asked only where its login is what counts.
 */
export async function judgeLogins(config: WatcherConfig, ticks: TickEnvironment): Promise<readonly Finding[]> {
  const findings = Object.values(config.parties).map(async (settings): Promise<readonly Finding[]> => {
    const { party, command = [] } = settings;
    const [program = ''] = command;
    const name = basename(program);
    const check = OFFLINE_CHECKS[name];
    const variables = variablesOf(config, settings, ticks);
    const found = check && commandOnPath(program, variables.PATH);
    if (check === undefined || found === undefined) return [];
    const about = `login of ${party}`;
    const elsewhere = name === 'codex' ? loginElsewhere(about, command, variables, ticks) : undefined;
    if (elsewhere !== undefined) return [elsewhere];
    const result = await runProgram([found, ...check], variables);
    const asked = [name, ...check].join(' ');
    return result.exitCode === 0
      ? [ok(about, `"${asked}" says that somebody is logged in`)]
      : [problem(about, `"${asked}" ended with ${result.exitCode ?? 'a signal'}`, `log ${name} in as this user`)];
  });
  return (await Promise.all(findings)).flat();
}

/** What a run of the party would see; `judgeVariables` tells of those that are named and not set. */
function variablesOf(config: WatcherConfig, settings: PartySettings, ticks: TickEnvironment): Variables {
  const child = childEnvironment(config, settings, ticks.variables, ANY_RUN);
  return child.ok ? child.environment : { ...ticks.variables, ...config.envFile };
}

/** What is to be said of a Codex that does without its own login; undefined where that is what must be asked for. */
function loginElsewhere(
  about: string,
  command: readonly string[],
  variables: Variables,
  ticks: TickEnvironment,
): Finding | undefined {
  const home = variables.CODEX_HOME || join(variables.HOME ?? '', '.codex');
  const login = codexLogin(command, textAt(join(home, 'config.toml')), variables);
  if (login.kind === 'own') return undefined;
  if (login.kind === 'none') return ok(about, `the model provider ${login.provider} has no login of Codex`);
  const { variable, by } = login;
  return variables[variable]
    ? ok(about, `the key of ${by} is in ${variable}`)
    : problem(
        about,
        `the key of ${by} is to be in ${variable}, which is not set for ${ticks.of}`,
        'set it in env_file',
      );
}

function textAt(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Without settings it takes its defaults; settings that cannot be read are told by Codex itself.
    return '';
  }
}
