import { stopTexts } from '../../protocol/core/defect.js';
import { EXIT, type ExitCode } from '../../protocol/core/refusal.js';
import { visibleLine } from '../../protocol/core/visible.js';
import { repair } from '../../protocol/repair.js';
import { completeHint } from '../complete-hint.js';
import { type ChannelOptions, openContext, wokenOf } from '../context.js';
import { json, out } from '../print.js';
import { realWorld } from '../real-world.js';

/** Options of `debate repair`. */
export interface RepairOptions extends ChannelOptions {
  readonly dryRun?: boolean;
  readonly acceptSeq?: number;
  readonly acceptMissing?: boolean;
}

/** `debate repair`: says what it did; exit 4 when the record has a defect that only the supervisor can settle. */
export function repairCommand(options: RepairOptions): ExitCode {
  const context = openContext(options);
  const { done, standing } = repair(realWorld(), context.channel, {
    dryRun: options.dryRun === true,
    acceptSeq: options.acceptSeq,
    acceptMissing: options.acceptMissing === true,
    woken: wokenOf(context) !== undefined,
  });
  const { state, tail } = standing;
  const stops = stopTexts(tail.stops);
  if (options.json) json({ done, seq: state.seq, turn: state.turn, thread: state.thread, stops });
  else {
    for (const line of done) out(visibleLine(line));
    if (done.length === 0) out(`nothing to repair: the doorbell says MSG-${state.seq}, and so does the record`);
    for (const stop of stops)
      out(completeHint(`for the supervisor: ${visibleLine(stop)} See \`debate verify\`.`, options));
  }
  return stops.length > 0 ? EXIT.look : EXIT.done;
}
