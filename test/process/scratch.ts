import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMasker } from '../../src/process/mask.js';
import { openLog, runLogPath } from '../../src/process/run-log.js';
import { type ChildSpec, type RunResult, startChild } from '../../src/process/start-child.js';

/** A folder for one test file, with what a run needs. */
export interface Scratch {
  readonly folder: string;
  /** Runs a command with small limits; everything can be set otherwise. */
  run(argv: readonly string[], changes?: Partial<ChildSpec>): Promise<RunResult>;
  /** Makes a claim file and returns its path. */
  claim(): string;
  remove(): void;
}

/** Makes the folder. */
export function makeScratch(): Scratch {
  const folder = mkdtempSync(join(tmpdir(), 'debate-run-test-'));
  let count = 0;
  const env = { PATH: process.env.PATH ?? '', HOME: folder };
  return {
    folder,
    run(argv, changes = {}) {
      count += 1;
      const path = runLogPath(join(folder, 'logs'), { party: 'claude', seq: count, attempt: 1 });
      const log = openLog(path, createMasker(changes.env ?? env), 1_000_000);
      const spec: ChildSpec = { argv, cwd: folder, env, timeoutSeconds: 20, graceSeconds: 2, log, ...changes };
      return startChild(spec);
    },
    claim() {
      count += 1;
      const file = join(folder, `${count}@0123456789abcdef-1`);
      writeFileSync(file, '{}');
      return file;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
