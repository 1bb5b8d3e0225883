import { firstAnswer, type RevisionView } from '../prompts/multi-agent-debate.js';
import { type AnswerRound, askForAnswer, finalAnswersOf } from './answers.js';
import { alikeNotice, type Debater } from './debaters.js';
import { shuffled } from './environment.js';
import { inParallel } from './limit.js';
import { isUnanimous, type Vote, voteOf } from './majority.js';
import type { Run } from './run.js';

function noteVote(run: Run, round: number, vote: Vote): void {
  const outcome = isUnanimous(vote) ? 'unanimous' : vote.answer === undefined ? 'no-majority' : 'majority';
  const detail =
    vote.answer === undefined
      ? `no majority among ${vote.counted} answers`
      : `${vote.votes} of ${vote.counted} say: ${vote.answer}`;
  run.note('Answers compared', detail, { round, outcome });
}

/** Everybody's first answer, in parallel and independent (rules A2, C2). */
export async function firstAnswers(run: Run, debaters: readonly Debater[], question: string): Promise<AnswerRound> {
  const alike = alikeNotice(debaters);
  if (alike !== undefined) run.note('Debaters are not varied', alike);
  const prompt = firstAnswer(question);
  const answers = await inParallel(debaters.map((debater) => askForAnswer(run, debater, prompt, 0)));
  noteVote(run, 0, voteOf(answers));
  return { round: 0, answers };
}

/** How a debate by revision goes on after the first answers. */
export interface Revision {
  readonly debaters: readonly Debater[];
  readonly question: string;
  readonly maxRounds: number;
  readonly rng: () => number;
  readonly promptOf: (view: RevisionView) => string;
}

function viewOf({ debaters, question, rng }: Revision, rounds: readonly AnswerRound[], index: number): RevisionView {
  const latest = finalAnswersOf(rounds).map(({ text }) => text);
  const others = latest.filter((text, other) => other !== index && text !== '');
  return {
    name: debaters[index]?.name ?? '',
    question,
    own: latest[index] === '' ? undefined : latest[index],
    others: shuffled(others, rng),
  };
}

/**
 * First answers, then rounds in which everybody revises in parallel, each from what was said before the round; the
 * rounds end when all answers that count agree, when nobody has said anything, or at the cap (rules A2-A8, C3-C5).
 */
export async function answerRounds(run: Run, revision: Revision): Promise<readonly AnswerRound[]> {
  const { debaters, question, maxRounds, promptOf } = revision;
  const rounds = [await firstAnswers(run, debaters, question)];
  while (rounds.length <= maxRounds && !isUnanimous(voteOf(rounds.at(-1)?.answers ?? []))) {
    // Where nobody has said anything there is nothing to revise.
    if (finalAnswersOf(rounds).every(({ text }) => text === '')) break;
    const round = rounds.length;
    const prompts = debaters.map((_debater, index) => promptOf(viewOf(revision, rounds, index)));
    const asked = debaters.map((debater, index) => askForAnswer(run, debater, prompts[index] ?? '', round));
    const answers = await inParallel(asked);
    noteVote(run, round, voteOf(answers));
    rounds.push({ round, answers });
  }
  return rounds;
}
