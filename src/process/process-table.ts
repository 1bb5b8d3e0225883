/**
 * One process as the system lists it. `startTime` is opaque text that, together with the pid, names one process of
 * this boot: a recycled pid has another one. It may be compared, never computed with.
 */
export interface ProcessRecord {
  readonly pid: number;
  readonly ppid: number;
  readonly pgid: number;
  readonly startTime: string;
  /** False for a zombie: it answers `kill 0` and yet nothing of it runs any more. */
  readonly alive: boolean;
}

/** What is needed to find a process again. `startTime` is undefined when it ended before it could be looked at. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startTime: string | undefined;
}

/**
 * Reads one `/proc/<pid>/stat`. The command name in it may hold blanks, line breaks and parentheses, so the fields
 * are counted from the last parenthesis. Undefined when the text is not such a line.
 */
export function parseProcStat(text: string): ProcessRecord | undefined {
  const open = text.indexOf(' (');
  const close = text.lastIndexOf(')');
  if (open < 1 || close < open) return undefined;
  const pid = wholeNumber(text.slice(0, open));
  const fields = text
    .slice(close + 1)
    .trim()
    .split(/\s+/);
  const [state, parent, group] = fields;
  const ppid = wholeNumber(parent);
  const pgid = wholeNumber(group);
  const threads = wholeNumber(fields[17]);
  const startTime = fields[19];
  if (pid === undefined || ppid === undefined || pgid === undefined || threads === undefined) return undefined;
  if (state === undefined || startTime === undefined || wholeNumber(startTime) === undefined) return undefined;
  // A process whose first thread ended shows as a zombie while its other threads still run.
  const alive = (state !== 'Z' && state !== 'X') || threads > 1;
  return { pid, ppid, pgid, startTime, alive };
}

/** Reads what `ps -A -o pid=,ppid=,pgid=,stat=,lstart=` prints under `LC_ALL=C`; lines of another form are left out. */
export function parsePs(text: string): readonly ProcessRecord[] {
  return text.split('\n').flatMap((line) => {
    const found = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S.*?)\s*$/.exec(line);
    const [, pid, ppid, pgid, state, started] = found ?? [];
    if (pid === undefined || state === undefined || started === undefined) return [];
    const alive = !/^[ZX]/.test(state);
    const startTime = started.replace(/\s+/g, ' ');
    return [{ pid: Number(pid), ppid: Number(ppid), pgid: Number(pgid), startTime, alive }];
  });
}

/** Whether this record is that process, and not another one that got the same pid later. */
export function isSameProcess(record: ProcessRecord, identity: ProcessIdentity): boolean {
  return record.pid === identity.pid && (identity.startTime === undefined || record.startTime === identity.startTime);
}

/**
 * Everything below the given processes by parent links, the given ones included. Processes that are not in the
 * table contribute nothing; a loop in a torn table ends.
 */
export function descendantsOf(table: readonly ProcessRecord[], roots: ReadonlySet<number>): readonly ProcessRecord[] {
  const children = new Map<number, ProcessRecord[]>();
  for (const record of table) children.set(record.ppid, [...(children.get(record.ppid) ?? []), record]);
  const found = new Map<number, ProcessRecord>();
  const open = table.filter((record) => roots.has(record.pid));
  for (let record = open.pop(); record !== undefined; record = open.pop()) {
    if (found.has(record.pid)) continue;
    found.set(record.pid, record);
    open.push(...(children.get(record.pid) ?? []));
  }
  return [...found.values()];
}

/** The pids from `pid` up to the first process: whoever ends a tree must never end these. */
export function ancestorsOf(table: readonly ProcessRecord[], pid: number): ReadonlySet<number> {
  const parents = new Map(table.map((record) => [record.pid, record.ppid]));
  const found = new Set<number>();
  for (let at: number | undefined = pid; at !== undefined && !found.has(at); at = parents.get(at)) found.add(at);
  return found;
}

/**
 * Whether a `/proc/<pid>/environ` holds one of these `NAME=value` texts as a variable. A marker without a name or a
 * value marks nothing: it would be found in processes that are nobody's.
 */
export function environCarries(environ: string, markers: readonly string[]): boolean {
  const told = markers.filter((marker) => /^[^=]+=./.test(marker));
  return environ.split('\0').some((variable) => told.includes(variable));
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,20}$/.test(text) ? Number(text) : undefined;
}
