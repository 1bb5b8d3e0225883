import { type Channel, withConfig } from './channel.js';
import { currentMailbox } from './compaction/taken.js';
import { Refusal } from './core/refusal.js';
import type { Disk } from './disk.js';
import { readBeginning } from './record/record-files.js';
import { lookOnce, type Standing } from './standing.js';

/** How the supervisor lets a record go on that is not what it was. */
export interface AcceptWish {
  /** Go on from this seq after the record went back (decisions.md 5). */
  readonly acceptSeq: number | undefined;
  /** Go on with a record whose beginning is missing (format.md 2). */
  readonly acceptMissing: boolean;
}

/** What the supervisor's wish makes of the config. */
export interface Accepted {
  /** The channel as its config will say. */
  readonly channel: Channel;
  /** Keys of `debate.json`; none where nothing was wished. */
  readonly change: Readonly<Record<string, unknown>>;
  readonly done: readonly string[];
}

/** Judges all that the supervisor wants to accept, and writes nothing. Refuses `nothing-missing`, `record-went-back`. */
export function judgeWish(disk: Disk, channel: Channel, wish: AcceptWish): Accepted {
  const nothing: Accepted = { channel, change: {}, done: [] };
  const begun = wish.acceptMissing ? acceptMissing(disk, channel) : nothing;
  if (wish.acceptSeq === undefined) return begun;
  const ended = acceptSeq(disk, begun.channel, wish.acceptSeq);
  return {
    channel: ended.channel,
    change: { ...begun.change, ...ended.change },
    done: [...begun.done, ...ended.done],
  };
}

/** From which number on the record counts, now that its beginning is gone (format.md 2). */
function acceptMissing(disk: Disk, channel: Channel): Accepted {
  const standing = lookOnce(disk, channel);
  const missing = standing.tail.stops.find((defect) => defect.kind === 'missing-beginning');
  if (!missing)
    throw new Refusal({
      code: 'nothing-missing',
      message: 'The record begins where it should.',
      hint: 'Run `debate verify` to see what else there is.',
    });
  const first = firstNumber(standing, missing.seq, readBeginning(disk, currentMailbox(disk, channel)).first);
  const base = first - 1;
  return {
    channel: withConfig(channel.paths, { ...channel.config, base }),
    change: { base },
    done: [`The missing beginning was accepted: the record counts from MSG-${first} on.`],
  };
}

/** The accepted end of a record that went back (decisions.md 5). */
function acceptSeq(disk: Disk, channel: Channel, wanted: number): Accepted {
  const { seq, hash } = lookOnce(disk, channel).state;
  if (wanted !== seq) throw notThere(wanted, seq);
  const { accepted, acceptedBefore } = channel.config;
  const before = accepted ? { accepted_before: [...acceptedBefore, accepted] } : {};
  return {
    channel,
    change: { accepted: { seq, hash }, ...before },
    done: [`The record was accepted as it ends, at MSG-${seq}.`],
  };
}

/** The lowest number that is left: of a long mailbox the end says too little. */
function firstNumber(standing: Standing, missing: number, first: number): number {
  const seen = [
    first,
    ...standing.tail.entries.map((entry) => entry.seq),
    ...standing.tail.voided.map((entry) => entry.number),
  ];
  return Math.min(...seen.filter((number) => number > missing));
}

function notThere(wanted: number, seq: number): Refusal {
  return new Refusal({
    code: 'record-went-back',
    message: `The record ends at MSG-${seq}, not at MSG-${wanted}.`,
    hint: `To go on from there: \`debate repair --accept-seq ${seq}\`.`,
  });
}
