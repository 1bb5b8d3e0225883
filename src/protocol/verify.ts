import { relative } from 'node:path';
import type { Channel } from './channel.js';
import { acceptance, type Defect, judgeFence } from './core/defect.js';
import { doorbellOf, sameDoorbell } from './core/doorbell.js';
import { unknownName } from './core/fold.js';
import type { State } from './core/state.js';
import type { Doorbell } from './core/words.js';
import type { Disk } from './disk.js';
import { archivedHead } from './record/archive.js';
import type { Passing } from './record/record-files.js';
import { placeOf, scanWhole, type WholeRecord } from './record/whole.js';
import { readDoorbell } from './standing.js';
import { verifyArchive } from './verify-archive.js';

/** One thing that `verify` says. A `defect` is what a person must look at; an `info` is not. */
export interface Finding {
  readonly level: 'defect' | 'info';
  /** The rule or kind, stable. */
  readonly rule: string;
  /** Relative to the root. */
  readonly file: string;
  /** 0 where a line means nothing. */
  readonly line: number;
  /** The entry concerned; 0 for none. */
  readonly seq: number;
  readonly message: string;
}

/** The result of verifying a whole record. */
export interface Verification {
  readonly findings: readonly Finding[];
  /** Entries that count, archives included. */
  readonly entries: number;
  readonly seq: number;
}

/**
 * Holds the whole record, archives included, against the counting rule and the rules of the record: the same functions
 * that `post` uses (DESIGN.md 5). Writes nothing.
 */
export function verify(disk: Disk, channel: Channel, progress?: Passing['progress']): Verification {
  const bell = readDoorbell(disk, channel).doorbell;
  let newest = '';
  const large: { number: number; at: number; line: number; bytes: number }[] = [];
  const record = scanWhole(disk, channel, bell?.seq ?? Number.POSITIVE_INFINITY, {
    ...(progress ? { progress } : {}),
    entry: (entry) => {
      newest = entry.header.timestamp;
      const bytes = entry.text.length - entry.headerLength;
      if (bytes > channel.config.maxBodyBytes)
        large.push({ number: entry.header.number, at: entry.at, line: entry.line, bytes });
    },
  });
  const judged = judgeRules(record, channel);
  const at = placer(record, channel);
  const findings: Finding[] = [
    ...judged.defects.map((defect) => ({
      ...at(defect),
      level: defect.level,
      rule: defect.kind,
      message: defect.message,
    })),
    ...judged.notes.map((note) => ({ ...at(note), level: 'info' as const, rule: note.rule, message: note.message })),
    ...large.map((entry) => ({
      ...at({ at: entry.at, line: entry.line, seq: entry.number }),
      level: 'info' as const,
      rule: 'body-too-large',
      message: `MSG-${entry.number} has a body of ${entry.bytes} bytes, above the ${channel.config.maxBodyBytes} that are admitted now.`,
    })),
    ...voidFindings(record, at),
  ];
  findings.sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line);
  const state = { ...judged.state, updatedAt: newest };
  const archive = verifyArchive(disk, channel, record);
  const archived = channel.config.format === 1 ? (archivedHead(disk, channel)?.seq ?? 0) : 0;
  return {
    findings: [...findings, ...archive.findings, ...bellFindings(channel, bell, state, archived)],
    entries: record.count.chain.length + archive.entries,
    seq: Math.max(judged.state.seq, archived),
  };
}

interface Judged {
  readonly state: State;
  readonly defects: readonly (Defect & { readonly level: Finding['level'] })[];
  readonly notes: readonly { rule: string; seq: number; at: number; line: number; message: string }[];
}

