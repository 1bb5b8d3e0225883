/** A piece of text that a search may find, and the citation that finds it again. */
export interface Passage {
  /** `<file>#<section>` or `<path>:<from>-<to>@<commit>`. */
  readonly cite: string;
  readonly title: string;
  readonly text: string;
}

/** A passage that was found. Its score is above 0. */
export interface Hit extends Passage {
  readonly score: number;
}

/** Finds the `k` passages that fit a query best, best first; nothing when none shares a word with it. */
export type Search = (query: string, k: number) => readonly Hit[];
