import { type Count, countRows } from './count.js';
import { PublishedRows } from './count-published.js';
import type { Facts } from './facts.js';
import { Ledger } from './ledger.js';
import type { ScannedEntry } from './scanned.js';
import type { Parties } from './state.js';
import type { Base, Hashes } from './words.js';

/** How a record is to be read: what `debate.json` says about its format. */
export interface Reader extends Parties {
  readonly format: 1 | 2;
  /** First number that format 2 binds, in a migrated channel; unmarked entries below it stay good (format.md 3). */
  readonly formatSince: number | undefined;
  /** What the first entry follows when the mailbox has no base line. */
  readonly base: Base;
  /** Cap of the channel: how many corrections in a row a reading goes back over. */
  readonly threadCap: number;
  readonly hashes: Hashes;
}

/** What is known of where the reading begins and ends. */
export interface Reach {
  /** What the first entry follows. */
  readonly base: Base;
  /** The published tool's doorbell, as a seq; Infinity for none. */
  readonly bell: number;
  /** True when what is read begins where the record begins. */
  readonly whole: boolean;
  /** True when older entries lie in an archive that a format 1 mailbox does not name. */
  readonly archived: boolean;
}

/** An entry that was added to a counter. */
export interface CountedRow {
  readonly number: number;
  readonly at: number;
  readonly line: number;
  /** What the next entry chains to. */
  readonly hash: string;
  readonly marked: boolean;
  readonly facts: Facts;
}

/** Collects entries in file order and judges which of them count. One interface for both formats. */
export interface Counter {
  /** Returns the entry's id, or -1 for one that can never count here. */
  add(scanned: ScannedEntry, facts: Facts): number;
  /** Undefined: what was read is too short to judge. */
  finish(): Count | undefined;
  row(id: number): CountedRow;
}

/** The counter for a record's format. */
export function makeCounter(reader: Reader, reach: Reach): Counter {
  if (reader.format === 1)
    return publishedCounter(new PublishedRows(reader.hashes, reach.whole && !reach.archived), reach.bell);
  // Behind the migration's number nothing of the published format is left to read.
  if (reader.formatSince === undefined || reach.base.number >= reader.formatSince - 1)
    return chainedCounter(new Ledger(reader.hashes, reach.base), reach.whole);
  return migratedCounter(reader, reader.formatSince, reach);
}

function publishedCounter(rows: PublishedRows, bell: number): Counter {
  return {
    add: (scanned, facts) => rows.add(scanned, facts),
    finish: () => rows.finish(bell),
    row: (id) => publishedRow(rows, id),
  };
}

function publishedRow(rows: PublishedRows, id: number): CountedRow {
  const row = rows.row(id);
  if (!row) throw new RangeError(`no row ${id}`);
  return row;
}

function chainedCounter(ledger: Ledger, whole: boolean): Counter {
  return {
    add: (scanned, facts) => (scanned.marker ? ledger.add(scanned, facts) : -1),
    finish: () => countRows(ledger, whole),
    row: (id) => chainedRow(ledger, id),
  };
}

function chainedRow(ledger: Ledger, id: number): CountedRow {
  return {
    number: ledger.number(id),
    at: ledger.at(id),
    line: ledger.line(id),
    hash: ledger.statedHash(id),
    marked: true,
    facts: ledger.facts(id),
  };
}

/** A channel that was migrated: format 1 up to the first marked entry numbered `since` or above, format 2 from there on. */
function migratedCounter(reader: Reader, since: number, reach: Reach): Counter {
  const published = new PublishedRows(reader.hashes, reach.whole && !reach.archived);
  let ledger: Ledger | undefined;
  let offset = 0;
  return {
    add: (scanned, facts) => {
      if (!ledger && scanned.marker && scanned.header.number >= since) {
        const head = published.head();
        offset = published.length;
        // The first entry of ours names, by its hash, which of the older ones were in force.
        if (head) published.add(scanned, facts);
        ledger = new Ledger(reader.hashes, { number: since - 1, hash: namedHead(published, offset) });
      }
      if (!ledger) return published.add(scanned, facts);
      return scanned.marker ? offset + ledger.add(scanned, facts) : -1;
    },
    finish: () => {
      const before = published.finish(since - 1);
      if (!ledger) return before;
      const after = countRows(ledger, reach.whole || offset > 0);
      return after && joined(before, after, offset);
    },
    row: (id) => (ledger && id >= offset ? chainedRow(ledger, id - offset) : publishedRow(published, id)),
  };
}

/** The hash of the last published entry that counts before the row `first`; undefined when none was seen. */
function namedHead(published: PublishedRows, first: number): string | undefined {
  const { chain } = published.finish(Number.POSITIVE_INFINITY);
  const before = Array.from(chain).filter((id) => id < first);
  return published.row(before.at(-1) ?? -1)?.hash;
}

function joined(before: Count, after: Count, offset: number): Count {
  const move = (ids: Iterable<number>) => Array.from(ids, (id) => id + offset);
  const old = (ids: Iterable<number>) => Array.from(ids).filter((id) => id < offset);
  return {
    chain: [...old(before.chain), ...move(after.chain)],
    altered: new Set([...old(before.altered), ...move(after.altered)]),
    broken: new Set(move(after.broken)),
    voided: [...old(before.voided), ...move(after.voided)],
    // Both sides looked at the first entry of ours.
    defects: [...before.defects.filter(({ at }) => !after.defects.some((each) => each.at === at)), ...after.defects],
  };
}
