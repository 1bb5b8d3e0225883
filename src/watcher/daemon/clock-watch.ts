/** How often the clocks are compared, in milliseconds. */
const LOOK_MS = 5000;
/** How far the wall clock must have run away from the monotonic one to count as a jump, in milliseconds. */
const JUMP_MS = 2000;

/** Two clocks, in milliseconds: the one on the wall, and one that only goes forward. */
export interface TwoClocks {
  wall(): number;
  monotonic(): number;
}

/**
 * Calls `onJump` once when the wall clock has jumped: somebody set it, or the machine slept. Timers were counting another
 * time then, so whoever waits for a moment must look again. Returns how to end it.
 */
export function watchClock(clocks: TwoClocks, onJump: () => void): () => void {
  let offset = clocks.wall() - clocks.monotonic();
  const timer = setInterval(() => {
    const now = clocks.wall() - clocks.monotonic();
    if (Math.abs(now - offset) > JUMP_MS) onJump();
    offset = now;
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
