import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { Scratch } from '../evidence/scratch.js';

/** What a command of the built tool came to. */
export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const main = resolve('dist/cli/main.cjs');

/** What a command gets as its environment in a scratch project. */
export function environmentOf(scratch: Scratch): Record<string, string | undefined> {
  return { ...process.env, HOME: scratch.folder, XDG_STATE_HOME: scratch.stateHome };
}

/** Runs `debate ...` in the project of a scratch channel, as a user would. */
export function debate(scratch: Scratch, argv: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
  const child = spawn(process.execPath, [main, ...argv], {
    cwd: scratch.project,
    env: { ...environmentOf(scratch), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  return new Promise((done) => child.once('close', (code) => done({ code, stdout, stderr })));
}

/** The argv that runs the built tool, for a script of a test. */
export const debateArgv = [process.execPath, main] as const;
