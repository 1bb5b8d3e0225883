import { enclose, fence, tagMark } from './fence.js';
import { fill } from './fill.js';
import { ANSWER_LINE_REQUEST, MATERIAL_NOTICE } from './notice.js';

const QUESTION = tagMark('question');
const TRANSCRIPT = tagMark('transcript');
const TURN = tagMark('turn');
const MARKS = [QUESTION, TRANSCRIPT, TURN];

const AFFIRMATIVE = `You are the affirmative side in a debate. You keep this side to the end.

{{question}}

{{transcript}}

State your answer and argue for it. If the other side has attacked it, reply to each of its points, and concede only a
point on which it is right.
${MATERIAL_NOTICE}
${ANSWER_LINE_REQUEST}` as const;

const NEGATIVE = `You are the negative side in a debate. You keep this side to the end.

{{question}}

{{transcript}}

You disagree with the affirmative side, even where it sounds plausible. Find the flaw in its argument, and argue step by
step for a different answer.
${MATERIAL_NOTICE}
${ANSWER_LINE_REQUEST}` as const;

// The shape is shown in a form that is no JSON: a judge that echoes its prompt must not decide by it.
const JUDGE = `You judge a debate between an affirmative and a negative side.

{{question}}

{{transcript}}

Decide whether one of the sides has by now given an answer that is correct and well supported.{{final}}
${MATERIAL_NOTICE}
Reply with a JSON object alone:
{"decided": <true or false>, "answer": <a string, only if decided>, "reason": <a string of one or two sentences>}` as const;

const FINAL_SENTENCE = ' This was the last round: you must pick the answer that is better supported.';

/** The fixed side of a debater (rule J2). */
export type Side = 'affirmative' | 'negative';

/** One speech of the debate. */
export interface Turn {
  readonly round: number;
  readonly side: Side;
  readonly text: string;
}

function transcriptOf(turns: readonly Turn[]): string {
  const speeches = turns.map(({ round, side, text }) => `Round ${round}, ${side} side:\n${fence(text, TURN, MARKS)}`);
  return enclose(speeches.length === 0 ? '(nothing has been said yet)' : speeches.join('\n'), TRANSCRIPT);
}

/** The prompt of one side, with the transcript so far, in order (rules J2, J3, J6). */
export function argueSide(side: Side, question: string, turns: readonly Turn[]): string {
  const values = { question: fence(question, QUESTION, MARKS), transcript: transcriptOf(turns) };
  return side === 'affirmative' ? fill(AFFIRMATIVE, values) : fill(NEGATIVE, values);
}

/** The judge's prompt; only the last call says that an answer must be picked (rules J4, J7). */
export function judgeSides(question: string, turns: readonly Turn[], final: boolean): string {
  return fill(JUDGE, {
    question: fence(question, QUESTION, MARKS),
    transcript: transcriptOf(turns),
    final: final ? FINAL_SENTENCE : '',
  });
}
