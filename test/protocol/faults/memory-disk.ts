import type { Disk, FileInfo, Handle } from '../../../src/protocol/disk.js';

/** A disk call that failed, as node reports it. */
export class DiskError extends Error {
  override readonly name = 'DiskError';
  constructor(
    readonly code: string,
    what: string,
  ) {
    super(`${code}: ${what}`);
  }
}

type Names = Map<string, number>;

/** What was done and is not durable yet. */
type Operation =
  | { readonly kind: 'write'; readonly inode: number; readonly at: number; readonly bytes: Uint8Array }
  | { readonly kind: 'name'; readonly folder: number; readonly name: string; readonly inode: number }
  | { readonly kind: 'unname'; readonly folder: number; readonly name: string; readonly inode: number }
  | { readonly kind: 'rename'; readonly from: Place; readonly to: Place; readonly inode: number };

interface Place {
  readonly folder: number;
  readonly name: string;
}

/** What a power cut leaves of an operation: a list of operations, applied in order. */
type Outcome = readonly Operation[];

interface Contents {
  readonly files: Map<number, Uint8Array>;
  readonly folders: Map<number, Names>;
}

const ROOT = 1;

/**
 * A disk in memory that knows, for every file and every name in a folder, what is durable and what only this machine's
 * memory holds. A process that dies leaves everything; a power cut leaves any subset of what was not synced.
 */
export class MemoryDisk implements Disk {
  private readonly now: Contents;
  private readonly durable: Contents;
  private pending: Operation[] = [];
  private readonly handles = new Map<Handle, { readonly inode: number; readonly appends: boolean }>();
  private readonly changes = new Map<number, number>();
  private nextInode: number;
  private nextHandle = 3;

  constructor(contents?: Contents) {
    this.now = contents ? copied(contents) : { files: new Map(), folders: new Map([[ROOT, new Map()]]) };
    this.durable = copied(this.now);
    this.nextInode = 1 + Math.max(...this.now.files.keys(), ...this.now.folders.keys());
  }

  /** The same disk, with what is durable and what is not, for another run. Open files stay behind. */
  copy(): MemoryDisk {
    const other = new MemoryDisk(this.now);
    other.durable.files.clear();
    other.durable.folders.clear();
    const { files, folders } = copied(this.durable);
    for (const [inode, bytes] of files) other.durable.files.set(inode, bytes);
    for (const [inode, names] of folders) other.durable.folders.set(inode, names);
    other.pending = [...this.pending];
    other.nextInode = this.nextInode;
    for (const [inode, change] of this.changes) other.changes.set(inode, change);
    return other;
  }

  /** The disk as it is when everything has reached the platter. */
  settled(): MemoryDisk {
    return new MemoryDisk(this.now);
  }

