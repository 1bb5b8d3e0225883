import type { Facts } from './facts.js';
import type { State } from './state.js';

/** A thread, or a one-shot entry beside one, as the archive's index lists it. */
export interface ThreadSpan {
  readonly thread: string;
  readonly first: number;
  readonly last: number;
  readonly entries: number;
  /** Id of the last entry, in the counter that was folded. */
  readonly lastId: number;
}

/**
 * Follows a fold and finds where a compaction may cut (decisions.md 17): the latest point where no thread is open, all
 * before it is old, and the thread that was closed last stays behind it.
 */
export class QuietPoints {
  /** The last entry that may move, or -1. */
  cut = -1;
  private quiet = -1;
  private quietBeforeThread = -1;
  private allOld = true;

  constructor(private readonly isOld: (id: number) => boolean) {}

  /** One step of the fold. */
  visit(id: number, before: State, after: State): void {
    this.allOld &&= this.isOld(id);
    const opens = after.thread !== '' && after.openedAt !== before.openedAt;
    if (opens && before.thread === '') this.quietBeforeThread = this.quiet;
    if (after.thread !== '') return;
    if (before.thread !== '') this.cut = this.quietBeforeThread;
    if (this.allOld) this.quiet = id;
  }
}

/** Groups entries into the spans that the index lists, in the order of their beginnings. */
export class ThreadSpans {
  readonly spans: ThreadSpan[] = [];
  private open: ThreadSpan | undefined;

  /** One step of the fold. */
  visit(id: number, number: number, facts: Facts, before: State, after: State): void {
    const isAside = before.thread !== '' && facts.thread !== before.thread && after.thread === before.thread;
    if (isAside) {
      this.spans.push({ thread: facts.thread, first: number, last: number, entries: 1, lastId: id });
      return;
    }
    const span: ThreadSpan =
      this.open && this.open.thread === facts.thread
        ? { ...this.open, last: number, entries: this.open.entries + 1, lastId: id }
        : { thread: facts.thread, first: number, last: number, entries: 1, lastId: id };
    const known = this.spans.findLastIndex((each) => each.first === span.first);
    if (known >= 0) this.spans[known] = span;
    else this.spans.push(span);
    this.open = after.thread === '' ? undefined : span;
  }
}
