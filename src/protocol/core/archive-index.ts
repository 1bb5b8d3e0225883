/** What one line of an archive's index says: where the entries of a thread went (DESIGN.md 4.3; the published tool's line). */
export interface IndexLine {
  readonly thread: string;
  readonly first: number;
  readonly last: number;
  readonly entries: number;
  /** Timestamp of the thread's last entry. */
  readonly closed: string;
  /** Name of the month file. */
  readonly file: string;
}

const LINE = /^- (.+): MSG-(\d{1,15})\.\.MSG-(\d{1,15}) \((\d{1,15}) entries, closed (.*)\) -> (.+)$/;

/** Writes a line of the index, without its line ending. */
export function renderIndexLine({ thread, first, last, entries, closed, file }: IndexLine): string {
  return `- ${thread}: MSG-${first}..MSG-${last} (${entries} entries, closed ${closed}) -> ${file}`;
}

/** Reads the lines of an index; whatever else stands in it is a person's. */
export function parseIndex(text: string): readonly IndexLine[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [, thread = '', first, last, entries, closed = '', file = ''] = LINE.exec(line) ?? [];
    if (first === undefined) return [];
    return [{ thread, first: Number(first), last: Number(last), entries: Number(entries), closed, file }];
  });
}
