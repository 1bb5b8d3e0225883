import { enclose, fence, tagMark } from './fence.js';
import { fill } from './fill.js';
import { ANSWER_LINE_REQUEST, MATERIAL_NOTICE } from './notice.js';

const QUESTION = tagMark('question');
const OWN = tagMark('your_previous_answer');
const OTHERS = tagMark('other_answers');
const FINALS = tagMark('final_answers');
const ANSWER = tagMark('agent_answer');
const MARKS = [QUESTION, OWN, OTHERS, FINALS, ANSWER];

const FIRST = `Answer the question between the tags. Work it out step by step, and check each step.

{{question}}

${MATERIAL_NOTICE}
${ANSWER_LINE_REQUEST}` as const;

const REVISE = `You are {{name}}, one of several debaters who answer the same question.

{{question}}

{{own}}

{{others}}

Read the other answers again, critically. Where one of them shows that you made a mistake, correct it. Where you still
hold that you are right, defend your answer and say what is wrong with theirs. Agreeing is no reason to change an answer.
${MATERIAL_NOTICE}
${ANSWER_LINE_REQUEST}` as const;

// The shape is shown in a form that is no JSON: a judge that echoes its prompt must not rule by it.
const JUDGE = `You are an impartial judge. {{n}} debaters have answered the question, over {{rounds}} rounds.

{{question}}

{{answers}}

Choose the answer that is best supported, or merge answers that are compatible with each other. Their order means nothing.
${MATERIAL_NOTICE}
Reply with a JSON object alone, with two strings in it:
{"answer": <the answer>, "why": <the evidence that decides it, in two sentences>}` as const;

const UPDATE = `Answer the question between the tags.

{{question}}

Other agents answered it as follows:

{{others}}

Take their reasoning as further advice and give an updated answer. Check every step for yourself, and do not take over
what most of them say because most of them say it.
${MATERIAL_NOTICE}
${ANSWER_LINE_REQUEST}` as const;

function each(texts: readonly string[]): string {
  return texts.map((text) => fence(text, ANSWER, MARKS)).join('\n');
}

/** The first, independent answer (rules A2, A3). */
export function firstAnswer(question: string): string {
  return fill(FIRST, { question: fence(question, QUESTION, MARKS) });
}

/** What a debater sees in a round: its own previous answer, and all the others in the order given (rules A4, A6). */
export interface RevisionView {
  readonly name: string;
  readonly question: string;
  /** Undefined if it has given none yet. */
  readonly own: string | undefined;
  readonly others: readonly string[];
}

/** The revision prompt of a debate with an optional judge (rule A4). */
export function reviseAnswer({ name, question, own, others }: RevisionView): string {
  return fill(REVISE, {
    name,
    question: fence(question, QUESTION, MARKS),
    own: own === undefined ? enclose('(you have given no answer yet)', OWN) : fence(own, OWN, MARKS),
    others: enclose(others.length === 0 ? '(the others have given no answer yet)' : each(others), OTHERS),
  });
}

/** The update prompt of a debate without a judge: the others' full answers, not the debater's own (rules C3, C9). */
export function updateAnswer({ question, others }: RevisionView): string {
  return fill(UPDATE, {
    question: fence(question, QUESTION, MARKS),
    others: others.length === 0 ? '(the others have given no answer yet)' : each(others),
  });
}

/** The optional judge's prompt over the final answers; `rounds` is how many ran (rule A13). */
export function judgeAnswers(question: string, answers: readonly string[], rounds: number): string {
  return fill(JUDGE, {
    n: String(answers.length),
    rounds: String(rounds),
    question: fence(question, QUESTION, MARKS),
    answers: enclose(each(answers), FINALS),
  });
}