/** Folds the record; what an acceptance covers, and names that the config has lost since, are information. */
function judgeRules(record: WholeRecord, channel: Channel): Judged {
  const { config } = channel;
  /** Where each acceptance of the supervisor stands, by what it accepts. */
  const accepted = new Map<string, number>();
  const notes: { rule: string; seq: number; at: number; line: number; message: string }[] = [];
  const unknown = new Set<number>();
  const ends = [...config.acceptedBefore, ...(config.accepted ? [config.accepted] : [])];
  const goesOn = new Set<number>();
  const { fence } = record;
  let cut: State | undefined;
  const fold = record.fold((_id, before, after, row) => {
    if (after.seq === fence?.number) cut = after;
    const { number, at, line, facts, marked } = row;
    if (facts.sender === config.supervisor) for (const what of facts.accepts) accepted.set(what, at);
    if (ends.some((end) => end.seq === before.seq && end.hash === before.hash)) goesOn.add(at);
    if (marked && unknownName(config, facts, before.speakers)) unknown.add(number);
    const cap = before.cap ?? config.threadCap;
    const isParty = facts.sender !== config.supervisor;
    if (marked && isParty && before.thread !== '' && after.spoken > cap)
      notes.push({
        rule: 'at-cap',
        seq: number,
        at,
        line,
        message: `MSG-${number} is entry ${after.spoken} of parties in thread ${facts.thread}, above the cap of ${cap} as it is now.`,
      });
  });
  const all = [...record.count.defects, ...record.conflicts, ...fold.objections];
  const defects = all.map((defect) => {
    const isOldName = defect.kind === 'against-rules' && unknown.has(defect.seq) && defect.at <= fold.point;
    // A compaction keeps what was put aside when a record that went back was accepted (decisions.md 5).
    const isAside = defect.kind === 'fork' && goesOn.has(defect.at);
    // Only what an acceptance names: what is changed before it later has been accepted by nobody.
    const isAccepted = defect.at < (accepted.get(acceptance(defect)) ?? -1) && defect.kind !== 'missing-beginning';
    return { ...defect, level: isAside || isAccepted || isOldName ? ('info' as const) : ('defect' as const) };
  });
  const forged = fence && judgeFence(fence, cut, channel.reader);
  return { state: fold.state, defects: forged ? [...defects, { ...forged, level: 'defect' }] : defects, notes };
}

type Place = Pick<Finding, 'file' | 'line' | 'seq'>;

function placer(record: WholeRecord, channel: Channel) {
  return (what: { readonly at: number; readonly line: number; readonly seq: number }): Place => ({
    file: relative(channel.paths.root, placeOf(record.files, what.at).path),
    line: what.line,
    seq: what.seq,
  });
}

function voidFindings(record: WholeRecord, at: ReturnType<typeof placer>): Finding[] {
  const unmarked = record.unmarked.map((row) => ({
    ...at({ ...row, seq: row.number }),
    level: 'info' as const,
    rule: 'unmarked',
    message: `MSG-${row.number} at byte ${placeOf(record.files, row.at).offset} is unmarked (torn, by hand, or another tool) and void.`,
  }));
  const second = record.count.voided.map((id) => {
    const row = record.counter.row(id);
    return {
      ...at({ ...row, seq: row.number }),
      level: 'info' as const,
      rule: row.marked ? 'second-claim' : 'unmarked',
      message: `MSG-${row.number} does not count: ${row.marked ? 'its number was taken, or is not the next one' : 'another claim to its number, or what came after it, stands'}.`,
    };
  });
  const strays = record.strays.map((stray) => ({
    ...at({ at: stray.at, line: stray.line, seq: 0 }),
    level: 'info' as const,
    rule: 'stray',
    message: `${stray.lines} line${stray.lines === 1 ? '' : 's'} of text at byte ${placeOf(record.files, stray.at).offset} ${stray.lines === 1 ? 'belongs' : 'belong'} to no entry: ${stray.first}`,
  }));
  return [...unmarked, ...second, ...strays];
}

/** The doorbell is a cache: behind or absent is information; ahead proves that the record went back. */
function bellFindings(channel: Channel, bell: Doorbell | undefined, state: State, archived: number): Finding[] {
  const file = relative(channel.paths.root, channel.paths.doorbell);
  const place = { file, line: 0, seq: state.seq };
  if (!bell)
    return [
      {
        ...place,
        level: 'info',
        rule: 'doorbell',
        message: 'The doorbell is missing or unreadable; the record decides, and the next writer rings it.',
      },
    ];
  // Brokered by another program: there the doorbell is authoritative (format.md 3).
  if (channel.config.brokered) return [];
  if (bell.seq > Math.max(state.seq, archived))
    return [
      {
        ...place,
        level: 'defect',
        rule: 'record-went-back',
        message: `The record went back: the doorbell says MSG-${bell.seq}, the record ends at MSG-${state.seq}.`,
      },
    ];
  const isSame = sameDoorbell(bell, { ...doorbellOf(state), updatedAt: bell.updatedAt });
  if (isSame || bell.seq > state.seq) return [];
  return [
    {
      ...place,
      level: 'info',
      rule: 'doorbell',
      message: `The doorbell says MSG-${bell.seq}, turn "${bell.turn}"; the record says MSG-${state.seq}, turn "${state.turn}". The next writer rings it.`,
    },
  ];
}
