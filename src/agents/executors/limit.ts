/** Runs a task when fewer than the limit are running; tasks start in the order in which they came (rule X9). */
export type Limit = <Result>(task: () => Promise<Result>) => Promise<Result>;

/** A limit of `most` tasks at the same time; without `most`, every task starts at once. */
export function limitOf(most: number | undefined): Limit {
  if (most === undefined) return (task) => task();
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (task) => {
    if (running >= most) await new Promise<void>((start) => waiting.push(start));
    else running += 1;
    try {
      return await task();
    } finally {
      // A place is handed over, not freed and taken again, so that nobody slips in between.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

/** The results of all tasks, in order. If one throws, the others are waited for first: no call outlives its executor. */
export async function inParallel<Result>(tasks: readonly Promise<Result>[]): Promise<Result[]> {
  const settled = await Promise.allSettled(tasks);
  return settled.map((each) => {
    if (each.status === 'rejected') throw each.reason;
    return each.value;
  });
}