  /** The same for two disks on which every file reads the same, so that what was tried on one need not be on the other. */
  fingerprint(folder = ROOT): string {
    return [...this.names(folder)]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inode]) => {
        const bytes = this.now.files.get(inode);
        return `${name} ${bytes ? JSON.stringify(Buffer.from(bytes).toString('latin1')) : `{${this.fingerprint(inode)}}`}`;
      })
      .join();
  }

  /** Every disk that a power cut at this moment can leave, each once, with all of it durable. `seen`: those that are known. */
  *afterPowerLoss(seen = new Set<string>()): Generator<MemoryDisk> {
    for (const disk of this.everyPowerLoss()) {
      const fingerprint = disk.fingerprint();
      if (!seen.has(fingerprint)) yield disk;
      seen.add(fingerprint);
    }
  }

  private *everyPowerLoss(): Generator<MemoryDisk> {
    const groups = this.outcomes();
    const chosen = groups.map(() => 0);
    for (;;) {
      const after = copied(this.durable);
      const kept = groups.flatMap((group, i) => group[chosen[i] ?? 0] ?? []);
      for (const { operation } of kept.sort((a, b) => a.at - b.at)) apply(after, operation);
      yield new MemoryDisk(after);
      let i = 0;
      while (i < groups.length && (chosen[i] ?? 0) + 1 === groups[i]?.length) chosen[i++] = 0;
      if (i === groups.length) return;
      chosen[i] = (chosen[i] ?? 0) + 1;
    }
  }

  /** A file's bytes as text, undefined for none. */
  text(path: string): string | undefined {
    const inode = this.lookUp(path);
    const bytes = inode === undefined ? undefined : this.now.files.get(inode);
    return bytes && Buffer.from(bytes).toString('utf8');
  }

  /** Replaces a file as a person's editor does, durably. */
  put(path: string, text: string): void {
    const inode = this.nextInode++;
    for (const side of [this.now, this.durable]) {
      side.files.set(inode, Buffer.from(text));
      const { folder, name } = this.place(path);
      side.folders.get(folder)?.set(name, inode);
    }
  }

  openRead(path: string): Handle {
    return this.opened(this.file(path), false);
  }

  openAppend(path: string): Handle {
    return this.opened(this.file(path), true);
  }

  create(path: string, _mode: number): Handle {
    const { folder, name } = this.place(path);
    if (this.names(folder).has(name)) throw new DiskError('EEXIST', path);
    const inode = this.nextInode++;
    this.now.files.set(inode, new Uint8Array());
    this.durable.files.set(inode, new Uint8Array());
    this.happen({ kind: 'name', folder, name, inode });
    return this.opened(inode, true);
  }

  read(handle: Handle, into: Uint8Array, position: number): number {
    const bytes = this.bytesOf(this.handle(handle).inode).subarray(position, position + into.length);
    into.set(bytes);
    return bytes.length;
  }

  write(handle: Handle, bytes: Uint8Array): number {
    const { inode, appends } = this.handle(handle);
    if (!appends) throw new DiskError('EBADF', 'write');
    this.happen({ kind: 'write', inode, at: this.bytesOf(inode).length, bytes: bytes.slice() });
    this.changes.set(inode, (this.changes.get(inode) ?? 0) + 1);
    return bytes.length;
  }

  size(handle: Handle): number {
    return this.bytesOf(this.handle(handle).inode).length;
  }

  syncData(handle: Handle): void {
    this.sync(handle);
  }

  sync(handle: Handle): void {
    const { inode } = this.handle(handle);
    this.reach((operation) => operation.kind === 'write' && operation.inode === inode);
  }

  syncFolder(path: string): void {
    const folder = this.folder(path);
    const rest: Operation[] = [];
    for (const operation of this.pending) {
      if (operation.kind === 'rename') {
        const { from, to, inode } = operation;
        if (from.folder === folder) apply(this.durable, operation);
        else if (to.folder === folder) {
          // The new name is safe; the old one may still be there too.
          apply(this.durable, { kind: 'name', folder: to.folder, name: to.name, inode });
          rest.push({ kind: 'unname', folder: from.folder, name: from.name, inode });
        } else rest.push(operation);
      } else if (operation.kind !== 'write' && operation.folder === folder) apply(this.durable, operation);
      else rest.push(operation);
    }
    this.pending = rest;
  }

  close(handle: Handle): void {
    this.handle(handle);
    this.handles.delete(handle);
  }

  rename(from: string, to: string): void {
    const source = this.place(from);
    const inode = this.names(source.folder).get(source.name);
    if (inode === undefined) throw new DiskError('ENOENT', from);
    const target = this.place(to);
    // POSIX: two names of one file are left as they are.
    if (this.names(target.folder).get(target.name) === inode) return;
    this.happen({ kind: 'rename', from: source, to: target, inode });
  }

  link(from: string, to: string): void {
    const inode = this.file(from);
    const { folder, name } = this.place(to);
    if (this.names(folder).has(name)) throw new DiskError('EEXIST', to);
    this.happen({ kind: 'name', folder, name, inode });
  }

  remove(path: string): void {
    const inode = this.file(path);
    this.happen({ kind: 'unname', ...this.place(path), inode });
  }

  makeFolder(path: string): void {
    let folder = ROOT;
    for (const name of parts(path)) {
      let inode = this.names(folder).get(name);
      if (inode === undefined) {
        inode = this.nextInode++;
        this.now.folders.set(inode, new Map());
        this.durable.folders.set(inode, new Map());
        this.happen({ kind: 'name', folder, name, inode });
      }
      folder = inode;
    }
  }

  list(path: string): readonly string[] {
    return [...this.names(this.folder(path)).keys()].sort();
  }

  info(path: string): FileInfo | undefined {
    const inode = this.lookUp(path);
    if (inode === undefined) return undefined;
    const bytes = this.now.files.get(inode);
    return {
      kind: bytes ? 'file' : 'folder',
      size: bytes?.length ?? 0,
      modifiedMs: 0,
      identity: `${inode}:${this.changes.get(inode) ?? 0}`,
    };
  }

  private happen(operation: Operation): void {
    apply(this.now, operation);
    this.pending.push(operation);
  }

  private reach(isDurable: (operation: Operation) => boolean): void {
    for (const operation of this.pending) if (isDurable(operation)) apply(this.durable, operation);
    this.pending = this.pending.filter((operation) => !isDurable(operation));
  }

  /** The choices of a power cut: one group an operation, the writes to one file in a group of their own. */
  private outcomes(): { at: number; operation: Operation }[][][] {
    const groups: { at: number; operation: Operation }[][][] = [];
    const files = new Map<number, { at: number; operation: Operation & { kind: 'write' } }[]>();
    for (const [at, operation] of this.pending.entries()) {
      if (operation.kind === 'write') {
        const writes = files.get(operation.inode) ?? [];
        writes.push({ at, operation });
        files.set(operation.inode, writes);
      } else groups.push(nameOutcomes(operation).map((outcome) => outcome.map((each) => ({ at, operation: each }))));
    }
    for (const writes of files.values()) groups.push(writeOutcomes(writes));
    return groups;
  }

  private opened(inode: number, appends: boolean): Handle {
    const handle = this.nextHandle++;
    this.handles.set(handle, { inode, appends });
    return handle;
  }

  private handle(handle: Handle): { readonly inode: number; readonly appends: boolean } {
    const found = this.handles.get(handle);
    if (!found) throw new DiskError('EBADF', String(handle));
    return found;
  }

  private bytesOf(inode: number): Uint8Array {
    return this.now.files.get(inode) ?? new Uint8Array();
  }

  private names(folder: number): Names {
    return this.now.folders.get(folder) ?? new Map();
  }

  private lookUp(path: string): number | undefined {
    let inode: number | undefined = ROOT;
    for (const name of parts(path)) {
      if (inode === undefined) return undefined;
      const names: Names | undefined = this.now.folders.get(inode);
      if (!names) return undefined;
      inode = names.get(name);
    }
    return inode;
  }

  private place(path: string): Place {
    const all = parts(path);
    const name = all.pop() ?? '';
    return { folder: this.folder(`/${all.join('/')}`), name };
  }

  private folder(path: string): number {
    const inode = this.lookUp(path);
    if (inode === undefined) throw new DiskError('ENOENT', path);
    if (!this.now.folders.has(inode)) throw new DiskError('ENOTDIR', path);
    return inode;
  }

  private file(path: string): number {
    const inode = this.lookUp(path);
    if (inode === undefined) throw new DiskError('ENOENT', path);
    if (!this.now.files.has(inode)) throw new DiskError('EISDIR', path);
    return inode;
  }
}

