import { HARNESSES } from '../../harness/harnesses.js';
import type { Place } from '../../setup/place.js';
import type { Plan, PlannedRegistration } from '../../setup/plan.js';
import { putFile } from '../../setup/put-file.js';
import { registeredFile, registrationResult } from '../../setup/register.js';
import { runProgram } from '../../watcher/schedule/run-program.js';
import { shellLine, styled } from '../print.js';
import { showFile, type Tell } from './show-plan.js';

/** Shows how harnesses learn of the channel where a run does not bring it along: registrations of its server, and hooks. */
export function showLiveSessions(tell: Tell, plan: Plan): void {
  for (const each of plan.registrations) showRegistration(tell, each);
  for (const { party, file, value, note } of plan.hooks) {
    tell('');
    tell(styled('bold', `For ${party}'s live session to notice its turn, add to ${file}:`));
    for (const line of JSON.stringify(value, null, 2).split('\n')) tell(`  ${line}`);
    if (note !== undefined) tell(note);
  }
}

/** Registers the servers in the harnesses' own settings, showing first what a file loses. */
export async function register(
  tell: Tell,
  plan: Plan,
  place: Place,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  for (const each of plan.registrations) {
    const { registration } = each;
    if (registration.kind === 'command') {
      const result = await runProgram(registration.argv, environment, '', registration.folder);
      tell(registrationResult(each, result));
      continue;
    }
    const changed = registeredFile(registration, place.textOf);
    if (changed?.ok === true) {
      showFile(tell, changed.file);
      putFile(changed.file);
    } else if (changed !== undefined) {
      tell(`${each.party}: ${changed.problem}; add the lines yourself.`);
    }
  }
}

function showRegistration(tell: Tell, { party, serves, harness, registration }: PlannedRegistration): void {
  const why =
    serves === 'live'
      ? `For ${party}'s live session to have the channel's tools`
      : `${HARNESSES[harness].title} takes no MCP server for one run: for ${party} to have the channel's tools when it is woken`;
  tell('');
  if (registration.kind === 'command') {
    tell(styled('bold', `${why}, run in ${registration.folder}:`));
    tell(`  ${shellLine(registration.argv)}`);
    return;
  }
  tell(styled('bold', `${why}, add to ${registration.file}:`));
  const text = registration.kind === 'toml' ? registration.text.trimEnd() : JSON.stringify(registration.value, null, 2);
  for (const line of text.split('\n')) tell(`  ${line}`);
}
