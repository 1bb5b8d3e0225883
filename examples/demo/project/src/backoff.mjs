/** Milliseconds to wait before the given attempt (1, 2, 3 ...): doubling from `base`, never above `cap`. */
export function waitMs(attempt, { base = 100, cap = 5_000 } = {}) {
  return Math.min(cap, base * 2 ** (attempt - 1));
}
