import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { findMarked, listProcesses } from '../../src/process/list-processes.js';

/** A shell script that runs in a process group of its own, as a run of the watcher does. */
export interface Script {
  readonly pid: number;
  readonly child: ChildProcess;
  readonly ended: Promise<void>;
}

/** Starts a script whose processes all carry `marker`, and returns once its first line of output, `ready`, is there. */
export async function startScript(script: string, marker = 'SCRIPT=none'): Promise<Script> {
  const env = { PATH: process.env.PATH, [marker.slice(0, marker.indexOf('='))]: marker.slice(marker.indexOf('=') + 1) };
  const child = spawn('/bin/sh', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'ignore'], env });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return { pid: child.pid ?? 0, child, ended };
}

/** How many live processes carry this marker now. */
export async function countMarked(marker: string): Promise<number> {
  const marked = findMarked([marker]);
  return (await listProcesses()).filter((record) => record.alive && marked.has(record.pid)).length;
}

/** Waits for something that another process will do; gives up after ten seconds, and the assertion that follows says so. */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 500 && !(await holds()); turn += 1) await sleep(20);
}
