import { fence, tagMark } from './fence.js';
import { fill } from './fill.js';
import { MATERIAL_NOTICE } from './notice.js';

const TOPIC = tagMark('topic');
const PROPONENT = tagMark('proponent_argument');
const OPPONENT = tagMark('opponent_argument');
const MARKS = [TOPIC, PROPONENT, OPPONENT];

const PROPONENT_OPENS = `You are the proponent in a debate. Argue in favour of the topic.

{{topic}}

Open the debate with your strongest argument, and rest it on facts and reasons that can be checked.
${MATERIAL_NOTICE}` as const;

const PROPONENT_REPLIES = `You are the proponent in a debate. Argue in favour of the topic.

{{topic}}

This is what the opponent argued last:

{{opponent}}

Answer its points one by one, then strengthen the case in favour.
${MATERIAL_NOTICE}` as const;

const OPPONENT_OPENS = `You are the opponent in a debate. Argue against the topic.

{{topic}}

This is what the proponent argued:

{{proponent}}

Answer its points one by one, then make the case against the topic.
${MATERIAL_NOTICE}` as const;

const OPPONENT_REPLIES = `You are the opponent in a debate. Argue against the topic.

{{topic}}

This is your own previous argument:

{{own}}

This is what the proponent argues now:

{{proponent}}

Answer its new points one by one, then strengthen the case against the topic.
${MATERIAL_NOTICE}` as const;

const JUDGE = `You are the judge of a debate. Read every argument of both sides and decide.

{{topic}}

{{transcript}}

Weigh what was shown, not how forcefully it was said.
${MATERIAL_NOTICE}

Reply in exactly five numbered sections, each of which begins with its heading:
1. VERDICT - what you decide on the topic
2. REASONING - which arguments decided it, and why
3. PRO SUMMARY - the proponent's case in a few sentences
4. CON SUMMARY - the opponent's case in a few sentences
5. CONFIDENCE - one line of the form "Confidence: NN%", in plain text, with a whole number from 0 to 100 for NN` as const;

/** One round as the judge reads it. */
export interface ArguedRound {
  readonly roundNumber: number;
  readonly proponentArgument: string;
  readonly opponentArgument: string;
}

function inMarks(text: string, mark: typeof TOPIC): string {
  return fence(text, mark, MARKS);
}

/** Round 1 of the proponent: the topic and nothing of the opponent (rule D7). */
export function proponentOpens(topic: string): string {
  return fill(PROPONENT_OPENS, { topic: inMarks(topic, TOPIC) });
}

/** A later round of the proponent: the opponent's last argument (rule D9). */
export function proponentReplies(topic: string, opponent: string): string {
  return fill(PROPONENT_REPLIES, { topic: inMarks(topic, TOPIC), opponent: inMarks(opponent, OPPONENT) });
}

/** Round 1 of the opponent: the proponent's argument (rule D8). */
export function opponentOpens(topic: string, proponent: string): string {
  return fill(OPPONENT_OPENS, { topic: inMarks(topic, TOPIC), proponent: inMarks(proponent, PROPONENT) });
}

/** A later round of the opponent: the proponent's newest argument and the opponent's own previous one (rule D10). */
export function opponentReplies(topic: string, own: string, proponent: string): string {
  return fill(OPPONENT_REPLIES, {
    topic: inMarks(topic, TOPIC),
    own: inMarks(own, OPPONENT),
    proponent: inMarks(proponent, PROPONENT),
  });
}

/** The judge: every argument of every round, labelled, and the five sections that are asked for (rule D13). */
export function judgeDebate(topic: string, rounds: readonly ArguedRound[]): string {
  const transcript = rounds.flatMap((round) => [
    `Round ${round.roundNumber}, proponent:\n${inMarks(round.proponentArgument, PROPONENT)}`,
    `Round ${round.roundNumber}, opponent:\n${inMarks(round.opponentArgument, OPPONENT)}`,
  ]);
  return fill(JUDGE, {
    topic: inMarks(topic, TOPIC),
    transcript: transcript.length === 0 ? 'No argument was made before the time was up.' : transcript.join('\n\n'),
  });
}
