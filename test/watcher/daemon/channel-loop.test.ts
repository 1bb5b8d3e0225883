import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { channelLoop, type Round } from '../../../src/watcher/daemon/channel-loop.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const NOTHING: Round = { dueMs: undefined, again: false };

/** A loop whose rounds end when they are told to. */
function controlled(yielding = false) {
  const ends: ((round: Round) => void)[] = [];
  const loop = channelLoop(
    (yields) =>
      new Promise((end) => {
        ends.push(end);
        if (yielding) yields();
      }),
    Date.now,
  );
  const end = async (index: number, round: Round = NOTHING) => {
    ends[index]?.(round);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { loop, begun: () => ends.length, end };
}

describe('the rounds of one channel', () => {
  it('never overlap, and wakes that come while one is under way become one', async () => {
    const { loop, begun, end } = controlled();
    loop.wake();
    loop.wake();
    loop.wake();
    expect(begun()).toBe(1);
    await end(0);
    expect(begun()).toBe(2);
    await end(1);
    expect(begun()).toBe(2);
  });

  it('come at the time that the last one named, also far away, and not before', async () => {
    const { loop, begun, end } = controlled();
    loop.wake();
    await end(0, { dueMs: Date.now() + 90_000, again: false });
    await vi.advanceTimersByTimeAsync(89_000);
    expect(begun()).toBe(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(begun()).toBe(2);
  });

  it('come again at once where there is more to do', async () => {
    const { loop, begun, end } = controlled();
    loop.wake();
    await end(0, { dueMs: undefined, again: true });
    expect(begun()).toBe(2);
  });

  it('may begin while one that has yielded goes on, and its end brings the next', async () => {
    const { loop, begun, end } = controlled(true);
    loop.wake();
    loop.wake();
    expect(begun()).toBe(2);
    await end(1);
    expect(begun()).toBe(2);
    await end(0, { dueMs: undefined, again: true });
    expect(begun()).toBe(3);
  });

  it('end with those under way, and no new one begins', async () => {
    const { loop, begun, end } = controlled();
    loop.wake();
    loop.wake();
    let isStopped = false;
    const stopped = loop.stop().then(() => {
      isStopped = true;
    });
    await vi.advanceTimersByTimeAsync(10);
    expect(isStopped).toBe(false);
    await end(0, { dueMs: Date.now(), again: true });
    await stopped;
    loop.wake();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(begun()).toBe(1);
  });
});
