import { basename } from 'node:path';
import type { WatcherConfig } from '../config/watcher-config.js';
import { findProgram } from '../find-program.js';
import { runProgram } from '../schedule/run-program.js';
import type { TickEnvironment } from './commands.js';
import { type Finding, ok, problem } from './finding.js';

/** Harnesses that can say offline whether somebody is logged in, and how they are asked. None of these calls a model. */
const OFFLINE_CHECKS: Readonly<Record<string, readonly string[]>> = {
  claude: ['auth', 'status'],
  codex: ['login', 'status'],
};

/**
 * Whether the agents are logged in, in the environment in which ticks run, and only by a harness's own offline check: a
 * harness that has none, or is not installed, is left out.
 */
export async function judgeLogins(config: WatcherConfig, ticks: TickEnvironment): Promise<readonly Finding[]> {
  const findings = Object.values(config.parties).map(async ({ party, command }): Promise<readonly Finding[]> => {
    const [program = ''] = command ?? [];
    const check = OFFLINE_CHECKS[basename(program)];
    const found = check && findProgram(program, ticks.variables.PATH ?? '');
    if (check === undefined || found === undefined) return [];
    const about = `login of ${party}`;
    const result = await runProgram([found, ...check], { ...ticks.variables, ...config.envFile });
    const asked = [basename(program), ...check].join(' ');
    return result.exitCode === 0
      ? [ok(about, `"${asked}" says that somebody is logged in`)]
      : [
          problem(
            about,
            `"${asked}" ended with ${result.exitCode ?? 'a signal'}`,
            `log ${basename(program)} in as this user`,
          ),
        ];
  });
  return (await Promise.all(findings)).flat();
}
