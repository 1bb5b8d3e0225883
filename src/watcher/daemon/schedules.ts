import type { ScheduledTask } from 'node-cron';

/** The schedules of all channels. */
export interface Schedules {
  /** Makes these expressions, each once, the ones in force. */
  set(expressions: ReadonlySet<string>): void;
  stop(): void;
}

/**
 * Calls `onDue` with an expression whenever it is due. In UTC, since in a zone with summer time node-cron is silent for an hour
 * when the clocks go back, and never while the last call is under way (DESIGN.md 9). A moment that was missed is not made
 * up for: a tick looks at the state, not at moments.
 */
export async function cronSchedules(onDue: (expression: string) => Promise<void>): Promise<Schedules> {
  const { schedule, setLogger } = await import('node-cron');
  const quiet = () => undefined;
  setLogger({ info: quiet, warn: quiet, error: quiet, debug: quiet });
  const tasks = new Map<string, ScheduledTask>();
  const drop = (expression: string): void => {
    void tasks.get(expression)?.destroy();
    tasks.delete(expression);
  };
  return {
    set(expressions) {
      for (const expression of [...tasks.keys()]) if (!expressions.has(expression)) drop(expression);
      for (const expression of expressions) {
        if (tasks.has(expression)) continue;
        const task = schedule(expression, () => onDue(expression), { timezone: 'UTC', noOverlap: true });
        tasks.set(expression, task);
      }
    },
    stop() {
      for (const expression of [...tasks.keys()]) drop(expression);
    },
  };
}
