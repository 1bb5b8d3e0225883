/**
 * Milliseconds to wait before the given attempt (1, 2, 3 ...): doubling from `base`, plus up to a quarter of that at
 * random, so that many clients do not come back at the same moment; never above `cap`.
 */
export function waitMs(attempt, { base = 100, cap = 5_000, random = Math.random } = {}) {
  const wait = base * 2 ** (attempt - 1);
  return Math.min(cap, Math.round(wait + (wait / 4) * random()));
}
