/** What a person must look at in the record (DESIGN.md 4.2). */
export type DefectKind = 'altered' | 'gap' | 'missing-beginning' | 'fork' | 'conflict' | 'against-rules';

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

/** Builds a defect with the sentence of its kind. */
export function defectOf(kind: Exclude<DefectKind, 'against-rules'>, seq: number, at: number, line: number): Defect {
  return { kind, seq, at, line, message: SENTENCES[kind](seq) };
}

const SENTENCES: Record<Exclude<DefectKind, 'against-rules'>, (seq: number) => string> = {
  altered: (seq) => `MSG-${seq} was altered: its text or marker does not fit the chain of hashes.`,
  gap: (seq) => `MSG-${seq} is missing from the record.`,
  'missing-beginning': (seq) => `The record does not begin where it should: MSG-${seq} is missing.`,
  fork: (seq) => `The record holds two versions from MSG-${seq} on, one after the other.`,
  conflict: () => 'The mailbox holds the conflict markers of a merge.',
};
