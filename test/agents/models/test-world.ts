import type { ModelWorld } from '../../../src/agents/models/world.js';

/** A world whose waits are noted instead of waited, and whose dice always show the same. */
export function testWorld(more: Partial<ModelWorld> = {}): ModelWorld & { readonly waits: number[] } {
  const waits: number[] = [];
  return {
    environment: {},
    folder: process.cwd(),
    cwd: process.cwd(),
    random: () => 0.5,
    sleep: async (seconds, signal) => {
      signal?.throwIfAborted();
      waits.push(seconds);
    },
    now: () => performance.now() / 1000,
    wallClock: () => Date.UTC(2026, 6, 6, 12, 0, 0),
    ...more,
    waits,
  };
}