function parts(path: string): string[] {
  return path.split('/').filter((part) => part !== '');
}

function copied(contents: Contents): Contents {
  return {
    // Content is replaced, never changed in place, so that it can be shared.
    files: new Map(contents.files),
    folders: new Map([...contents.folders].map(([inode, names]) => [inode, new Map(names)])),
  };
}

function apply(contents: Contents, operation: Operation): void {
  const names = (folder: number): Names => contents.folders.get(folder) ?? new Map();
  if (operation.kind === 'write') {
    const old = contents.files.get(operation.inode) ?? new Uint8Array();
    const bytes = new Uint8Array(Math.max(old.length, operation.at + operation.bytes.length));
    bytes.set(old);
    bytes.set(operation.bytes, operation.at);
    contents.files.set(operation.inode, bytes);
  } else if (operation.kind === 'name') names(operation.folder).set(operation.name, operation.inode);
  else if (operation.kind === 'unname') {
    const { folder, name, inode } = operation;
    if (names(folder).get(name) === inode) names(folder).delete(name);
  } else {
    const { from, to, inode } = operation;
    if (names(from.folder).get(from.name) === inode) names(from.folder).delete(from.name);
    names(to.folder).set(to.name, inode);
  }
}

/** A name is there or not; a rename within a folder is one step; between two folders the old name may stay too. */
function nameOutcomes(operation: Exclude<Operation, { kind: 'write' }>): readonly Outcome[] {
  if (operation.kind !== 'rename' || operation.from.folder === operation.to.folder) return [[], [operation]];
  const { to, inode } = operation;
  return [[], [operation], [{ kind: 'name', folder: to.folder, name: to.name, inode }]];
}

/** What may be left of writes that follow each other in a file: beginnings, a torn one, holes, and zeros alone. */
function writeOutcomes(
  writes: readonly { readonly at: number; readonly operation: Operation & { kind: 'write' } }[],
): { at: number; operation: Operation }[][] {
  const lengths = new Set([0, 1, writes.length >> 1, writes.length - 1, writes.length]);
  const outcomes: { at: number; operation: Operation }[][] = [...lengths].map((length) => writes.slice(0, length));
  const last = writes.at(-1);
  if (!last) return outcomes;
  const { at, operation } = last;
  const half = operation.bytes.length >> 1;
  outcomes.push([
    ...writes.slice(0, -1),
    { at, operation: { ...operation, bytes: operation.bytes.subarray(0, half) } },
  ]);
  outcomes.push([{ at, operation: { ...operation, bytes: new Uint8Array(operation.bytes.length) } }]);
  outcomes.push([
    ...writes.slice(0, -1),
    { at, operation: { ...operation, at: operation.at + half, bytes: operation.bytes.subarray(half) } },
  ]);
  return outcomes;
}
