import { answerLineOf } from '../parse/answer-line.js';
import { ANSWER_LINE_REMINDER, withReminder } from '../prompts/notice.js';
import { type Debater, requestOf } from './debaters.js';
import type { Run } from './run.js';

/** What one debater said in one round. */
export interface DebaterAnswer {
  readonly debater: string;
  readonly model: string;
  /** Its one-line answer as it wrote it; undefined if it is out of the vote (rule A9). */
  readonly answer: string | undefined;
  /** Its whole reply; empty if it gave none. */
  readonly text: string;
}

/** Everybody's answers of one round; round 0 are the first answers (rule C7). */
export interface AnswerRound {
  readonly round: number;
  readonly answers: readonly DebaterAnswer[];
}

/**
 * Asks a debater, and once more if the call fails or the reply has no answer line; after that it is out of the vote
 * and its text stays (rules A9, A21, C5).
 */
export async function askForAnswer(run: Run, debater: Debater, prompt: string, round: number): Promise<DebaterAnswer> {
  const title = round === 0 ? `First answer of ${debater.name}` : `Answer of ${debater.name}`;
  const first = await run.ask(debater.model, requestOf(debater, prompt), { title, round });
  const answer = first.ok ? answerLineOf(first.text) : undefined;
  const given = { debater: debater.name, model: debater.model.name };
  if (first.ok && answer !== undefined) return { ...given, answer, text: first.text };
  const again = first.ok ? withReminder(prompt, ANSWER_LINE_REMINDER) : prompt;
  const second = await run.ask(debater.model, requestOf(debater, again), { title: `${title}, retried`, round });
  const firstText = first.ok ? first.text : '';
  if (!second.ok || second.text.trim() === '') return { ...given, answer: undefined, text: firstText };
  return { ...given, answer: answerLineOf(second.text), text: second.text };
}

/** Every debater's last answer: out of the vote if its last reply was, with the last text it gave (rules A9, A16). */
export function finalAnswersOf(rounds: readonly AnswerRound[]): readonly DebaterAnswer[] {
  return (rounds.at(-1)?.answers ?? []).map((last, index) => {
    const text = rounds.findLast((round) => round.answers[index]?.text !== '')?.answers[index]?.text ?? '';
    return { ...last, text };
  });
}
