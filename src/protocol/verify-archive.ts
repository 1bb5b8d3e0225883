import { relative } from 'node:path';
import type { Channel } from './channel.js';
import { type IndexLine, parseIndex } from './core/archive-index.js';
import type { ScannedEntry } from './core/scanned.js';
import type { Disk } from './disk.js';
import { readText } from './file.js';
import { monthFiles } from './record/archive.js';
import { layOut, type RecordFile, readBeginning, scanFiles } from './record/record-files.js';
import type { WholeRecord } from './record/whole.js';
import type { Finding } from './verify.js';

/** What an archive is found to be. */
export interface ArchiveFindings {
  readonly findings: readonly Finding[];
  /** Entries of an archive that is in no chain, which are not among the record's own. */
  readonly entries: number;
}

/**
 * Holds the archive against its index and against the mailbox's base line, and an archive of the published format, which is in no
 * chain, against its own markers.
 */
export function verifyArchive(disk: Disk, channel: Channel, record: WholeRecord): ArchiveFindings {
  const months = monthFiles(disk, channel.paths);
  const look = record.chained ? chainedNumbers(record) : lookThrough(disk, channel, months);
  const index = parseIndex(readText(disk, channel.paths.index) ?? '');
  return {
    findings: [
      ...missingArchive(disk, channel, record.mailbox, months),
      ...index.flatMap((line) => indexFinding(channel, line, months, look.numbers)),
      ...look.findings,
    ],
    entries: look.entries,
  };
}

/** The base line says that older entries are in the archive: then it must be there. */
function missingArchive(disk: Disk, channel: Channel, mailbox: string, months: readonly string[]): readonly Finding[] {
  const { base } = readBeginning(disk, mailbox);
  if (base === undefined || months.length > 0) return [];
  const what = `The mailbox says that the entries up to MSG-${base.number} are in ${nameOf(channel, channel.paths.archive)}, and no file of them is there: restore it.`;
  return [defect(nameOf(channel, channel.paths.archive), 0, base.number, 'archive-missing', what)];
}

function indexFinding(
  channel: Channel,
  line: IndexLine,
  months: readonly string[],
  numbers: ReadonlyMap<string, readonly number[]>,
): readonly Finding[] {
  const place = [nameOf(channel, channel.paths.index), 0, line.first] as const;
  const listed = `MSG-${line.first} to MSG-${line.last} of thread ${line.thread}`;
  if (!months.some((path) => path.endsWith(`/${line.file}`)))
    return [defect(...place, 'archive-missing', `${line.file} is missing; the index lists ${listed} there.`)];
  const there = (numbers.get(line.thread) ?? []).filter((each) => each >= line.first && each <= line.last);
  const distinct = new Set(there).size;
  if (distinct >= line.entries) return [];
  const what = `The index lists ${line.entries} entries, ${listed}, and the archive holds ${distinct} of them.`;
  return [defect(...place, 'archive-missing', what)];
}

/** What was looked through: which numbers of which thread are there. */
interface Look extends ArchiveFindings {
  readonly numbers: ReadonlyMap<string, readonly number[]>;
}

/** An archive that is in the chain was judged with the mailbox; what was put aside with a record that went back is there too. */
function chainedNumbers({ counter, count }: WholeRecord): Look {
  const numbers = new Map<string, number[]>();
  for (const id of [...count.chain, ...count.voided]) {
    const { number, facts } = counter.row(id);
    note(numbers, facts.thread, number);
  }
  return { numbers, findings: [], entries: 0 };
}

/** Streams the month files of an archive that is in no chain: what its markers say, entry after entry. */
function lookThrough(disk: Disk, channel: Channel, months: readonly string[]): Look {
  const numbers = new Map<string, number[]>();
  const findings: Finding[] = [];
  let entries = 0;
  let earlier: readonly { readonly number: number; readonly hash: string }[] = [];
  const { reader } = channel;
  const reach = { base: reader.base, bell: Number.POSITIVE_INFINITY, whole: true, archived: true };
  scanFiles(disk, reader, layOut(disk, months), reach, {
    entry: (entry: ScannedEntry, _id: number, file: RecordFile) => {
      const { number, thread } = entry.header;
      entries += 1;
      note(numbers, thread, number);
      const before = earlier.filter((each) => each.number === number - 1);
      if (entry.marker && before.length > 0 && !before.some(({ hash }) => follows(channel, entry, hash))) {
        const what = `MSG-${number} was altered: its text or marker does not fit the entry before it.`;
        findings.push(defect(nameOf(channel, file.path), entry.line, number, 'altered', what));
      }
      const hash = entry.marker?.hash ?? reader.hashes.text(entry.text);
      // Several writers of the published tool may have taken one number.
      earlier = [...earlier.filter((each) => each.number >= number - 1), { number, hash }].slice(-8);
    },
  });
  return { numbers, findings, entries };
}

function note(numbers: Map<string, number[]>, thread: string, number: number): void {
  const known = numbers.get(thread);
  if (known) known.push(number);
  else numbers.set(thread, [number]);
}

function follows({ reader }: Channel, { marker, text }: ScannedEntry, hash: string): boolean {
  return reader.hashes.chain(hash, text) === marker?.hash;
}

function nameOf(channel: Channel, path: string): string {
  return relative(channel.paths.root, path);
}

function defect(file: string, line: number, seq: number, rule: string, message: string): Finding {
  return { level: 'defect', file, line, seq, rule, message };
}
