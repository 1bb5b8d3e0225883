import { JSON_REMINDER, withReminder } from '../prompts/notice.js';
import type { Judge } from './debaters.js';
import type { CallStep, Run } from './run.js';

/**
 * Asks a judge for JSON, and once more if the call fails or the reply cannot be read; undefined if the second cannot
 * either (rules A14, J8).
 */
export async function askJudge<Said>(
  run: Run,
  judge: Judge,
  prompt: string,
  read: (reply: string) => Said | undefined,
  step: CallStep,
): Promise<Said | undefined> {
  const { model, temperature } = judge;
  const first = await run.ask(model, { prompt, temperature }, step);
  const said = first.ok ? read(first.text) : undefined;
  if (said !== undefined) return said;
  const again = first.ok ? withReminder(prompt, JSON_REMINDER) : prompt;
  const second = await run.ask(model, { prompt: again, temperature }, { ...step, title: `${step.title}, retried` });
  return second.ok ? read(second.text) : undefined;
}
