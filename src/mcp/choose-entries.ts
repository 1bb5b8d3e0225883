import { openThread } from '../protocol/core/open-thread.js';
import { Refusal } from '../protocol/core/refusal.js';
import { visible } from '../protocol/core/visible.js';
import type { Entry } from '../protocol/core/words.js';
import { streamEntries } from '../protocol/record/stream-entries.js';
import type { Standing } from '../protocol/standing.js';
import { type Fitted, fitEntries, HEAD_BYTES, partOf } from './fit-entries.js';
import type { PartyChannel } from './party-channel.js';

/** What was asked of `read_thread`: the open thread, what came after an entry, or one entry from an offset on. */
export interface Asked {
  readonly since_seq?: number | undefined;
  readonly entry?: number | undefined;
  readonly offset?: number | undefined;
  readonly max_bytes: number;
}

/** The entries that were asked for, as far as they fit. Refuses `not-applicable` for what cannot be asked or is not there. */
export function chosen(here: PartyChannel, standing: Standing, asked: Asked): Fitted {
  const { state, tail } = standing;
  const { entry: number, since_seq: since, offset, max_bytes: maxBytes } = asked;
  if (number !== undefined && since !== undefined) throw notTogether('entry and since_seq');
  if (offset !== undefined && number === undefined) throw notTogether('offset without entry');
  if (number === undefined)
    return since === undefined
      ? fitEntries(openThread(tail.entries, state).map(shown), maxBytes)
      : sinceEntry(here, standing, since, maxBytes);
  const entry = find(here, standing, number);
  if (!entry) throw noSuchEntry(number, state.seq);
  return { parts: [partOf(shown(entry), offset ?? 0, maxBytes - HEAD_BYTES)], leftOut: [] };
}

/** What came after an entry. Of a long record only what may fit is held at a time. */
function sinceEntry(here: PartyChannel, standing: Standing, since: number, maxBytes: number): Fitted {
  const kept: Entry[] = [];
  const dropped: number[] = [];
  let bytes = 0;
  eachFrom(here, standing, since + 1, (entry) => {
    kept.push(shown(entry));
    bytes += entry.body.length;
    // The first and the newest stay; between them the older ones make room.
    while (bytes > maxBytes && kept.length > 2) {
      const [out] = kept.splice(1, 1);
      bytes -= out?.body.length ?? 0;
      dropped.push(out?.seq ?? 0);
    }
  });
  const { parts, leftOut } = fitEntries(kept, maxBytes);
  return { parts, leftOut: [...leftOut, ...dropped.reverse()].sort((a, b) => b - a) };
}

function find(here: PartyChannel, standing: Standing, number: number): Entry | undefined {
  let found: Entry | undefined;
  eachFrom(here, standing, number, (entry) => {
    if (entry.seq === number) found = entry;
  });
  return found;
}

/** Entries from a number on: from the tail where it reaches far enough, else from the whole record, archives too. */
function eachFrom(here: PartyChannel, standing: Standing, from: number, each: (entry: Entry) => void): void {
  const { tail, bell, state } = standing;
  const isWanted = (entry: Entry) => entry.seq >= from;
  const oldest = tail.entries[0]?.seq ?? state.seq + 1;
  if (from >= oldest || from > state.seq) {
    for (const entry of tail.entries.filter(isWanted)) each(entry);
    return;
  }
  const { world, channel } = here;
  streamEntries(world.disk, channel, bell.doorbell?.seq ?? Number.POSITIVE_INFINITY, ({ entry }) => {
    if (isWanted(entry)) each(entry);
  });
}

/** A body as it may be shown: control and bidi characters written out, so that nothing is hidden from the human beside. */
function shown(entry: Entry): Entry {
  return { ...entry, body: visible(entry.body) };
}

function notTogether(what: string): Refusal {
  return new Refusal({
    code: 'not-applicable',
    message: `${what} says two things at once.`,
    hint: 'Give since_seq alone, or entry with or without offset.',
  });
}

function noSuchEntry(number: number, newest: number): Refusal {
  return new Refusal({
    code: 'not-applicable',
    message: `There is no MSG-${number} among the entries that count.`,
    hint: newest === 0 ? 'The record is empty.' : `The newest entry is MSG-${newest}.`,
  });
}
