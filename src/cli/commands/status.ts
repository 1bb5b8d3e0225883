import { stopTexts } from '../../protocol/core/defect.js';
import { doorbellOf } from '../../protocol/core/doorbell.js';
import { askedText } from '../../protocol/core/due.js';
import { openThread } from '../../protocol/core/open-thread.js';
import { EXIT, type ExitCode } from '../../protocol/core/refusal.js';
import { visibleLine } from '../../protocol/core/visible.js';
import { readStanding } from '../../protocol/standing.js';
import { type ChannelOptions, openContext } from '../context.js';
import { entryLine, firstLine } from '../entry-text.js';
import { age, json, out, say, styled } from '../print.js';

/** Options of `debate status`. */
export interface StatusOptions extends ChannelOptions {
  readonly staleAfter?: number;
}

/** Entries of the open thread that `status` shows. */
const TAIL = 5;

/** `debate status`: 4 when the turn is stale, or when a defect stops the channel. */
export function statusCommand(options: StatusOptions): ExitCode {
  const { world, channel } = openContext(options);
  const { state, tail, bell } = readStanding(world.disk, channel);
  const doorbell = channel.config.brokered && bell.doorbell ? bell.doorbell : doorbellOf(state);
  const parked = state.turn === '' ? null : Math.max(0, secondsSince(state.parkedSince, world.machine.now()));
  const stale = parked !== null && options.staleAfter !== undefined && parked >= options.staleAfter;
  const shown = openThread(tail.entries, state).slice(-TAIL);
  if (options.json) {
    json({
      seq: doorbell.seq,
      turn: doorbell.turn,
      thread: doorbell.thread,
      last_entry: doorbell.lastEntry,
      updated_at: doorbell.updatedAt,
      parked_seconds: parked,
      stale,
      stops: stopTexts(tail.stops),
      tail: shown.map((entry) => ({
        seq: entry.seq,
        timestamp: entry.timestamp,
        sender: entry.sender,
        type: entry.type,
        first_line: firstLine(entry.body),
      })),
    });
  } else {
    out(turnLine(doorbell.thread, doorbell.turn, doorbell.seq, parked));
    if (state.asked > 0) out(styled('yellow', `${askedText(state)}: until then nobody is woken`));
    for (const entry of shown) out(`  ${entryLine(entry)}`);
    if (stale) out(styled('yellow', `stale: parked for ${age(parked)}, longer than ${age(options.staleAfter ?? 0)}`));
  }
  for (const stop of stopTexts(tail.stops)) say(`stopped: ${visibleLine(stop)}`);
  if (bell.doorbell === undefined && state.seq > 0)
    say('notice: the doorbell is missing or unreadable; this is what the record says');
  return stale || tail.stops.length > 0 ? EXIT.look : EXIT.done;
}

function turnLine(thread: string, turn: string, seq: number, parked: number | null): string {
  if (seq === 0) return 'no entries yet';
  if (thread === '') return `no thread is open; the newest entry is MSG-${seq}`;
  const name = visibleLine(thread);
  if (turn === '') return `thread ${name} is open at MSG-${seq}, and nobody is due: either party may answer`;
  return `${styled('bold', visibleLine(turn))} is due on thread ${name} at MSG-${seq}, parked for ${age(parked ?? 0)}`;
}

function secondsSince(timestamp: string, now: Date): number {
  const then = Date.parse(timestamp);
  return Number.isNaN(then) ? 0 : Math.round((now.getTime() - then) / 1000);
}
