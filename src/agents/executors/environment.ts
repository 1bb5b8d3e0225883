/** What an executor takes from the world besides its models (rule X6). */
export interface Environment {
  /** Milliseconds since 1970; it must not run backwards. */
  readonly clock: () => number;
  /** A number from 0 up to but not including 1. */
  readonly rng: () => number;
}

/** The world as it is, for callers that inject nothing. */
export const realEnvironment: Environment = {
  clock: () => performance.timeOrigin + performance.now(),
  rng: Math.random,
};

/** The items in a random order (rule A6). */
export function shuffled<Item>(items: readonly Item[], rng: () => number): Item[] {
  const keyed = items.map((item) => ({ item, key: rng() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
}
