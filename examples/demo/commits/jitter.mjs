/**
 * Milliseconds to wait before the given attempt (1, 2, 3 ...): doubling from `base`, never above `cap`, plus up to a
 * quarter of that at random, so that many clients do not come back at the same moment.
 */
export function waitMs(attempt, { base = 100, cap = 5_000, random = Math.random } = {}) {
  const wait = Math.min(cap, base * 2 ** (attempt - 1));
  return Math.round(wait + (wait / 4) * random());
}
