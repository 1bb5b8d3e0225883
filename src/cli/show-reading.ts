import type { Channel } from '../protocol/channel.js';
import { openThread, usualReply } from '../protocol/core/open-thread.js';
import type { State } from '../protocol/core/state.js';
import { visibleLine } from '../protocol/core/visible.js';
import type { Entry } from '../protocol/core/words.js';
import type { Standing } from '../protocol/standing.js';
import { entryJson, entryText } from './entry-text.js';
import { json, out, say, shellLine } from './print.js';

/** Prints entries, whose turn it is and the command that answers, for people or as JSON (decisions.md 21). */
export function showReading(channel: Channel, standing: Standing, entries: readonly Entry[], asJson: boolean): void {
  const { state, tail } = standing;
  const reply = replyArgv(channel, standing);
  const notices = tail.stops.map((defect) => defect.message);
  if (asJson) {
    json({
      root: channel.paths.root,
      channel: channel.paths.id,
      format: channel.config.format,
      seq: state.seq,
      turn: state.turn,
      thread: state.thread,
      notices,
      entries: entries.map(entryJson),
      reply: reply ?? null,
    });
  } else print(state, entries, reply);
  for (const notice of notices) say(`stopped: ${visibleLine(notice)}`);
}

function print(state: State, entries: readonly Entry[], reply: readonly string[] | undefined): void {
  const turn = turnText(state, reply);
  out(turn);
  out('');
  for (const entry of entries) out(entryText(entry));
  if (entries.length > 0) out(turn);
}

function turnText(state: State, reply: readonly string[] | undefined): string {
  if (state.thread === '')
    return `No thread is open. The newest entry is ${state.seq === 0 ? 'still to come' : `MSG-${state.seq}`}.`;
  const due = state.turn === '' ? 'either party may answer' : `${visibleLine(state.turn)} is due`;
  const line = `Thread ${visibleLine(state.thread)} is open at MSG-${state.seq}: ${due}.`;
  return reply ? `${line}\nIt is answered with: ${shellLine(reply)}` : line;
}

/** The command that answers the open thread (decisions.md 21), or undefined where nobody can. */
function replyArgv(channel: Channel, standing: Standing): readonly string[] | undefined {
  const { state, tail } = standing;
  const stopped = tail.stops.length > 0 || channel.config.brokered;
  if (state.thread === '' || state.turn === '' || stopped) return undefined;
  const { paths, config } = channel;
  const isAtCap = state.spoken >= (state.cap ?? config.threadCap);
  const type = usualReply(openThread(tail.entries, state), state.turn, isAtCap);
  return [
    ...['debate', 'post', '--root', paths.root],
    ...(paths.id === '' ? [] : ['--channel', paths.id]),
    ...['--as', state.turn, '--type', type],
    ...(type === 'verdict' ? ['--decision', 'approve|request-changes'] : []),
    ...['--if-seq', String(state.seq), '--body-file', '-'],
  ];
}
