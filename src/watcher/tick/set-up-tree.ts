import type { RunLog } from '../../process/run-log.js';
import { type ChildSpec, startChild } from '../../process/start-child.js';

/** Runs the setup of a worktree in it; resolves with what went wrong, or undefined. */
export type SetUpTree = (
  argv: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
) => Promise<string | undefined>;

/** The setup of one run, and what is known of it afterwards. */
export interface TreeSetUp {
  readonly run: SetUpTree;
  /** The end of what it printed, masked. */
  lastLines(): string;
  /** True when something of it could not be ended. */
  isLeft(): boolean;
}

/**
 * A setup is a part of its run: it has the party's environment, the run's log, its time and its end, and the mark of the run, by
 * which what a dead watcher left of it is found. It is woken for nothing, so no other variable of the tool binds it.
 */
export function treeSetUp(
  bounds: Omit<ChildSpec, 'argv' | 'cwd' | 'env' | 'prompt' | 'log'>,
  openLog: () => RunLog,
  runId: string,
): TreeSetUp {
  let isLeft = false;
  let lastLines = '';
  return {
    async run(argv, cwd, env) {
      const result = await startChild({ ...bounds, log: openLog(), argv, cwd, env: { ...env, DEBATE_WAKE: runId } });
      isLeft = result.survivors.length > 0;
      lastLines = result.lastLines;
      switch (result.kind) {
        case 'exited':
          if (result.code === 0) return undefined;
          return `${argv.join(' ')} failed (${result.code === undefined ? `ended by ${result.signal}` : `exit ${result.code}`})`;
        case 'timed-out':
          return `${argv.join(' ')} was ended after ${Math.round(result.durationSeconds)} s`;
        case 'aborted':
          return `${argv.join(' ')} was ended (${result.reason})`;
        case 'claim-gone':
          return 'its claim was taken over';
        case 'cannot-start':
        case 'argument-too-long':
          return result.message;
      }
    },
    lastLines: () => lastLines,
    isLeft: () => isLeft,
  };
}
