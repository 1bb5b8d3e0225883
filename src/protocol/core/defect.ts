import type { FenceSeen } from './scanned.js';
import type { State } from './state.js';

/** What a person must look at in the record (DESIGN.md 4.2). */
export type DefectKind =
  | 'altered'
  | 'gap'
  | 'missing-beginning'
  | 'fork'
  | 'conflict'
  | 'forged-fence'
  | 'against-rules';

/** One defect: what, where, and of which entry. */
export interface Defect {
  readonly kind: DefectKind;
  /** The number concerned: the altered, forked or rule-breaking entry, or the first missing one; 0 for conflict markers. */
  readonly seq: number;
  /** Byte offset in the file that was read, and the line when the file was read from its start. */
  readonly at: number;
  readonly line: number;
  /** One sentence that names it. */
  readonly message: string;
}

/** The value of a `Debate-Accept` trailer that accepts `defect`. */
export function acceptance(defect: Defect): string {
  return defect.seq > 0 ? `MSG-${defect.seq} ${defect.kind}` : defect.kind;
}

/** What stops the parties, each said once: three conflict markers are one thing to look at. */
export function stopTexts(stops: readonly Defect[]): readonly string[] {
  return [...new Set(stops.map(({ message }) => message))];
}

/** Builds a defect with the sentence of its kind. */
export function defectOf(kind: Exclude<DefectKind, 'against-rules'>, seq: number, at: number, line: number): Defect {
  return { kind, seq, at, line, message: SENTENCES[kind](seq) };
}

/**
 * True where a defect hides entries, so that it says more than a doorbell or a memory that is ahead: those are its
 * evidence, and stay as they are.
 */
export function hidesEntries({ kind }: Defect): boolean {
  return kind === 'missing-beginning' || kind === 'forged-fence';
}

/**
 * A compaction cuts where no thread is open, at an entry that counts, in format 2. Any other fence was written by hand:
 * obeyed, it would move a turn (DESIGN.md 4.2), so it stops everybody until a person has removed it. `cut` is the state
 * after the entry that the fence names, undefined where none of that number counts.
 */
export function judgeFence(
  fence: FenceSeen,
  cut: State | undefined,
  reader: { readonly format: 1 | 2 },
): Defect | undefined {
  if (reader.format === 2 && cut?.hash === fence.hash && cut.thread === '') return undefined;
  return defectOf('forged-fence', fence.number, fence.at, fence.line);
}

const SENTENCES: Record<Exclude<DefectKind, 'against-rules'>, (seq: number) => string> = {
  altered: (seq) => `MSG-${seq} was altered: its text or marker does not fit the chain of hashes.`,
  gap: (seq) => `MSG-${seq} is missing from the record.`,
  'missing-beginning': (seq) => `The record does not begin where it should: MSG-${seq} is missing.`,
  fork: (seq) => `The record holds two versions from MSG-${seq} on, one after the other.`,
  'forged-fence': (seq) =>
    `The fence for MSG-${seq} was written by no compaction of this record, and nothing behind it is read: look who wrote it, then remove that line by hand.`,
  conflict: () => 'The mailbox holds the conflict markers of a merge.',
};
