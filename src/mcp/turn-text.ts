import { stopTexts } from '../protocol/core/defect.js';
import { askedText, isDue } from '../protocol/core/due.js';
import { usualReply } from '../protocol/core/usual-reply.js';
import { visibleLine } from '../protocol/core/visible.js';
import type { Standing } from '../protocol/standing.js';
import type { PartyChannel } from './party-channel.js';

/** Whose turn it is and what follows from it, in a few lines for the agent. */
export function turnText(here: PartyChannel, standing: Standing): string {
  const { state, tail } = standing;
  const { party, channel } = here;
  const lines = [whereText(standing, party)];
  for (const stop of stopTexts(tail.stops))
    lines.push(
      `The record is stopped: ${visibleLine(stop)} Post nothing; tell the human that the supervisor must look.`,
    );
  if (tail.stops.length > 0) return lines.join('\n');
  if (channel.config.brokered)
    lines.push('This channel is brokered by another program: it can be read here, not posted to.');
  else if (state.asked > 0) lines.push(`${askedText(state)}: wait for that answer.`);
  else if (isDue(state, party) || (state.thread !== '' && state.turn === '')) lines.push(replyText(here, standing));
  else if (state.thread !== '')
    lines.push('Do not post. Call wait_for_turn, or stop: you are called when it is your turn.');
  return lines.join('\n');
}

function whereText(standing: Standing, party: string): string {
  const { seq, thread, turn } = standing.state;
  if (seq === 0) return `You are ${party}. The record is empty (seq 0), and no thread is open.`;
  if (thread === '') return `You are ${party}. No thread is open; the newest entry is MSG-${seq}.`;
  const due =
    turn === party
      ? 'it is YOUR turn'
      : turn === ''
        ? 'either party may answer'
        : `it is ${visibleLine(turn)}'s turn, not yours`;
  return `You are ${party}. Thread ${visibleLine(thread)} is open at MSG-${seq}: ${due}.`;
}

function replyText(here: PartyChannel, standing: Standing): string {
  const { state, tail } = standing;
  const { type, decisions, refs, checks } = usualReply(
    { state, entries: tail.entries },
    here.party,
    here.channel.config,
  );
  const decision =
    decisions.length === 0 ? '' : `, "decision": ${decisions.map((each) => JSON.stringify(each)).join(' or ')}`;
  const evidence =
    checks.length === 0 ? '' : `, "refs": ${JSON.stringify(visibleLine(refs))}, "checks": ${JSON.stringify(checks)}`;
  const reply = `To answer, post once: post_entry {"type": "${type}"${decision}${evidence}, "if_seq": ${state.seq}, "body": ...}. Then stop.`;
  return evidence === '' ? reply : `${reply} Before that, run_check for each of the checks at that commit.`;
}
