import { setTimeout as sleep } from 'node:timers/promises';
import { findMarked, listProcesses } from './list-processes.js';
import type { ProcessIdentity, ProcessRecord } from './process-table.js';
import { membersOfTree, unknownTree } from './process-tree.js';

/** How a tree is ended. */
export interface EndTreeOptions {
  /** Seconds between TERM and KILL. */
  readonly graceSeconds: number;
  /** `NAME=value` texts; on Linux every process whose environment carries one of them belongs to the tree. */
  readonly markers?: readonly string[];
  /** Cuts the grace short. */
  readonly hurry?: AbortSignal;
}

/** What came of it. `survivors` could not be ended: another user's, or stuck in the kernel. */
export interface EndTreeReport {
  /** How many processes were alive when it began or appeared while it went on. */
  readonly found: number;
  readonly survivors: readonly ProcessRecord[];
}

const killingSeconds = 2;

/**
 * Ends whole trees of processes (DESIGN.md 7: ending a run ends its whole tree). A process group is not enough:
 * harnesses start their tools in sessions of their own, and a leader that is killed leaves them behind. So it
 * snapshots, sends TERM to the groups and to each process, waits for the grace, snapshots again and sends KILL to
 * what is left of both, until nothing is. Returns as soon as nothing is left, at once if nothing was.
 *
 * `roots` may have ended already: their groups and their marked processes are still found. A pid that now belongs to
 * another process (its start time differs) is left alone, and so are this process and its ancestors. Exit codes
 * after these signals mean nothing: some harnesses answer TERM with 0. Never throws.
 */
export async function endTree(roots: readonly ProcessIdentity[], options: EndTreeOptions): Promise<EndTreeReport> {
  const tree = watchTree(roots, options.markers ?? []);
  let alive = await tree.look();
  if (alive.length > 0) {
    tree.signal(alive, 'SIGTERM');
    alive = await waitUntilGone(tree, alive, options.graceSeconds, options.hurry);
  }
  const killUntil = performance.now() + killingSeconds * 1000;
  while (alive.length > 0 && performance.now() < killUntil) {
    tree.signal(alive, 'SIGKILL');
    alive = await waitUntilGone(tree, alive, 0.1);
  }
  return { found: tree.found(), survivors: alive };
}

interface Tree {
  /** Snapshots the system; what is alive of the tree now, or ever belonged to it. */
  look(): Promise<readonly ProcessRecord[]>;
  signal(targets: readonly ProcessRecord[], name: NodeJS.Signals): void;
  found(): number;
}

function watchTree(roots: readonly ProcessIdentity[], markers: readonly string[]): Tree {
  let known = unknownTree;

  const look = async (): Promise<readonly ProcessRecord[]> => {
    const table = await listProcesses();
    const { alive, knowledge } = membersOfTree(roots, known, { table, marked: findMarked(markers), self: process.pid });
    known = knowledge;
    return alive;
  };

  const signal = (targets: readonly ProcessRecord[], name: NodeJS.Signals): void => {
    // The group at once, so that a member cannot fork between two signals; then those in other groups.
    const groups = new Set(targets.map((record) => record.pgid).filter((pgid) => known.groups.has(pgid)));
    for (const pgid of groups) send(-pgid, name);
    for (const record of targets) if (!groups.has(record.pgid)) send(record.pid, name);
  };

  return { look, signal, found: () => known.members.length };
}

async function waitUntilGone(
  tree: Tree,
  before: readonly ProcessRecord[],
  seconds: number,
  hurry?: AbortSignal,
): Promise<readonly ProcessRecord[]> {
  const until = performance.now() + seconds * 1000;
  let alive = before;
  for (
    let pause = 10;
    alive.length > 0 && performance.now() < until && hurry?.aborted !== true;
    pause = Math.min(pause * 2, 200)
  ) {
    await sleep(Math.max(1, Math.min(pause, until - performance.now())));
    alive = await tree.look();
  }
  return alive;
}

function send(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone already, or another user's: the next look says which.
  }
}
