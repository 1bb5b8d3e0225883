/** How long a call that was turned away may wait and how often it may come back. */
export interface RetryLimits {
  readonly retries: number;
  /** The longest single wait, in seconds; a server that asks for more is not waited for. */
  readonly maxWaitSeconds: number;
}

/** What to do after a call was turned away with this status. */
export type RetryDecision = { readonly retry: true; readonly waitSeconds: number } | { readonly retry: false };

const never: RetryDecision = { retry: false };

/**
 * Decides whether to call again (rule X3): after 429 and 5xx only, at most `retries` times.
 *
 * A wait that the server names is kept to and gets up to a quarter on top, so that many callers do not come back at
 * once; without one it doubles from one second, between half and the whole of that. `attempt` counts from 0; `random`
 * is in 0..1.
 */
export function decideRetry(
  status: number,
  retryAfterSeconds: number | undefined,
  attempt: number,
  limits: RetryLimits,
  random: number,
): RetryDecision {
  if (attempt >= limits.retries || (status !== 429 && (status < 500 || status > 599))) return never;
  if (retryAfterSeconds !== undefined) {
    if (retryAfterSeconds > limits.maxWaitSeconds) return never;
    return { retry: true, waitSeconds: Math.min(retryAfterSeconds * (1 + random / 4), limits.maxWaitSeconds) };
  }
  const full = Math.min(2 ** attempt, limits.maxWaitSeconds);
  return { retry: true, waitSeconds: full * (0.5 + random / 2) };
}

/**
 * Reads a `Retry-After` header, seconds or an HTTP date; undefined when absent or unreadable. `nowMs` is the wall
 * clock.
 */
export function readRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text);
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - nowMs) / 1000);
}
