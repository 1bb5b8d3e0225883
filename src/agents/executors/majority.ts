import { normalAnswer } from '../parse/normal-answer.js';
import type { AnswerRound, DebaterAnswer } from './answers.js';

/** A vote over one-line answers. */
export interface Vote {
  /** What more than half of the counted answers say, as the first of them wrote it (rules A11, A22). */
  readonly answer: string | undefined;
  /** How many gave the most frequent answer. */
  readonly votes: number;
  /** How many answers counted. */
  readonly counted: number;
}

/** Counts the answers that have an answer line; a tie and a mere plurality are no majority (rules A11, C10). */
export function voteOf(answers: readonly Pick<DebaterAnswer, 'answer'>[]): Vote {
  const groups = new Map<string, { original: string; votes: number }>();
  let counted = 0;
  for (const { answer } of answers) {
    if (answer === undefined) continue;
    counted += 1;
    const key = normalAnswer(answer);
    const group = groups.get(key) ?? { original: answer, votes: 0 };
    group.votes += 1;
    groups.set(key, group);
  }
  const [most] = [...groups.values()].sort((a, b) => b.votes - a.votes);
  const votes = most?.votes ?? 0;
  return { answer: votes * 2 > counted ? most?.original : undefined, votes, counted };
}

/**
 * Whether all answers that count are the same, which ends the rounds (rules A7, A8, C4). One answer alone agrees with
 * nobody.
 */
export function isUnanimous(vote: Vote): boolean {
  return vote.counted >= 2 && vote.votes === vote.counted;
}

/** One change of mind, answers as they were written. */
export interface Change {
  readonly debater: string;
  /** The round in which the new answer came. */
  readonly round: number;
  readonly from: string;
  readonly to: string;
}

/** Who changed from what to what (rule C7); an answer that is missing in between is no change. */
export function changesOf(rounds: readonly AnswerRound[]): readonly Change[] {
  const held = new Map<string, string>();
  const changes: Change[] = [];
  for (const { round, answers } of rounds) {
    for (const { debater, answer } of answers) {
      if (answer === undefined) continue;
      const from = held.get(debater);
      if (from !== undefined && normalAnswer(from) !== normalAnswer(answer)) {
        changes.push({ debater, round, from, to: answer });
      }
      held.set(debater, answer);
    }
  }
  return changes;
}
