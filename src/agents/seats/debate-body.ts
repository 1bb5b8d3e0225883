import type { Entry } from '../../protocol/core/words.js';
import { normalAnswer } from '../parse/normal-answer.js';
import { checkLines } from './check-lines.js';
import type { DebateOutcome } from './debate-run.js';
import type { SeatCheck } from './desk.js';
import { counted, oneLine, paragraphs, type Quoting, quoted } from './quote.js';
import type { DebateVariant } from './schema.js';

/** Everything that an answer of a debate says. */
export interface DebateParts {
  readonly outcome: DebateOutcome;
  readonly variant: DebateVariant;
  readonly asked: Entry;
  /** It was asked for an approval. */
  readonly decides: boolean;
  readonly checks: readonly SeatCheck[];
}

/** How much of a position, and of the reason for a change of mind, an entry quotes; all of it is in the transcript. */
const POSITION_CHARACTERS = 1500;
const REASON_CHARACTERS = 400;

/**
 * The body of an answer (issue 4, section 4): the answer or the plain status, the vote beside it, who changed from what to
 * what and why, and everybody's final position.
 */
export function debateBody({ outcome, variant, asked, decides, checks }: DebateParts, quoting: Quoting): string {
  return paragraphs(
    headline(outcome, asked),
    outcome.answer === undefined ? undefined : `## Answer\n\n${quoted(outcome.answer, quoting)}`,
    outcome.why === undefined || outcome.why === ''
      ? undefined
      : `The judge's reason:\n\n${quoted(outcome.why, quoting)}`,
    decides && outcome.answer !== undefined
      ? 'Code reads the decision from the answer: only the word "approve" alone approves.'
      : undefined,
    `## The vote beside it\n\n${voteText(outcome, variant)}`,
    `## Who changed\n\n${changesText(outcome, quoting)}`,
    `## Final positions\n\n${positionsText(outcome, variant, quoting)}`,
    checkLines(checks, quoting),
    outcome.remarks.length === 0 ? undefined : outcome.remarks.map((line) => `- ${line}`).join('\n'),
  );
}

function headline({ answer, status }: DebateOutcome, asked: Entry): string {
  const to = `To MSG-${asked.seq}`;
  if (answer !== undefined) return `${to}: ${oneLine(answer)} (${status})`;
  return `${to}: ${status}. There is no answer; the positions below stand against each other. The supervisor is asked.`;
}

function voteText({ vote, voteTrace, answer }: DebateOutcome, variant: DebateVariant): string {
  const result =
    vote.answer === undefined
      ? `No majority among ${counted(vote.counted, 'answer')} that counted.`
      : `${vote.votes} of ${vote.counted} independent first answers say: ${oneLine(vote.answer)}`;
  if (variant === 'vote') return `This answer is the vote: ${result}`;
  const beside = voteTrace === undefined ? '' : ' It was asked for besides the debate, whose sides are assigned.';
  const differs =
    answer !== undefined &&
    vote.answer !== undefined &&
    voteTrace === undefined &&
    normalAnswer(vote.answer) !== normalAnswer(answer)
      ? ' The debate came to another answer than the vote: look at who changed.'
      : '';
  return `${result}${beside}${differs}`;
}

function changesText({ changes }: DebateOutcome, quoting: Quoting): string {
  if (changes.length === 0) return 'Nobody changed an answer.';
  return changes
    .map(({ debater, round, from, to, said }) => {
      const head = `- ${oneLine(debater, 60)} in round ${round}: from "${oneLine(from, 80)}" to "${oneLine(to, 80)}"`;
      return said.trim() === '' ? head : `${head}, saying:\n\n${quoted(said, shorter(quoting, REASON_CHARACTERS))}`;
    })
    .join('\n\n');
}

function positionsText({ positions }: DebateOutcome, variant: DebateVariant, quoting: Quoting): string {
  // The sides of the executor argue; nobody asks them for an answer of their own.
  const withoutAnswer = variant === 'executor' ? '' : ': no answer line, so it is out of the vote';
  return positions
    .map(({ who, answer, text }) => {
      const stand = answer === undefined ? withoutAnswer : `: ${oneLine(answer, 80)}`;
      const head = `### ${oneLine(who, 60)}${text.trim() === '' ? ': said nothing that can be used' : stand}`;
      return text.trim() === '' ? head : `${head}\n\n${quoted(text, shorter(quoting, POSITION_CHARACTERS))}`;
    })
    .join('\n\n');
}

function shorter(quoting: Quoting, characters: number): Quoting {
  return { ...quoting, characters: Math.min(quoting.characters, characters) };
}
