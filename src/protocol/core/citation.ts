import { openThread } from './open-thread.js';
import type { State } from './state.js';
import type { Entry } from './words.js';

/** A commit that an entry cites: `name@hex`, with 7 to 40 hex digits (DESIGN.md 4.1). */
export interface Citation {
  readonly name: string;
  readonly commit: string;
}

const CITATION = /^([^\s@]+)@([0-9a-f]{7,40})$/;
const ALMOST = /^[^\s@]+@[0-9A-Fa-f]+$/;

/** The citations among the words of a refs field, in order. Commas and semicolons separate words too. */
export function citationsIn(refs: string): readonly Citation[] {
  return words(refs).flatMap((word) => {
    const found = CITATION.exec(word);
    return found ? [{ name: found[1] ?? '', commit: found[2] ?? '' }] : [];
  });
}

/** The commit that a refs field is about: its last citation. */
export function citedCommit(refs: string): Citation | undefined {
  return citationsIn(refs).at(-1);
}

/** The newest citation of the open thread: which commit its next entry is about, unless it says otherwise. */
export function newestCitation(entries: readonly Entry[], state: State): Citation | undefined {
  return openThread(entries, state)
    .flatMap((entry) => citationsIn(entry.refs))
    .at(-1);
}

/** Words that look like a citation and are none, such as `x@abc123` with six digits: worth a notice. */
export function almostCitations(refs: string): readonly string[] {
  return words(refs).filter((word) => ALMOST.test(word) && !CITATION.test(word));
}

function words(refs: string): readonly string[] {
  return refs.split(/[\s,;]+/).filter((word) => word !== '');
}
