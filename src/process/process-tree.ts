import {
  ancestorsOf,
  descendantsOf,
  isSameProcess,
  type ProcessIdentity,
  type ProcessRecord,
} from './process-table.js';

/** What belongs to a tree, as far as it is known; each look at the system may add to it. */
export interface TreeKnowledge {
  /** Processes that once belonged to it, alive or not. */
  readonly members: readonly ProcessRecord[];
  /** Process groups that are wholly ours. */
  readonly groups: ReadonlySet<number>;
}

/** What one look at the system shows. */
export interface Snapshot {
  readonly table: readonly ProcessRecord[];
  /** Pids whose environment carries the mark of the tree. */
  readonly marked: ReadonlySet<number>;
  /** The pid of the process that looks. */
  readonly self: number;
}

/** A tree of which nothing is known yet but its roots. */
export const unknownTree: TreeKnowledge = { members: [], groups: new Set() };

/**
 * Which live processes belong to the tree of `roots`: the roots, their groups, whatever is marked, what belonged to it
 * at an earlier look, and everything below those. Never among them, nor begun from, whatever the roots say: the process
 * that looks, its ancestors, and the first process, below which everything is.
 */
export function membersOfTree(
  roots: readonly ProcessIdentity[],
  before: TreeKnowledge,
  { table, marked, self }: Snapshot,
): { readonly alive: readonly ProcessRecord[]; readonly knowledge: TreeKnowledge } {
  const ancestors = ancestorsOf(table, self);
  const spared = (pid: number): boolean => pid <= 1 || ancestors.has(pid);
  const ended = roots.filter((root) => !spared(root.pid) && !isTaken(table, root)).map((root) => root.pid);
  const groups = new Set([...before.groups, ...ended]);
  const knownBefore = new Set(before.members.map(nameOf));

  const begun = table.filter(
    (record) =>
      !spared(record.pid) &&
      (marked.has(record.pid) ||
        groups.has(record.pgid) ||
        knownBefore.has(nameOf(record)) ||
        roots.some((root) => root.startTime !== undefined && isSameProcess(record, root))),
  );
  const tree = descendantsOf(table, new Set(begun.map((record) => record.pid)));
  const alive = tree.filter((record) => record.alive && !spared(record.pid));
  // A tool that leads a group of its own may fork between two looks and end: its group still tells whose it is.
  for (const record of alive) if (record.pgid === record.pid) groups.add(record.pid);
  const added = alive.filter((record) => !knownBefore.has(nameOf(record)));
  return { alive, knowledge: { members: [...before.members, ...added], groups } };
}

/**
 * Whether the pid now belongs to another process. A leader that has ended keeps its number reserved as long as its
 * group has members, so a number that is taken means that the group was empty and is not ours.
 */
function isTaken(table: readonly ProcessRecord[], root: ProcessIdentity): boolean {
  return table.some((record) => record.pid === root.pid && !isSameProcess(record, root));
}

function nameOf(record: ProcessRecord): string {
  return `${record.pid} ${record.startTime}`;
}
