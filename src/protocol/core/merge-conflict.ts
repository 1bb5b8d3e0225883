/** The lines by which a merge that was never finished marks what it left (format.md 2). */
export type MergeSign = 'ours' | 'middle' | 'theirs';

/** What a line, by its first eight characters and its length in bytes, is of a merge; undefined for any other line. */
export function mergeSign(start: string, length: number): MergeSign | undefined {
  if (/^<{7}( |$)/.test(start)) return 'ours';
  if (start.startsWith('=======') && length === 7) return 'middle';
  return /^>{7}( |$)/.test(start) ? 'theirs' : undefined;
}

/** Follows the lines of entries whose marker was not seen yet. */
export interface MergeWatch {
  /** True when this line ends a merge's leftovers. */
  sign(sign: MergeSign): boolean;
  /** A header line. */
  header(): void;
  /** A marker: what stood before it was a body. */
  entryEnded(): void;
}

/**
 * Inside such an entry only `<<<<<<<`, `=======`, `>>>>>>>` in this order with a header between are a merge's
 * (decisions.md 6): a body may quote them.
 */
export function watchMerge(): MergeWatch {
  let stage: 'none' | 'ours' | 'theirs' = 'none';
  let hasHeader = false;
  return {
    sign(sign) {
      if (sign === 'ours') {
        stage = 'ours';
        hasHeader = false;
      } else if (sign === 'middle') {
        if (stage === 'ours') stage = 'theirs';
      } else if (stage === 'theirs' && hasHeader) {
        stage = 'none';
        return true;
      }
      return false;
    },
    header() {
      if (stage !== 'none') hasHeader = true;
    },
    entryEnded() {
      stage = 'none';
    },
  };
}
