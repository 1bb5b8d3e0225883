import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { environCarries, type ProcessIdentity, type ProcessRecord, parseProcStat, parsePs } from './process-table.js';

/** All processes that this process may see: from `/proc` where there is one, else from `ps`. */
export async function listProcesses(): Promise<readonly ProcessRecord[]> {
  const pids = procPids();
  if (pids.length === 0) return listByPs();
  return pids.flatMap((pid) => readProcess(pid) ?? []);
}

/** All processes as `ps` lists them: the way of systems without `/proc`. Without `ps` the list is empty. */
export function listByPs(): Promise<readonly ProcessRecord[]> {
  const args = ['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart='];
  const env = { PATH: `/usr/bin:/bin:${process.env.PATH ?? '/bin'}`, LC_ALL: 'C', TZ: 'UTC' };
  return new Promise((resolve) => {
    execFile('ps', args, { env, maxBuffer: 64 * 1024 * 1024 }, (_error, stdout) => resolve(parsePs(stdout)));
  });
}

/** The identity of a process now; `startTime` is undefined when it has ended already. */
export async function identifyProcess(pid: number): Promise<ProcessIdentity> {
  const record = readProcess(pid) ?? (procPids().length === 0 ? await findByPs(pid) : undefined);
  return { pid, startTime: record?.startTime };
}

/**
 * The pids of processes whose environment carries one of these `NAME=value` markers (Linux; elsewhere none). It finds
 * what a harness started in a session of its own and left to the first process. Not perfect: a program may clear
 * its environment, and those of other users cannot be read.
 */
export function findMarked(markers: readonly string[]): ReadonlySet<number> {
  if (markers.length === 0) return new Set();
  return new Set(procPids().filter((pid) => environCarries(readProc(`${pid}/environ`) ?? '', markers)));
}

async function findByPs(pid: number): Promise<ProcessRecord | undefined> {
  return (await listByPs()).find((record) => record.pid === pid);
}

function readProcess(pid: number): ProcessRecord | undefined {
  const text = readProc(`${pid}/stat`);
  return text === undefined ? undefined : parseProcStat(text);
}

function procPids(): readonly number[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return [];
  }
}

function readProc(name: string): string | undefined {
  try {
    return readFileSync(`/proc/${name}`, 'utf8');
  } catch {
    // The process ended between the listing and now, or belongs to somebody else.
    return undefined;
  }
}
