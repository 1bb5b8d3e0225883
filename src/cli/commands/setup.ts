import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT, type ExitCode, Refusal } from '../../protocol/core/refusal.js';
import { agentsSnippet } from '../../setup/agents-snippet.js';
import type { Answers } from '../../setup/answers.js';
import { applyPlan } from '../../setup/apply-plan.js';
import { completeAnswers } from '../../setup/complete-answers.js';
import { concernsOf } from '../../setup/concerns.js';
import { confirmed, interview, type Terminal } from '../../setup/interview.js';
import type { Around } from '../../setup/look-around.js';
import { channelArguments, type Plan, planSetup } from '../../setup/plan.js';
import { wokenSeats } from '../../setup/smoke.js';
import { packageFolder } from '../package-folder.js';
import { json, out, print, say, shellLine, styled } from '../print.js';
import { realWorld } from '../real-world.js';
import { register, showLiveSessions } from '../setup/live-sessions.js';
import { configArguments, examine, installSchedule } from '../setup/machine.js';
import { givenOf, look, refuseWoken, type SetupOptions, terminalOf } from '../setup/setup-options.js';
import { showPlan, type Tell } from '../setup/show-plan.js';
import { smokeSeats } from '../setup/smoke-seats.js';
import { setupSummary } from '../setup/summary.js';
import { openConfigured } from '../watched.js';

/**
 * `debate setup`: 0 when everything is in place, 1 when the person broke off, 2 when an answer is missing or cannot be,
 * 4 when the machine or a smoke test needs a look.
 */
export async function setupCommand(options: SetupOptions): Promise<ExitCode> {
  if (options.print === 'agents-md') {
    print(agentsSnippet(readFileSync(join(packageFolder(), 'skills', 'debate', 'SKILL.md'), 'utf8')));
    return EXIT.done;
  }
  const tell: Tell = options.json === true ? say : out;
  const terminal = terminalOf(options);
  if (terminal === undefined && options.yes !== true && options.dryRun !== true)
    throw new Refusal({
      code: 'usage',
      message: 'There is no terminal to ask on; nothing was written.',
      hint: 'Add --yes to take the defaults, or --dry-run to see them first.',
    });
  refuseWoken();
  const around = look(options);
  const asked = terminal === undefined ? givenOf(options) : await interview(givenOf(options), around.found, terminal);
  if (asked === undefined) return brokenOff(tell);
  const completed = completeAnswers(asked, around.found);
  if (!completed.ok)
    throw new Refusal({
      code: 'usage',
      message: completed.problems.join('\n  '),
      hint: 'Nothing was written; `debate setup --help` lists the options.',
    });
  const { answers } = completed;
  const planned = planSetup(answers, around.place);
  if (!planned.ok) {
    throw new Refusal({ code: 'bad-config', message: planned.problems.join(' '), hint: 'Then run setup again.' });
  }
  const concerns = concernsOf(answers, around.found);
  showPlan(tell, answers, around.place, planned.plan);
  for (const concern of concerns) tell(styled('yellow', `warning: ${concern}`));
  if (options.dryRun === true) {
    showLiveSessions(tell, planned.plan);
    if (options.json === true) json(setupSummary(answers, around.place, planned.plan, concerns, false));
    return EXIT.done;
  }
  if (terminal !== undefined && (await confirmed('Write this?', true, terminal)) !== true) return brokenOff(tell);
  applyPlan(realWorld(), answers, around, planned.plan);
  const isWell = await afterwards(tell, options, terminal, answers, around, planned.plan);
  if (options.json === true) json(setupSummary(answers, around.place, planned.plan, concerns, true));
  return isWell ? EXIT.done : EXIT.look;
}

async function afterwards(
  tell: Tell,
  options: SetupOptions,
  terminal: Terminal | undefined,
  answers: Answers,
  around: Around,
  plan: Plan,
): Promise<boolean> {
  const { place } = around;
  const agrees = async (flag: boolean | undefined, question: string) =>
    flag ?? (terminal === undefined ? false : (await confirmed(question, false, terminal)) === true);
  const { config } = openConfigured(
    { root: place.root, ...(place.channelId === '' ? {} : { channel: place.channelId }) },
    place.config,
  );
  showLiveSessions(tell, plan);
  tell('');
  if (plan.registrations.length > 0 && (await agrees(options.register, 'Register the MCP server with the harnesses?')))
    await register(tell, plan, place, process.env);
  const hasSeats = wokenSeats(answers).length > 0;
  if (hasSeats && (await agrees(options.schedule, 'Install the watcher in the scheduler of this machine?')))
    await installSchedule(tell, place);
  const isSmokeFine = options.smoke !== true || (await smokeSeats(tell, terminal, answers, place, config));
  const isMachineFine = await examine(tell, place);
  showNext(tell, answers, around);
  return isSmokeFine && isMachineFine;
}

function showNext(tell: Tell, answers: Answers, { place }: Around): void {
  const [builder] = answers.seats;
  const task = ['--as', answers.supervisor, '--type', 'question', '--turn', builder.party, '--thread', 'first-task'];
  tell('');
  tell(styled('bold', 'To open the first task:'));
  tell(`  ${shellLine(['debate', 'post', ...channelArguments(place), ...task, '--body', 'What shall be done.'])}`);
  if (wokenSeats(answers).length === 0) return;
  tell(styled('bold', 'To watch one tick of it:'));
  tell(`  ${shellLine(['debate', 'watch-once', ...configArguments(place), '--verbose'])}`);
}

function brokenOff(tell: Tell): ExitCode {
  tell('nothing was written');
  return EXIT.refused;
}
