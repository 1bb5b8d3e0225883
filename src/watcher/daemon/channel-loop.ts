/** What one round of a channel says of the next. */
export interface Round {
  /** When something may happen, in milliseconds since 1970; undefined when only a wake can bring something. */
  readonly dueMs: number | undefined;
  /** True when there may be more to do at once. */
  readonly again: boolean;
}

/** The rounds of one channel. */
export interface ChannelLoop {
  /** Asks for a round: now, or once more after the one that is under way. */
  wake(): void;
  /** No more rounds; resolves when those under way have ended. */
  stop(): Promise<void>;
}

/** The shortest and the longest that a timer waits, in milliseconds; a longer wait is looked at again then. */
const SHORTEST_MS = 10;
const LONGEST_MS = 3_600_000;

/**
 * Runs `round` whenever it is woken, at the time that the last round named, and again at once where there is more to do. Wakes that
 * come while a round is under way become one. A round that calls `yields` goes on in the background, and the next may begin: while an
 * agent runs, what is new must still be mirrored. `round` must not throw.
 */
export function channelLoop(round: (yields: () => void) => Promise<Round>, now: () => number): ChannelLoop {
  const underWay = new Set<Promise<void>>();
  let isBusy = false;
  let isWanted = false;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  const begin = (): void => {
    isWanted = false;
    isBusy = true;
    let hasYielded = false;
    const yields = (): void => {
      if (hasYielded) return;
      hasYielded = true;
      isBusy = false;
      if (isWanted && !isStopped) begin();
    };
    const ended = round(yields).then(({ dueMs, again }) => {
      underWay.delete(ended);
      isWanted ||= again;
      if (!isStopped && dueMs !== undefined) arm(dueMs);
      if (!hasYielded) yields();
      else if (again) wake();
    });
    underWay.add(ended);
  };
  const arm = (dueMs: number): void => {
    clearTimeout(timer);
    timer = setTimeout(wake, Math.min(Math.max(dueMs - now(), SHORTEST_MS), LONGEST_MS));
  };
  const wake = (): void => {
    if (isStopped) return;
    isWanted = true;
    if (!isBusy) begin();
  };
  return {
    wake,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
